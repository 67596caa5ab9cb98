//! The annotated example file, made from the table so that it cannot be out of date.

use super::SECTIONS;
use super::key::{Form, Key, Section};

/// The text of the example file: every setting with its meaning, commented out at its default.
pub fn example() -> String {
    let mut text = String::from(
        "# Settings of Yibu, for `yibu serve --config FILE` or YIBU_CONFIG.\n\
         # Each line shows its default. The environment overrides this file, the command line overrides both;\n\
         # `yibu settings` shows what holds and why. Made by `yibu settings --example`.\n",
    );
    for section in SECTIONS {
        add_section(&mut text, section);
    }
    text
}

fn add_section(text: &mut String, section: &Section) {
    text.push('\n');
    comment(text, section.doc);
    if !section.name.is_empty() {
        text.push_str(&format!("[{}]\n", section.name));
    }
    for key in section.keys {
        text.push('\n');
        comment(text, key.doc);
        text.push_str(&format!("# Allowed: {}. Environment: {}.\n", key.allowed, key.variable()));
        text.push_str(&format!("#{} = {}\n", key.field, literal(key)));
    }
}

fn comment(text: &mut String, lines: &[&str]) {
    for line in lines {
        text.push_str(&format!("# {}\n", line.trim()));
    }
}

fn literal(key: &Key) -> String {
    match key.form {
        Form::Plain => key.default.to_owned(),
        Form::Text => format!("{:?}", key.default),
        Form::List => "[]".to_owned(),
    }
}
