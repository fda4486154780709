//! Exact decimal values of any size.

use std::fmt;

/// The value of a number: `whole` and `fraction`, taken together as one run of digits
/// that neither starts nor ends with a zero, times ten to the power of `exponent`.
///
/// Zero has no digits.
#[derive(Clone, Copy)]
pub(super) struct Decimal<'a> {
    negative: bool,
    whole: &'a str,
    fraction: &'a str,
    exponent: Exponent<'a>,
}

impl<'a> Decimal<'a> {
    /// The longest number that is written in full although it has zeros to leave away.
    const WRITTEN_IN_FULL: i64 = 40;

    /// From the text of a valid number.
    pub(super) fn new(text: &'a str) -> Decimal<'a> {
        let (negative, text) = strip_sign(text);
        let (mantissa, exponent) = text.split_once(['e', 'E']).unwrap_or((text, ""));
        let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));

        let whole = whole.trim_start_matches('0');
        let fraction = fraction.trim_end_matches('0');
        let mut shift = -(fraction.len() as i64);
        let mut significant = Decimal { negative, whole, fraction, exponent: Exponent::default() };
        if fraction.is_empty() {
            significant.whole = whole.trim_end_matches('0');
            shift += (whole.len() - significant.whole.len()) as i64;
        }
        if whole.is_empty() {
            significant.fraction = fraction.trim_start_matches('0');
        }
        if significant.is_zero() {
            significant.negative = false;
        } else {
            significant.exponent = Exponent::new(exponent, shift);
        }
        significant
    }

    pub(super) fn is_integral(&self) -> bool {
        !self.exponent.is_negative()
    }

    /// The value if it is an integer of at most 20 digits, which covers 64 bits.
    pub(super) fn as_integer(&self) -> Option<i128> {
        let zeros = u32::try_from(self.exponent.small()?).ok()?;
        if self.len() + zeros as usize > 20 {
            return None;
        }
        let digits = self.digits().fold(0, |value, digit| value * 10 + i128::from(digit - b'0'));
        let magnitude = digits * 10i128.pow(zeros);
        Some(if self.negative { -magnitude } else { magnitude })
    }

    fn is_zero(&self) -> bool {
        self.len() == 0
    }

    /// How many digits are significant.
    fn len(&self) -> usize {
        self.whole.len() + self.fraction.len()
    }

    fn digits(&self) -> impl Iterator<Item = u8> + use<'a> {
        self.whole.bytes().chain(self.fraction.bytes())
    }
}

impl PartialEq for Decimal<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.negative == other.negative
            && self.len() == other.len()
            && self.digits().eq(other.digits())
            && self.exponent == other.exponent
    }
}

/// Writes equal values alike and different values differently.
impl fmt::Display for Decimal<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_zero() {
            return f.write_str("0");
        }
        if self.negative {
            f.write_str("-")?;
        }
        let len = self.len() as i64;
        match self.exponent.small() {
            Some(0) => write!(f, "{}{}", self.whole, self.fraction),
            Some(zeros) if zeros > 0 && len + zeros <= Self::WRITTEN_IN_FULL => {
                write!(f, "{}{}{}", self.whole, self.fraction, "0".repeat(zeros as usize))
            }
            Some(exponent) if exponent < 0 && -exponent <= Self::WRITTEN_IN_FULL => {
                let places = -exponent as usize;
                let digits = format!("{}{}", self.whole, self.fraction);
                // At least one digit before the point.
                let digits = format!("{digits:0>width$}", width = places + 1);
                let (whole, fraction) = digits.split_at(digits.len() - places);
                write!(f, "{whole}.{fraction}")
            }
            _ => write!(f, "{}{}e{}", self.whole, self.fraction, self.exponent.sum()),
        }
    }
}

/// The exponent as written, without a plus or leading zeros, and what is to be added
/// to it. That is less than the length of a line, so nothing here is near 2^63.
#[derive(Clone, Copy, Default)]
struct Exponent<'a> {
    negative: bool,
    digits: &'a str,
    shift: i64,
}

impl<'a> Exponent<'a> {
    /// More digits than these are not added up as integers.
    const SMALL_DIGITS: usize = 18;

