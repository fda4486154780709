//! One value, looked at in place.

use std::borrow::Cow;

use super::walk::{Token, tokens};
use super::{Elements, Members, Number, Text};

/// One JSON value that was found valid: its text, without blanks around it.
///
/// Looking at a member or element reads the text up to it again, so look at each level
/// once; nothing is kept or allocated.
///
/// ```
/// use acp_model::wire::{Kind, parse};
///
/// let line = br#" {"id": 7, "params": {"cwd": "\/tmp", "mcpServers": []}} "#;
/// let params = parse(line).unwrap().get("params").unwrap();
/// assert_eq!(params.kind(), Kind::Object);
/// assert_eq!(params.text(), r#"{"cwd": "\/tmp", "mcpServers": []}"#);
/// assert!(params.get("cwd").unwrap().as_string().unwrap().is("/tmp"));
/// assert_eq!(params.get("mcpServers").unwrap().elements().unwrap().count(), 0);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Json<'a> {
    text: &'a str,
}

/// The six types of JSON, with `true` and `false` as one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Kind {
    /// `null`
    Null,
    /// `true` or `false`
    Bool,
    /// Any number, integral or not.
    Number,
    /// A string.
    String,
    /// An array.
    Array,
    /// An object.
    Object,
}

impl<'a> Json<'a> {
    /// From valid text without blanks around it.
    pub(super) fn new(text: &'a str) -> Json<'a> {
        Json { text }
    }

    /// The type of the value.
    pub fn kind(&self) -> Kind {
        match self.text.as_bytes()[0] {
            b'n' => Kind::Null,
            b't' | b'f' => Kind::Bool,
            b'"' => Kind::String,
            b'[' => Kind::Array,
            b'{' => Kind::Object,
            _ => Kind::Number,
        }
    }

    /// As written, without blanks around it.
    pub fn text(&self) -> &'a str {
        self.text
    }

    /// Whether it is `null`.
    pub fn is_null(&self) -> bool {
        self.kind() == Kind::Null
    }

    /// The value of `true` or `false`, `None` for any other type.
    pub fn as_bool(&self) -> Option<bool> {
        (self.kind() == Kind::Bool).then_some(self.text == "true")
    }

    /// The string, `None` for any other type.
    pub fn as_string(&self) -> Option<Text<'a>> {
        (self.kind() == Kind::String).then(|| Text::quoted(self.text))
    }

    /// The number, `None` for any other type.
    pub fn as_number(&self) -> Option<Number<'a>> {
        (self.kind() == Kind::Number).then(|| Number::new(self.text))
    }

    /// The members of an object in the order in which they are written, duplicates
    /// included; `None` for any other type.
    pub fn members(&self) -> Option<Members<'a>> {
        (self.kind() == Kind::Object).then(|| Members::new(self.text))
    }

    /// The elements of an array in order, `None` for any other type.
    pub fn elements(&self) -> Option<Elements<'a>> {
        (self.kind() == Kind::Array).then(|| Elements::new(self.text))
    }

    /// The last member of that name, compared after unescaping; `None` if there is none
    /// or this is no object (RPC-31: the last one wins).
    pub fn get(&self, name: &str) -> Option<Json<'a>> {
        let named = self.members()?.filter(|(member, _)| member.is(name));
        named.last().map(|(_, value)| value)
    }

    /// Whether two members of this object have the same name after unescaping (RPC-31).
    /// Objects further in are not looked at. False for any other type.
    pub fn has_duplicate_names(&self) -> bool {
        /// Up to here each name is compared to each other, and nothing is allocated.
        const FEW: usize = 16;
        let Some(mut members) = self.members() else {
            return false;
        };
        let mut seen = [None; FEW];
        for place in 0..FEW {
            let Some((name, _)) = members.next() else {
                return false;
            };
            if seen[..place].contains(&Some(name)) {
                return true;
            }
            seen[place] = Some(name);
        }
        let first = seen.into_iter().flatten();
        let names = first.chain(members.map(|(name, _)| name));
        let mut names: Vec<Cow<'_, [u8]>> = names.map(|name| name.decode()).collect();
        names.sort_unstable();
        names.windows(2).any(|pair| pair[0] == pair[1])
    }

    /// The greatest number of arrays and objects around any place in it, itself
    /// included: 0 for `1`, 1 for `[]`, 2 for `[{}]` (FRM-10). `serde_json` takes at
    /// most 127.
    pub fn depth(&self) -> usize {
        let (mut depth, mut greatest) = (0, 0);
        for token in tokens(self.text) {
            match token {
                Token::Open => {
                    depth += 1;
                    greatest = greatest.max(depth);
                }
                Token::Close => depth -= 1,
                Token::String(_) | Token::Number(_) => {}
            }
        }
        greatest
    }

    /// Whether any string or name in it, at any depth, holds half of a surrogate pair
    /// (FRM-10).
    pub fn has_lone_surrogate(&self) -> bool {
        self.text.contains("\\u")
            && tokens(self.text)
                .any(|token| matches!(token, Token::String(text) if text.has_lone_surrogate()))
    }

    /// Whether the double nearest to any number in it, at any depth, is infinite.
    pub fn has_number_beyond_double(&self) -> bool {
        tokens(self.text)
            .any(|token| matches!(token, Token::Number(number) if number.exceeds_double()))
    }
}

