//! What somebody may have meant who wrote a name that does not exist.

/// The nearest of the names, at most `most` typing errors away and sharing at least half with the word.
pub(super) fn suggestion<'a>(word: &str, names: &'a [String], most: usize) -> Option<&'a str> {
    let near = names.iter().map(|name| (errors(word, name), name));
    let near = near.filter(|(errors, name)| *errors <= most && errors * 2 <= name.len());
    near.min_by_key(|(errors, _)| *errors).map(|(_, name)| name.as_str())
}

/// Letters that must be put in, taken out or changed.
fn errors(one: &str, other: &str) -> usize {
    let other: Vec<char> = other.chars().collect();
    let mut row: Vec<usize> = (0..=other.len()).collect();
    for (above, a) in one.chars().enumerate() {
        let mut corner = above;
        row[0] = above + 1;
        for (place, b) in other.iter().enumerate() {
            let change = corner + usize::from(a != *b);
            corner = row[place + 1];
            row[place + 1] = change.min(row[place] + 1).min(corner + 1);
        }
    }
    row[other.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_name_is_found_and_a_strange_one_is_not() {
        let names = ["http.listen", "ops.listen", "data"].map(str::to_owned);
        assert_eq!(errors("kitten", "sitting"), 3);
        assert_eq!(suggestion("http.lisen", &names, 4), Some("http.listen"));
        assert_eq!(suggestion("listen", &names, 4), Some("ops.listen"));
        assert_eq!(suggestion("dta", &names, 4), Some("data"));
        assert_eq!(suggestion("weather", &names, 4), None);
    }
}
