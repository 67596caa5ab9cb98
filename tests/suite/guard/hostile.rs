//! The attacks that are known, and that none of them costs much.

use super::{admit, admit_with, code};
use crate::doors::toy;
use serde_json::json;
use yibu_api::graphql::guard::lexical::MAX_NESTING;

/// More than any admitted document makes the guard look at; a document has at most 4,000 tokens.
const MOST_WORK: u64 = 40_000;

/// Runs on the stack of an ordinary worker thread.
fn on_small_stack<T: Send + 'static>(run: impl FnOnce() -> T + Send + 'static) -> T {
    let thread = std::thread::Builder::new().stack_size(2 * 1024 * 1024).spawn(run);
    thread.expect("a thread").join().expect("no panic")
}

#[test]
fn thousands_of_open_brackets() {
    on_small_stack(|| {
        for part in ["[", "{a:", "{a", "(", "{", "...{", "{a(x:[{b:", "@a(x:["] {
            for start in ["", "{a(x:", "query($v:", "query($v:Int=", "{a @d(x:", "fragment F on X "]
            {
                for count in [MAX_NESTING as usize + 1, 2_000, 10_000] {
                    let text = format!("{start}{}", part.repeat(count));
                    let code = code(&text);
                    assert!(
                        matches!(code, "REQUEST_TOO_DEEP" | "REQUEST_TOO_LARGE"),
                        "{part} {code}"
                    );
                }
            }
        }
    });
}

#[test]
fn the_deepest_admitted_documents_fit_on_a_small_stack() {
    on_small_stack(|| {
        let runtime = tokio::runtime::Builder::new_current_thread().build().expect("a runtime");
        for (open, close, start, end) in [
            ("[", "]", "{node{b(x:", ")}}"),
            ("{a:", "}", "{node{b(x:", ")}}"),
            ("{a:[", "]}", "{node{b(x:", ")}}"),
            ("[", "]", "query($v:Int=", "){hello}"),
            ("[", "]", "query($v:", "){hello}"),
            ("...{", "}", "{", "}"),
            ("...on Node{", "}", "{node{", "}}"),
            ("a{", "}", "{node{", "}}"),
        ] {
            for count in 1..=MAX_NESTING as usize {
                let inside = if open.ends_with('{') { "a{b}" } else { "1" };
                let inside = if start.ends_with("$v:") { "Int" } else { inside };
                let text =
                    format!("{start}{}{inside}{}{end}", open.repeat(count), close.repeat(count));
                if let Ok(admitted) = admit(&text) {
                    runtime.block_on(toy::schema().execute(admitted.request));
                }
            }
        }
    });
}

#[test]
fn doubling_fragments_cost_nothing() {
    for levels in 1..=39 {
        let links: String =
            (0..levels).map(|n| format!("fragment F{n} on Q{{...F{0} ...F{0}}}", n + 1)).collect();
        let text = format!("{{...F0}}{links}fragment F{levels} on Q{{a}}");
        match admit(&text) {
            Ok(admitted) => assert!(admitted.work <= MOST_WORK && levels < 10, "{}", admitted.work),
            Err(refusal) => {
                assert!(
                    matches!(refusal.code(), "REQUEST_TOO_COMPLEX" | "REQUEST_TOO_DEEP"),
                    "{refusal}"
                );
            }
        }
    }
}

#[test]
fn strings_that_do_not_end() {
    // Each `"""` of these makes a naive reader search to the end of the text.
    let text = format!("{{a(x:[{}", "\"\\\\\"\"\"".repeat(10_000));
    assert!(matches!(code(&text), "REQUEST_SYNTAX" | "REQUEST_TOO_LARGE"));
    for text in ["{a(x:\"", "{a(x:\"\\", "{a(x:\"\"\"", "{a(x:\"\"\"\\\"\"\"", "{a(x:\"\n\")}"] {
        assert_eq!(code(text), "REQUEST_SYNTAX", "{text}");
    }
}

#[tokio::test]
async fn floods_of_small_things() {
    let pairs = |count: usize| (0..count).map(|n| format!("a{n}:__typename ")).collect::<String>();
    assert_eq!(code(&format!("{{{}}}", pairs(1_300))), "REQUEST_TOO_COMPLEX");
    assert_eq!(code(&format!("query {} {{hello}}", "@a".repeat(1_900))), "REQUEST_TOO_COMPLEX");
    assert_eq!(code(&format!("{{{}}}", "a:hello a:node ".repeat(600))), "REQUEST_TOO_COMPLEX");
    assert_eq!(code(&format!("{{node{{{}}}}}", "a:b a:a ".repeat(25))), "REQUEST_INVALID");
    let refused = admit_with("query($v:[Int]){node{b(x:$v)}}", json!({"v": vec![0; 30_000]}));
    assert_eq!(refused.map_err(|refusal| refusal.code()).err(), Some("REQUEST_TOO_COMPLEX"));
    // As many unknown fields with long names as get through: the engine compares each with all known ones.
    let names: String = (0..990).map(|n| format!("{}{n:04} ", "x".repeat(55))).collect();
    let admitted = admit(&format!("{{node{{{names}}}}}")).expect("within the limits");
    assert!(admitted.work <= MOST_WORK);
    let answer = toy::bare().execute(admitted.request).await;
    assert_eq!(answer.errors.len(), 990);
}

#[test]
fn the_most_work_of_nested_fragments() {
    // Inline fragments inside each other are looked at once for each selection set around them.
    let fields = "a ".repeat(900);
    let admitted = admit(&format!("{{r{{{}{fields}{}}}}}", "...{".repeat(29), "}".repeat(29)))
        .expect("deep enough");
    assert!(admitted.work <= MOST_WORK, "{}", admitted.work);
}
