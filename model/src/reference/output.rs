use super::fault::{Fault, Faults};
use crate::spec::Code;

/// What the agent is about to print.
#[derive(Debug, Clone)]
pub(super) struct Output {
    faults: Faults,
    lines: Vec<u8>,
    /// Responses of the batch that is being answered, instead of lines.
    batch: Option<Vec<String>>,
}

/// An error as it is answered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Failure {
    pub(super) code: i64,
    pub(super) message: &'static str,
    /// The JSON text of `data`.
    pub(super) data: Option<String>,
}

impl From<Code> for Failure {
    fn from(code: Code) -> Failure {
        Failure { code: code.number(), message: code.message(), data: None }
    }
}

impl Output {
    pub(super) fn new(faults: Faults) -> Output {
        Output { faults, lines: Vec::new(), batch: None }
    }

    pub(super) fn drain_into(&mut self, out: &mut Vec<u8>) {
        out.append(&mut self.lines);
    }

    /// Prints a message as one line.
    pub(super) fn line(&mut self, message: &str) {
        self.lines.extend_from_slice(message.as_bytes());
        self.lines.push(b'\n');
    }

    /// Answers `id` (JSON text) with a result (JSON text) or an error.
    pub(super) fn answer(&mut self, id: &str, outcome: Result<String, Failure>) {
        let body = match outcome {
            Ok(result) => format!(r#""result":{result}"#),
            Err(failure) => self.error(&failure),
        };
        let version =
            if self.faults.has(Fault::JsonrpcLeftOut) { "" } else { r#""jsonrpc":"2.0","# };
        let message = format!(r#"{{{version}"id":{},{body}}}"#, self.id(id));
        match &mut self.batch {
            Some(batch) => batch.push(message),
            None if self.faults.has(Fault::ResponsesInArrays) => self.line(&format!("[{message}]")),
            None => self.line(&message),
        }
    }

    /// Answers with an error and id null.
    pub(super) fn refuse(&mut self, code: Code) {
        self.answer("null", Err(code.into()));
    }

    /// Collects the answers that follow into one array.
    pub(super) fn begin_batch(&mut self) {
        self.batch = Some(Vec::new());
    }

    /// Prints the collected answers; nothing where there are none.
    pub(super) fn end_batch(&mut self) {
        let answers = self.batch.take().unwrap_or_default();
        if !answers.is_empty() {
            self.line(&format!("[{}]", answers.join(",")));
        }
    }

    fn error(&self, failure: &Failure) -> String {
        let Failure { code, message, data } = failure;
        let code = match self.faults.has(Fault::ErrorCodeAsString) {
            true => format!(r#""{code}""#),
            false => code.to_string(),
        };
        let data = data.as_ref().map_or(String::new(), |data| format!(r#","data":{data}"#));
        let result = if self.faults.has(Fault::ResultAndError) { r#","result":null"# } else { "" };
        format!(r#""error":{{"code":{code},"message":"{message}"{data}}}{result}"#)
    }

    fn id(&self, id: &str) -> String {
        let number = id.parse::<f64>().ok().filter(|_| !id.starts_with('"'));
        match number {
            Some(_) if self.faults.has(Fault::NumberIdsBecomeStrings) => format!(r#""{id}""#),
            Some(value)
                if self.faults.has(Fault::FractionalIdTruncated) && value.fract() != 0.0 =>
            {
                format!("{}", value.trunc())
            }
            Some(value) if self.faults.has(Fault::HugeIdRounded) && value.is_finite() => {
                format!("{value}")
            }
            _ => id.to_owned(),
        }
    }
}
