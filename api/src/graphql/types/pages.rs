//! Pages that go one way: the length that a client asks for, and what is told about a page. Must not know what
//! stands on it.

use super::actions::{MOST, PageInfo};
use crate::graphql::errors::coded;
use async_graphql::Error;

/// The length of a page of which the client says none.
const USUAL: u32 = 50;

/// How many items the client wants.
///
/// # Errors
/// A length outside 0…100.
pub fn length(first: Option<i32>) -> Result<u32, Error> {
    let Some(first) = first else { return Ok(USUAL) };
    let length = u32::try_from(first).ok().filter(|length| u64::from(*length) <= MOST);
    length.ok_or_else(|| coded("BAD_INPUT", "a page has 0 to 100 items"))
}

/// What a cursor names, by its own reader.
///
/// # Errors
/// The reader does not know it.
pub fn place<T>(
    cursor: Option<&str>,
    read: impl Fn(&str) -> Option<T>,
) -> Result<Option<T>, Error> {
    let wrong = || coded("BAD_INPUT", "this cursor is none of this list");
    cursor.map(|text| read(text).ok_or_else(wrong)).transpose()
}

/// Cuts a page off what was read with one item more than it holds, and says where it lies.
pub fn cut<T>(
    items: &mut Vec<T>,
    length: u32,
    has_previous_page: bool,
    cursor: impl Fn(&T) -> String,
) -> PageInfo {
    let has_next_page = items.len() > length as usize;
    items.truncate(length as usize);
    PageInfo {
        has_next_page,
        has_previous_page,
        start_cursor: items.first().map(&cursor),
        end_cursor: items.last().map(&cursor),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_has_a_length_and_knows_whether_more_follows() {
        assert_eq!((length(None).unwrap(), length(Some(0)).unwrap()), (50, 0));
        assert!(length(Some(101)).is_err() && length(Some(-1)).is_err());
        let mut items = vec![1, 2, 3];
        let info = cut(&mut items, 2, false, ToString::to_string);
        assert_eq!((&items[..], info.has_next_page), (&[1, 2][..], true));
        assert_eq!(info.end_cursor.as_deref(), Some("2"));
        let info = cut(&mut items, 2, true, ToString::to_string);
        assert!(!info.has_next_page && info.has_previous_page);
        let read = |text: &str| text.parse::<u8>().ok();
        assert_eq!(place(Some("7"), read).unwrap(), Some(7));
        assert!(place(Some("x"), read).is_err());
    }
}
