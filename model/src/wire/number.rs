//! Numbers as written, and their exact values.

use super::decimal::Decimal;

/// A JSON number as written. Nothing here goes through a floating-point number, except
/// the question whether one could hold it.
///
/// ```
/// use acp_model::wire::{Number, parse};
///
/// let number = |text: &'static str| parse(text.as_bytes()).unwrap().as_number().unwrap();
/// assert_eq!(number("9007199254740993").as_i64(), Some(9007199254740993));
/// assert!(number("1.0").same_value(number("10e-1")));
/// assert!(number("1e400").is_integral() && !number("1e400").fits_i64());
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Number<'a> {
    text: &'a str,
}

impl<'a> Number<'a> {
    /// From valid text.
    pub(super) fn new(text: &'a str) -> Number<'a> {
        Number { text }
    }

    /// As written.
    pub fn text(&self) -> &'a str {
        self.text
    }

    /// Whether it is written with a fraction or an exponent, as `1.0` and `1e0` are
    /// (RPC-21).
    pub fn has_fraction_or_exponent(&self) -> bool {
        self.text.contains(['.', 'e', 'E'])
    }

    /// Whether the value is an integer: so are `1.0`, `10e-1` and `1e400`, not `1.5`
    /// (RPC-20). Takes time in the length of the text, not in the value.
    pub fn is_integral(&self) -> bool {
        !self.has_fraction_or_exponent() || Decimal::new(self.text).is_integral()
    }

    /// The value if it is an integer in this range, however it is written.
    pub fn as_i64(&self) -> Option<i64> {
        self.as_integer()
    }

    /// The value if it is an integer in this range, however it is written.
    pub fn as_u64(&self) -> Option<u64> {
        self.as_integer()
    }

    /// The value if it is an integer in this range, however it is written. ACP's
    /// protocol version is one.
    pub fn as_u16(&self) -> Option<u16> {
        self.as_integer()
    }

    /// Whether the value is an integer of 64 bits with sign, as ACP's ids and JSON-RPC's
    /// codes are (RPC-22).
    pub fn fits_i64(&self) -> bool {
        self.as_i64().is_some()
    }

    /// Whether the double nearest to it is infinite, as for `1e400`.
    pub fn exceeds_double(&self) -> bool {
        // The greatest double has 309 digits.
        let may_exceed = self.text.len() >= 309 || self.text.contains(['e', 'E']);
        may_exceed && self.text.parse::<f64>().is_ok_and(f64::is_infinite)
    }

    /// Whether both have exactly the same value, of any size; `-0` is `0` (RPC-01).
    pub fn same_value(&self, other: Number<'_>) -> bool {
        self.text == other.text || Decimal::new(self.text) == Decimal::new(other.text)
    }

    /// The one way of writing this value that all numbers of the same value share, and
    /// no others: in full where that is at most 40 digits or as long as what is
    /// significant (`10`, `-1.5`), else the significant digits and an exponent
    /// (`1e400`, `12e-77`).
    pub fn canonical(&self) -> String {
        Decimal::new(self.text).to_string()
    }

    fn as_integer<T: std::str::FromStr + TryFrom<i128>>(&self) -> Option<T> {
        match self.text.parse() {
            Ok(integer) => Some(integer),
            // Written in another way, -0 for a type without sign, or out of range.
            Err(_) => Decimal::new(self.text).as_integer()?.try_into().ok(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::parse;
    use super::Number;

    fn number(text: &str) -> Number<'_> {
        parse(text.as_bytes()).unwrap().as_number().unwrap()
    }

    #[test]
    fn integers_are_read_by_value() {
        let check = |text, expected_i64, expected_u64| {
            let number = number(text);
            assert_eq!(number.as_i64(), expected_i64, "{text}");
            assert_eq!(number.as_u64(), expected_u64, "{text}");
            assert_eq!(number.fits_i64(), expected_i64.is_some(), "{text}");
            let expected_u16 = expected_u64.and_then(|value| u16::try_from(value).ok());
            assert_eq!(number.as_u16(), expected_u16, "{text}");
        };
        check("0", Some(0), Some(0));
        check("-0", Some(0), Some(0));
        check("-0.0e7", Some(0), Some(0));
        check("1", Some(1), Some(1));
        check("1.0", Some(1), Some(1));
        check("1e0", Some(1), Some(1));
        check("100e-2", Some(1), Some(1));
        check("0.001E+3", Some(1), Some(1));
        check("65535", Some(65535), Some(65535));
        check("65536", Some(65536), Some(65536));
        check("9007199254740993", Some(9007199254740993), Some(9007199254740993));
        check("9223372036854775807", Some(i64::MAX), Some(i64::MAX as u64));
        check("9223372036854775807.0", Some(i64::MAX), Some(i64::MAX as u64));
        check("9223372036854775808", None, Some(1 << 63));
        check("-9223372036854775808", Some(i64::MIN), None);
        check("-9223372036854775808.00", Some(i64::MIN), None);
        check("-9223372036854775809", None, None);
        check("18446744073709551615", None, Some(u64::MAX));
        check("1844674407370955161.5e1", None, Some(u64::MAX));
        check("18446744073709551616", None, None);
        check("1e18", Some(10i64.pow(18)), Some(10u64.pow(18)));
        check("1e19", None, Some(10u64.pow(19)));
        check("1e20", None, None);
        check("1.5", None, None);
        check("1e-1", None, None);
        check("1e400", None, None);
        check("1e-400", None, None);
        check("1e99999999999999999999999999999999999999999", None, None);
        check("10e-99999999999999999999999999999999999999999", None, None);
        check("0e99999999999999999999999999999999999999999", Some(0), Some(0));
    }

    #[test]
    fn integral_is_by_value_and_fraction_is_as_written() {
        let check = |text, integral, written_with_either| {
            assert_eq!(number(text).is_integral(), integral, "{text}");
            assert_eq!(number(text).has_fraction_or_exponent(), written_with_either, "{text}");
        };
        check("7", true, false);
        check("-7", true, false);
        check("1.0", true, true);
        check("1e0", true, true);
        check("10e-1", true, true);
        check("10e-2", false, true);
        check("1.5", false, true);
        check("1.50e1", true, true);
        check("1e400", true, true);
        check("1e-400", false, true);
        check("1E999999999", true, true);
        check("1E-999999999", false, true);
        check("1e99999999999999999999999999999999999999999", true, true);
        check("1000e-99999999999999999999999999999999999999999", false, true);
        check("0.000e-99999999999999999999999999999999999999999", true, true);
    }

    #[test]
    fn a_double_holds_what_it_can_round() {
        let check = |text: &str, expected| {
            assert_eq!(number(text).exceeds_double(), expected, "{text}");
        };
        check("0", false);
        check("1.7976931348623157e308", false);
        check("1.7976931348623158e308", false);
        check("1.7976931348623159e308", true);
        check("-1e309", true);
        check("1e400", true);
        check("1e-400", false);
        check("0e400", false);
        check("0.00001e310", false);
        check("1e99999999999999999999999999999999999999999", true);
        check("1e-99999999999999999999999999999999999999999", false);
        check(&"9".repeat(308), false);
        check(&"9".repeat(309), true);
        check(&format!("0.{}", "9".repeat(400)), false);
    }
}
