//! Measures text before any parser sees it: nesting, tokens, lengths. One pass, no recursion, no
//! allocation. Must not decide what a document means, only that it is small enough to be parsed.
//!
//! Every recursion of the GraphQL grammar (selection sets, list types, list and object values) opens a
//! bracket, and so does every recursion of JSON; bounding open brackets therefore bounds the parsers' stacks.

use super::refusal::Refusal;

/// The longest text of a request, in bytes (64 KiB), as document and as JSON body.
pub const MAX_BYTES: usize = 64 * 1024;
/// The most brackets that may be open at one place, in a document and in JSON.
pub const MAX_NESTING: u32 = 32;
/// The most tokens of a document. Commas, white space and comments are none.
pub const MAX_TOKENS: u32 = 4_000;
/// The longest name or number of a document, in bytes: error texts repeat names.
pub const MAX_WORD: usize = 64;

/// What a scan found.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Measure {
    /// Tokens in all.
    pub tokens: u32,
    /// The most brackets open at one place.
    pub nesting: u32,
}

/// Measures a GraphQL document.
///
/// An unterminated string is refused here: the parser would read its three quotes as an empty string and a
/// new beginning, and search the rest of the text again for each of them.
///
/// # Errors
/// Too large, too deep, or a string without an end.
pub fn document(text: &str) -> Result<Measure, Refusal> {
    let bytes = text.as_bytes();
    if bytes.len() > MAX_BYTES {
        return Err(Refusal::TooLarge);
    }
    let mut measure = Measure::default();
    let mut open = 0_u32;
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        let end = match byte {
            b' ' | b'\t' | b'\r' | b'\n' | b',' => {
                at += 1;
                continue;
            }
            // The byte order mark counts as white space.
            0xEF if bytes[at..].starts_with("\u{feff}".as_bytes()) => {
                at += 3;
                continue;
            }
            b'#' => {
                at = line_end(bytes, at);
                continue;
            }
            b'"' if bytes[at..].starts_with(b"\"\"\"") => block_end(bytes, at + 3)?,
            b'"' => string_end(bytes, at + 1)?,
            b'{' | b'[' | b'(' => {
                open += 1;
                measure.nesting = measure.nesting.max(open);
                if open > MAX_NESTING {
                    return Err(Refusal::TooDeep);
                }
                at + 1
            }
            b'}' | b']' | b')' => {
                // The parser stops at a bracket that closes nothing.
                open = open.saturating_sub(1);
                at + 1
            }
            b'.' if bytes[at..].starts_with(b"...") => at + 3,
            _ if is_word(byte) => {
                let end = word_end(bytes, at);
                if end - at > MAX_WORD {
                    return Err(Refusal::TooLarge);
                }
                end
            }
            _ => at + 1,
        };
        at = end;
        measure.tokens += 1;
        if measure.tokens > MAX_TOKENS {
            return Err(Refusal::TooLarge);
        }
    }
    Ok(measure)
}

/// Measures JSON text: size and nesting alone.
///
/// # Errors
/// Too large or too deep.
pub fn json(bytes: &[u8]) -> Result<(), Refusal> {
    if bytes.len() > MAX_BYTES {
        return Err(Refusal::TooLarge);
    }
    let mut open = 0_u32;
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        at += 1;
        match byte {
            b'{' | b'[' => {
                open += 1;
                if open > MAX_NESTING {
                    return Err(Refusal::TooDeep);
                }
            }
            b'}' | b']' => open = open.saturating_sub(1),
            b'"' => {
                while let Some(&inner) = bytes.get(at) {
                    at += 1;
                    match inner {
                        b'\\' => at += 1,
                        b'"' => break,
                        _ => {}
                    }
                }
            }
            _ => {}
        }
    }
    Ok(())
}

/// Letters, digits and what may stand inside a number.
const fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'+')
}

fn word_end(bytes: &[u8], from: usize) -> usize {
    let mut at = from + 1;
    while let Some(&byte) = bytes.get(at) {
        // A point continues a number, three points begin a spread.
        let fraction = byte == b'.' && !bytes[at..].starts_with(b"...");
        if !is_word(byte) && !fraction {
            break;
        }
        at += 1;
    }
    at
}

fn line_end(bytes: &[u8], from: usize) -> usize {
    bytes[from..]
        .iter()
        .position(|byte| matches!(byte, b'\r' | b'\n'))
        .map_or(bytes.len(), |length| from + length)
}

fn string_end(bytes: &[u8], mut at: usize) -> Result<usize, Refusal> {
    while let Some(&byte) = bytes.get(at) {
        match byte {
            b'"' => return Ok(at + 1),
            b'\r' | b'\n' => break,
            b'\\' => at += 2,
            _ => at += 1,
        }
    }
    Err(Refusal::Syntax { at: None })
}

fn block_end(bytes: &[u8], mut at: usize) -> Result<usize, Refusal> {
    while at < bytes.len() {
        if bytes[at..].starts_with(b"\\\"\"\"") {
            at += 4;
        } else if bytes[at..].starts_with(b"\"\"\"") {
            return Ok(at + 3);
        } else {
            at += 1;
        }
    }
    Err(Refusal::Syntax { at: None })
}
