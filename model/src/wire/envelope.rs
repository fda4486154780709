//! The members that JSON-RPC 2.0 gives a meaning.

use super::{Json, Text};

/// The top-level members of one object, whatever their types. A member that is `null`
/// is present. Of members with the same name the last one counts (RPC-31).
///
/// ```
/// use acp_model::wire::{Envelope, parse};
///
/// let json = parse(br#"{"jsonrpc":"2.0","id":null,"method":"x","extra":1}"#).unwrap();
/// let envelope = Envelope::read(json).unwrap();
/// assert!(envelope.is_jsonrpc_2());
/// assert!(envelope.id.unwrap().is_null());
/// assert!(envelope.params.is_none());
/// assert!(envelope.has_unknown_member);
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct Envelope<'a> {
    /// `"2.0"` in a valid message (RPC-02, RPC-10).
    pub jsonrpc: Option<Json<'a>>,
    /// Absent in a notification (RPC-04).
    pub id: Option<Json<'a>>,
    /// Present in requests and notifications.
    pub method: Option<Json<'a>>,
    /// Of a request or notification.
    pub params: Option<Json<'a>>,
    /// Of a response; `null` counts as present (RPC-02).
    pub result: Option<Json<'a>>,
    /// Of a response (RPC-03).
    pub error: Option<Json<'a>>,
    /// Whether there is a member of any other name (RPC-30).
    pub has_unknown_member: bool,
    /// Whether any two members, of these or other names, have the same name (RPC-31).
    pub has_duplicate_member: bool,
}

impl<'a> Envelope<'a> {
    /// Reads the members of an object; `None` for any other type.
    pub fn read(json: Json<'a>) -> Option<Envelope<'a>> {
        let mut collector = Collector::default();
        for (name, value) in json.members()? {
            collector.add(name, value);
        }
        Some(collector.finish(json))
    }

    /// Whether `jsonrpc` is the string `2.0` (RPC-10).
    pub fn is_jsonrpc_2(&self) -> bool {
        self.jsonrpc.and_then(|version| version.as_string()).is_some_and(|text| text.is("2.0"))
    }
}

/// An envelope that still gets members.
#[derive(Default)]
pub(super) struct Collector<'a> {
    envelope: Envelope<'a>,
    /// Whether there are two names that nobody compared.
    has_unknown_members: bool,
}

impl<'a> Collector<'a> {
    pub(super) fn add(&mut self, name: Text<'a>, value: Json<'a>) {
        let envelope = &mut self.envelope;
        // Most names are written plainly.
        let slot = match name.raw() {
            "jsonrpc" => Some(&mut envelope.jsonrpc),
            "id" => Some(&mut envelope.id),
            "method" => Some(&mut envelope.method),
            "params" => Some(&mut envelope.params),
            "result" => Some(&mut envelope.result),
            "error" => Some(&mut envelope.error),
            _ if !name.is_escaped() => None,
            _ if name.is("jsonrpc") => Some(&mut envelope.jsonrpc),
            _ if name.is("id") => Some(&mut envelope.id),
            _ if name.is("method") => Some(&mut envelope.method),
            _ if name.is("params") => Some(&mut envelope.params),
            _ if name.is("result") => Some(&mut envelope.result),
            _ if name.is("error") => Some(&mut envelope.error),
            _ => None,
        };
        match slot {
            Some(slot) => envelope.has_duplicate_member |= slot.replace(value).is_some(),
            None => {
                self.has_unknown_members |= envelope.has_unknown_member;
                envelope.has_unknown_member = true;
            }
        }
    }

    /// The envelope of `json`, all of whose members were added.
    pub(super) fn finish(mut self, json: Json<'a>) -> Envelope<'a> {
        if self.has_unknown_members && !self.envelope.has_duplicate_member {
            self.envelope.has_duplicate_member = json.has_duplicate_names();
        }
        self.envelope
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Message, parse, read_message};
    use super::Envelope;

    /// Reads in both ways, which must agree, and writes down what was found.
    fn summary(line: &str) -> String {
        let Message::Object(envelope, json) = read_message(line.as_bytes()).unwrap() else {
            panic!("{line} is no object");
        };
        assert_eq!(json.text(), line.trim());
        let write = |envelope: Envelope<'_>| {
            let members = [
                ("jsonrpc", envelope.jsonrpc),
                ("id", envelope.id),
                ("method", envelope.method),
                ("params", envelope.params),
                ("result", envelope.result),
                ("error", envelope.error),
            ];
            let mut parts: Vec<_> = members
                .into_iter()
                .filter_map(|(name, value)| Some(format!("{name}={}", value?.text())))
                .collect();
            parts.extend(envelope.has_unknown_member.then(|| "unknown".into()));
            parts.extend(envelope.has_duplicate_member.then(|| "duplicate".into()));
            parts.join(" ")
        };
        let summary = write(envelope);
        let again = Envelope::read(parse(line.as_bytes()).unwrap()).unwrap();
        assert_eq!(write(again), summary, "in one scan and in two: {line}");
        summary
    }

    #[test]
    fn members_are_taken_by_name() {
        let check = |line, expected: &str| assert_eq!(summary(line), expected, "{line}");
        check("{}", "");
        check(
            r#" {"jsonrpc":"2.0", "id" : 1 ,"method":"x","params":{"id":2,"error":3}} "#,
            r#"jsonrpc="2.0" id=1 method="x" params={"id":2,"error":3}"#,
        );
        check(r#"{"result":null,"error":[1,{"id":1}]}"#, r#"result=null error=[1,{"id":1}]"#);
        check(r#"{"\u0069d":7,"meth\u006fd":"session\/list"}"#, r#"id=7 method="session\/list""#);
        check(
            r#"{"\u006asonrpc":1,"\u0070arams":2,"\u0072esult":3,"\u0065rror":4}"#,
            "jsonrpc=1 params=2 result=3 error=4",
        );
        check(r#"{"ID":1," id":2,"id\u0000":3}"#, "unknown");
        check(r#"{"a":{"b":1,"b":2}}"#, "unknown");
    }

    #[test]
    fn of_duplicates_the_last_counts() {
        let check = |line, expected: &str| assert_eq!(summary(line), expected, "{line}");
        check(r#"{"id":1,"id":2}"#, "id=2 duplicate");
        check(r#"{"id":1,"\u0069d":null}"#, "id=null duplicate");
        check(r#"{"a":1,"a":2}"#, "unknown duplicate");
        check(r#"{"a":1,"id":0,"\u0061":2}"#, "id=0 unknown duplicate");
        check(r#"{"a":1,"id":0,"b":2}"#, "id=0 unknown");
    }

    #[test]
    fn the_version_is_a_string() {
        let check = |line: &str, expected| {
            let envelope = Envelope::read(parse(line.as_bytes()).unwrap()).unwrap();
            assert_eq!(envelope.is_jsonrpc_2(), expected, "{line}");
        };
        check(r#"{"jsonrpc":"2.0"}"#, true);
        check(r#"{"jsonrpc":"\u0032.0"}"#, true);
        check(r#"{"jsonrpc":"1.0","jsonrpc":"2.0"}"#, true);
        check(r#"{"jsonrpc":"1.0"}"#, false);
        check(r#"{"jsonrpc":2.0}"#, false);
        check(r#"{"jsonrpc":null}"#, false);
        check("{}", false);
    }

    #[test]
    fn only_objects_have_one() {
        for line in ["[]", "1", "null", r#""{}""#, "true"] {
            assert!(Envelope::read(parse(line.as_bytes()).unwrap()).is_none(), "{line}");
        }
    }
}
