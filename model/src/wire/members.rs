//! What an object or array holds, in order.

use std::iter::FusedIterator;

use super::walk::{blank_end, string_end, value_end};
use super::{Json, Text};

/// The members of an object as pairs of name and value, from [`Json::members`].
#[derive(Clone, Debug)]
pub struct Members<'a> {
    items: Items<'a>,
}

/// The elements of an array, from [`Json::elements`].
#[derive(Clone, Debug)]
pub struct Elements<'a> {
    items: Items<'a>,
}

impl<'a> Members<'a> {
    /// From the text of a valid object.
    pub(super) fn new(text: &'a str) -> Members<'a> {
        Members { items: Items { text, at: 1 } }
    }
}

impl<'a> Elements<'a> {
    /// From the text of a valid array.
    pub(super) fn new(text: &'a str) -> Elements<'a> {
        Elements { items: Items { text, at: 1 } }
    }
}

impl<'a> Iterator for Members<'a> {
    type Item = (Text<'a>, Json<'a>);

    fn next(&mut self) -> Option<(Text<'a>, Json<'a>)> {
        let name = Text::quoted(self.items.next(string_end)?);
        let value = self.items.next(value_end)?;
        Some((name, Json::new(value)))
    }
}

impl<'a> Iterator for Elements<'a> {
    type Item = Json<'a>;

    fn next(&mut self) -> Option<Json<'a>> {
        self.items.next(value_end).map(Json::new)
    }
}

impl FusedIterator for Members<'_> {}
impl FusedIterator for Elements<'_> {}

/// Names and values alike: whatever stands between punctuation.
#[derive(Clone, Debug)]
struct Items<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Items<'a> {
    /// The next item, whose end `item_end` finds, or `None` at the closing bracket.
    fn next(&mut self, item_end: impl Fn(&[u8], usize) -> usize) -> Option<&'a str> {
        let bytes = self.text.as_bytes();
        let mut start = blank_end(bytes, self.at);
        if let b',' | b':' = bytes[start] {
            start = blank_end(bytes, start + 1);
        }
        if let b']' | b'}' = bytes[start] {
            return None;
        }
        self.at = item_end(bytes, start);
        Some(&self.text[start..self.at])
    }
}

#[cfg(test)]
mod tests {
    use super::super::parse;

    #[test]
    fn members_come_in_order_with_duplicates() {
        let check = |json: &str, expected: &[(&str, &str)]| {
            let json = parse(json.as_bytes()).unwrap();
            let members: Vec<_> =
                json.members().unwrap().map(|(name, value)| (name.raw(), value.text())).collect();
            assert_eq!(members, expected);
        };
        check("{}", &[]);
        check("{ \r\n}", &[]);
        check(r#"{"a":1}"#, &[("a", "1")]);
        check(
            r#"{ "b" : [1, {"x":2}] , "a":"}\"," ,"b":-0.5e1, "":{}}"#,
            &[("b", r#"[1, {"x":2}]"#), ("a", r#""}\",""#), ("b", "-0.5e1"), ("", "{}")],
        );
        check(r#"{":":",",",":":"}"#, &[(":", r#"",""#), (",", r#"":""#)]);
    }

    #[test]
    fn elements_come_in_order() {
        let check = |json: &str, expected: &[&str]| {
            let json = parse(json.as_bytes()).unwrap();
            let mut elements = json.elements().unwrap();
            let texts: Vec<_> = elements.by_ref().map(|element| element.text()).collect();
            assert_eq!(texts, expected);
            assert!(elements.next().is_none(), "it stays over");
        };
        check("[]", &[]);
        check("[\t]", &[]);
        check("[1]", &["1"]);
        check(
            r#"[ null,true , "a,]", [[],[1,2]],{"a":[]} ,1.5]"#,
            &["null", "true", r#""a,]""#, "[[],[1,2]]", r#"{"a":[]}"#, "1.5"],
        );
    }
}