    fn new(text: &'a str, shift: i64) -> Exponent<'a> {
        let (negative, digits) = strip_sign(text);
        Exponent { negative, digits: digits.trim_start_matches('0'), shift }
    }

    /// The sum, unless what is written has more than 18 digits.
    fn small(&self) -> Option<i64> {
        if self.digits.len() > Self::SMALL_DIGITS {
            return None;
        }
        let magnitude =
            self.digits.bytes().fold(0, |sum, digit| sum * 10 + i64::from(digit - b'0'));
        Some(self.shift + if self.negative { -magnitude } else { magnitude })
    }

    fn is_negative(&self) -> bool {
        self.small().map_or(self.negative, |sum| sum < 0)
    }

    /// The sum, of any length, in its shortest decimal form.
    fn sum(&self) -> String {
        if let Some(sum) = self.small() {
            return sum.to_string();
        }
        // What is written outweighs the shift, and so decides the sign.
        let mut digits = self.digits.as_bytes().to_vec();
        let mut carry = if self.negative { -self.shift } else { self.shift };
        for digit in digits.iter_mut().rev() {
            let sum = i64::from(*digit - b'0') + carry;
            *digit = b'0' + sum.rem_euclid(10) as u8;
            carry = sum.div_euclid(10);
        }
        let sign = if self.negative { "-" } else { "" };
        let more = if carry > 0 { carry.to_string() } else { String::new() };
        let digits: String = digits.into_iter().map(char::from).collect();
        format!("{sign}{}", format!("{more}{digits}").trim_start_matches('0'))
    }
}

impl PartialEq for Exponent<'_> {
    fn eq(&self, other: &Self) -> bool {
        match (self.small(), other.small()) {
            (Some(sum), Some(other)) => sum == other,
            _ => self.sum() == other.sum(),
        }
    }
}

/// Takes a leading sign away; true if it is a minus.
fn strip_sign(text: &str) -> (bool, &str) {
    match text.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    }
}

#[cfg(test)]
mod tests {
    use super::Decimal;

    #[test]
    fn numbers_of_one_value_are_written_alike() {
        let check = |texts: &[&str], expected: &str| {
            for text in texts {
                assert_eq!(Decimal::new(text).to_string(), expected, "{text}");
            }
        };
        check(&["0", "-0", "0.0", "0e5", "-0.000e-9", "0e99999999999999999999999"], "0");
        check(&["1", "1.0", "1e0", "1E+0", "10e-1", "0.1e1", "100e-2", "0.001e3", "1e-0"], "1");
        check(&["-10", "-1e1", "-1.0e01", "-0.1E2", "-100e-1"], "-10");
        check(&["1.5", "15e-1", "0.15e1", "1.50"], "1.5");
        check(&["0.001", "1e-3", "0.01e-1"], "0.001");
        check(&["12.5", "125e-1", "0.00125e4"], "12.5");
        check(&["9007199254740993", "9007199254740993.0"], "9007199254740993");
        check(&["18446744073709551616", "1844674407370955161.6e1"], "18446744073709551616");
        check(&["1e400", "10e399", "0.1e401", "1.000e+0400"], "1e400");
        check(&["12e-400", "1.2e-399", "120e-401"], "12e-400");
        check(&["1e-40"], &format!("0.{}1", "0".repeat(39)));
        check(&["1e-41", "0.1e-40"], "1e-41");
        check(&["1e39"], &format!("1{}", "0".repeat(39)));
        check(&["1e40", "10e39"], "1e40");
        check(&[&"7".repeat(100)], &"7".repeat(100));
        check(&[&format!("{}0", "7".repeat(100))], &format!("{}e1", "7".repeat(100)));
    }

    #[test]
    fn exponents_longer_than_any_integer_are_exact() {
        let check = |texts: &[&str], expected: &str| {
            for text in texts {
                assert_eq!(Decimal::new(text).to_string(), expected, "{text}");
                assert!(Decimal::new(text) == Decimal::new(expected), "{text}");
            }
        };
        let nines = "9".repeat(50);
        let power = format!("1{}", "0".repeat(50));
        check(&[&format!("0.1e{power}"), &format!("1e{nines}")], &format!("1e{nines}"));
        check(&[&format!("10e{nines}"), &format!("1e0{power}")], &format!("1e{power}"));
        check(&[&format!("0.1e-{nines}"), &format!("1e-{power}")], &format!("1e-{power}"));
        check(&[&format!("-10e-{power}")], &format!("-1e-{nines}"));
        // Across the border between the two ways of adding.
        check(&["0.1e1000000000000000000", "1e999999999999999999"], "1e999999999999999999");
        check(&["10e999999999999999999", "1e1000000000000000000"], "1e1000000000000000000");
        check(&["1000e-1000000000000000001"], "1e-999999999999999998");
    }

    #[test]
    fn different_values_are_told_apart() {
        let values = [
            "0",
            "1",
            "-1",
            "10",
            "1.5",
            "-1.5",
            "15",
            "0.1",
            "0.15",
            "9007199254740992",
            "9007199254740993",
            "1e400",
            "1e401",
            "1e-400",
            "-1e400",
            "1e99999999999999999999",
            "1e-99999999999999999999",
            "1e99999999999999999998",
            "101",
            "1001",
        ];
        for (index, left) in values.iter().enumerate() {
            for (other_index, right) in values.iter().enumerate() {
                let (left, right) = (Decimal::new(left), Decimal::new(right));
                assert_eq!(left == right, index == other_index, "{left} {right}");
                assert_eq!(left.to_string() == right.to_string(), index == other_index);
            }
        }
    }
}
