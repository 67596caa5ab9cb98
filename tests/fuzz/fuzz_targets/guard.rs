//! Any bytes as a document, as a JSON body and as a web socket message: the guard answers, never breaks,
//! and never works long.
#![no_main]

use libfuzzer_sys::fuzz_target;
use yibu_api::graphql::guard::{Parameters, admit, read_json};
use yibu_api::http::graphql_ws::protocol;

fuzz_target!(|bytes: &[u8]| {
    let check = |parameters: Parameters| {
        if let Ok(admitted) = admit(parameters) {
            assert!(admitted.work <= 40_000, "{} steps", admitted.work);
        }
    };
    if let Ok(parameters) = read_json(bytes) {
        check(parameters);
    }
    if let Ok(text) = std::str::from_utf8(bytes) {
        check(Parameters { query: text.to_owned(), ..Parameters::default() });
        let _ = protocol::read(text);
    }
});