#[cfg(test)]
mod tests {
    use super::super::parse;
    use super::{Json, Kind};

    fn json(text: &str) -> Json<'_> {
        parse(text.as_bytes()).unwrap()
    }

    #[test]
    fn each_value_is_of_its_kind_only() {
        let check = |text, kind| {
            let json = json(text);
            assert_eq!(json.kind(), kind, "{text}");
            assert_eq!(json.text(), text.trim());
            assert_eq!(json.is_null(), kind == Kind::Null, "{text}");
            assert_eq!(json.as_bool().is_some(), kind == Kind::Bool, "{text}");
            assert_eq!(json.as_number().is_some(), kind == Kind::Number, "{text}");
            assert_eq!(json.as_string().is_some(), kind == Kind::String, "{text}");
            assert_eq!(json.elements().is_some(), kind == Kind::Array, "{text}");
            assert_eq!(json.members().is_some(), kind == Kind::Object, "{text}");
        };
        check("null", Kind::Null);
        check(" true ", Kind::Bool);
        check("false", Kind::Bool);
        check("0", Kind::Number);
        check("-1", Kind::Number);
        check("\t\"\"\r", Kind::String);
        check("[ ]", Kind::Array);
        check("{\n}", Kind::Object);
        assert_eq!(json("true").as_bool(), Some(true));
        assert_eq!(json("false").as_bool(), Some(false));
    }

    #[test]
    fn members_are_found_by_unescaped_name_and_the_last_wins() {
        let check = |text, name, expected| {
            assert_eq!(json(text).get(name).map(|value| value.text()), expected, "{text}");
        };
        check(r#"{"id":1}"#, "id", Some("1"));
        check(r#"{"\u0069d":1}"#, "id", Some("1"));
        check(r#"{"id":1,"\u0069\u0064":2}"#, "id", Some("2"));
        check(r#"{"id":1,"id":null}"#, "id", Some("null"));
        check(r#"{ "a" : { "id" : 1 } , "b":[ "id" ] }"#, "id", None);
        check(r#"{ "a" : { "id" : 1 } }"#, "a", Some(r#"{ "id" : 1 }"#));
        check(r#"{"":0}"#, "", Some("0"));
        check(r#"{"ID":1}"#, "id", None);
        check(r#"["id"]"#, "id", None);
        check(r#""id""#, "id", None);
    }

    #[test]
    fn duplicates_are_found_after_unescaping_in_this_object_only() {
        let check = |text: &str, expected| {
            assert_eq!(json(text).has_duplicate_names(), expected, "{text}");
        };
        check("{}", false);
        check(r#"{"a":1,"b":2}"#, false);
        check(r#"{"a":1,"b":2,"a":1}"#, true);
        check(r#"{"a":1,"\u0061":1}"#, true);
        check(r#"{"\ud800":1,"\uD800":1}"#, true);
        check(r#"{"a":{"b":1,"b":2}}"#, false);
        check(r#"[{"a":1,"a":2}]"#, false);
        for count in [15, 16, 17, 18, 300] {
            let members: Vec<_> = (0..count).map(|name| format!("\"m{name}\":0")).collect();
            check(&format!("{{{}}}", members.join(",")), false);
            check(&format!("{{{},\"\\u006d0\":1}}", members.join(",")), true);
            let last = count - 1;
            check(&format!("{{{},\"\\u006d{last}\":1}}", members.join(",")), true);
        }
    }

    #[test]
    fn depth_counts_arrays_and_objects() {
        let check = |text, expected| assert_eq!(json(text).depth(), expected, "{text}");
        check("1", 0);
        check(r#""[[[""#, 0);
        check("[]", 1);
        check("[{}]", 2);
        check(r#"{"a":[1,[2]],"b":{}}"#, 3);
    }

    #[test]
    fn what_serde_json_refuses_is_found_at_any_depth() {
        let check = |text, surrogate, beyond| {
            assert_eq!(json(text).has_lone_surrogate(), surrogate, "{text}");
            assert_eq!(json(text).has_number_beyond_double(), beyond, "{text}");
        };
        check(r#"{"a":["\ud83d\ude00","\\ud800",1e308]}"#, false, false);
        check(r#"{"a":[{"b":"\ud800"}]}"#, true, false);
        check(r#"{"\udc00":1}"#, true, false);
        check(r#"[1,"1e999",{"a":-1E+999}]"#, false, true);
        check(r#"["\ud800\ud800",1e999]"#, true, true);
    }
}
