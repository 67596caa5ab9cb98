//! Numbers on the command line: read in one way, and a wrong one is told what it may be. An argument that takes them
//! says `allow_negative_numbers`, or a number below zero is taken for another argument.

use std::fmt::Display;
use std::ops::{Bound, RangeBounds};
use std::str::FromStr;

/// Reads a whole number of the range, which has a first number.
pub(super) fn whole<T>(
    range: impl RangeBounds<T> + Clone + Send + Sync + 'static,
) -> impl Fn(&str) -> Result<T, String> + Clone + Send + Sync + 'static
where
    T: FromStr + PartialOrd + Display,
{
    move |text| {
        let number = text.parse().ok().filter(|number| range.contains(number));
        number.ok_or_else(|| match (range.start_bound(), range.end_bound()) {
            (Bound::Included(least), Bound::Included(most)) => {
                format!("it must be a whole number from {least} to {most}")
            }
            (Bound::Included(least), _) => format!("it must be a whole number, {least} or more"),
            _ => "it must be a whole number".to_owned(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wrong_number_is_told_the_range() {
        let days = whole::<u16>(3..=9);
        assert_eq!((days("3"), days("9")), (Ok(3), Ok(9)));
        for odd in ["2", "10", "-1", "x", "", "3.5", "99999999999999999999"] {
            assert_eq!(days(odd), Err("it must be a whole number from 3 to 9".to_owned()), "{odd}");
        }
        assert_eq!(whole::<u64>(1..)("0"), Err("it must be a whole number, 1 or more".to_owned()));
    }
}
