use crate::spec::Code;
use crate::wire::{Envelope, Json, Message, read_message};

/// What a client owes the line of an agent's, as a line without its newline: a legal answer to
/// a request, nothing to anything else.
///
/// Permissions are refused by the option that says so, or as cancelled; forms are declined;
/// what was never advertised (files, terminals) gets -32601. So an agent never waits for ever,
/// and nothing is done on this machine.
pub fn answer_agent(line: &[u8]) -> Option<Vec<u8>> {
    let Ok(Message::Object(envelope, _)) = read_message(line) else { return None };
    let is_request = envelope.result.is_none() && envelope.error.is_none();
    let method = envelope.method.and_then(|m| m.as_string()).filter(|_| is_request)?;
    let id = envelope.id.filter(|id| id.as_string().is_some() || id.as_number().is_some())?;
    let id = id.text();
    let body = if method.is("session/request_permission") {
        let outcome = match refusing_option(&envelope) {
            Some(option) => format!(r#"{{"outcome":"selected","optionId":{}}}"#, option.text()),
            None => r#"{"outcome":"cancelled"}"#.to_owned(),
        };
        format!(r#""result":{{"outcome":{outcome}}}"#)
    } else if method.is("elicitation/create") {
        r#""result":{"action":"decline"}"#.to_owned()
    } else {
        let code = Code::MethodNotFound;
        format!(r#""error":{{"code":{code},"message":"{}"}}"#, code.message())
    };
    Some(format!(r#"{{"jsonrpc":"2.0","id":{id},{body}}}"#).into_bytes())
}

fn refusing_option<'a>(envelope: &Envelope<'a>) -> Option<Json<'a>> {
    let mut options = envelope.params?.get("options")?.elements()?;
    let refuses = |option: &Json<'_>| {
        let kind = option.get("kind").and_then(|k| k.as_string());
        kind.is_some_and(|k| k.is("reject_once"))
    };
    options.find(refuses)?.get("optionId").filter(|id| id.as_string().is_some())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(line: &str, answer: Option<&str>) {
        let got = answer_agent(line.as_bytes()).map(|a| String::from_utf8(a).unwrap());
        assert_eq!(got.as_deref(), answer, "{line}");
    }

    #[test]
    fn requests_get_a_legal_answer_and_nothing_else_does() {
        check(
            r#"{"jsonrpc":"2.0","id":7,"method":"session/request_permission","params":{"options":[{"kind":"allow_once","optionId":"a"},{"kind":"reject_once","optionId":"r"}]}}"#,
            Some(
                r#"{"jsonrpc":"2.0","id":7,"result":{"outcome":{"outcome":"selected","optionId":"r"}}}"#,
            ),
        );
        check(
            r#"{"jsonrpc":"2.0","id":"x","method":"session/request_permission","params":{}}"#,
            Some(r#"{"jsonrpc":"2.0","id":"x","result":{"outcome":{"outcome":"cancelled"}}}"#),
        );
        check(
            r#"{"jsonrpc":"2.0","id":1,"method":"fs/read_text_file","params":{}}"#,
            Some(
                r#"{"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"Method not found"}}"#,
            ),
        );
        check(r#"{"jsonrpc":"2.0","method":"session/update","params":{}}"#, None);
        check(r#"{"jsonrpc":"2.0","id":1,"result":{}}"#, None);
        check("not json", None);
    }
}
