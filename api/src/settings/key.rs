//! What a setting is: its name, where it may be given, its default, what it may be. One declaration makes the
//! field of the tree, its documentation and its line in the table, so that they cannot differ.

use std::fmt;

/// How a value stands in the file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Form {
    /// As it is: numbers, true and false.
    Plain,
    /// Between quotes.
    Text,
    /// A list of texts.
    List,
}

impl Form {
    /// Whether a value that stands so may be given.
    pub fn takes(self, given: Self) -> bool {
        // One text is a list of one, or of several between commas.
        self == given || (self, given) == (Self::List, Self::Text)
    }
}

impl fmt::Display for Form {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Plain => "a number, true or false, without quotes",
            Self::Text => "a text, between quotes",
            Self::List => "a list of texts: [\"…\", \"…\"]",
        })
    }
}

/// A type of values.
pub trait Kind: Sized {
    /// What is allowed, for a person.
    const ALLOWED: &'static str;
    /// Must not be shown.
    const SECRET: bool = false;
    /// How it stands in the file.
    const FORM: Form = Form::Text;

    /// Reads a value; `None` when it is not allowed.
    fn read(text: &str) -> Option<Self>;
}

/// One line of the table.
pub struct Key {
    /// The section, empty at the top.
    pub section: &'static str,
    /// The name in its section.
    pub field: &'static str,
    /// The value where none is given.
    pub default: &'static str,
    /// The environment variable, where its name does not follow from the key's.
    pub variable: Option<&'static str>,
    /// What it is for.
    pub doc: &'static [&'static str],
    /// What is allowed.
    pub allowed: &'static str,
    /// Must not be shown.
    pub secret: bool,
    /// How it stands in the file.
    pub form: Form,
}

/// A section with its keys.
pub struct Section {
    /// Its name, empty for the top.
    pub name: &'static str,
    /// What it is about.
    pub doc: &'static [&'static str],
    /// Its keys.
    pub keys: &'static [Key],
}

impl Key {
    /// The whole name, for instance `http.listen`.
    pub fn name(&self) -> String {
        name_of(self.section, self.field)
    }

    /// The environment variable.
    pub fn variable(&self) -> String {
        self.variable.map_or_else(|| self.whole_variable(), str::to_owned)
    }

    /// The variable's name as it follows from the key's; where the key has a shorter one, it is none.
    pub(super) fn whole_variable(&self) -> String {
        format!("YIBU_{}", self.name().replace('.', "_").to_ascii_uppercase())
    }
}

/// The whole name of a field in a section.
pub(super) fn name_of(section: &str, field: &str) -> String {
    if section.is_empty() { field.to_owned() } else { format!("{section}.{field}") }
}

/// Declares a section: the struct, the table, and how the one is read by the other.
macro_rules! section {
    (@variable) => { None };
    (@variable $variable:literal) => { Some($variable) };
    ($(#[doc = $about:literal])+ $name:ident in $section:literal {
        $($(#[doc = $doc:literal])+ $field:ident: $kind:ty = $default:literal $(as $variable:literal)?;)+
    }) => {
        $(#[doc = $about])+
        #[derive(Clone, Debug)]
        pub struct $name {
            $($(#[doc = $doc])+ pub $field: $kind,)+
        }

        impl $name {
            /// The section's lines of the table.
            pub const SECTION: $crate::settings::key::Section = $crate::settings::key::Section {
                name: $section,
                doc: &[$($about),+],
                keys: &[$($crate::settings::key::Key {
                    section: $section,
                    field: stringify!($field),
                    default: $default,
                    variable: section!(@variable $($variable)?),
                    doc: &[$($doc),+],
                    allowed: <$kind as $crate::settings::key::Kind>::ALLOWED,
                    secret: <$kind as $crate::settings::key::Kind>::SECRET,
                    form: <$kind as $crate::settings::key::Kind>::FORM,
                }),+],
            };

            /// Reads the section; what is not allowed is noted.
            pub(in $crate::settings) fn read(
                values: &$crate::settings::values::Values,
                problems: &mut Vec<String>,
            ) -> Option<Self> {
                $(let $field = values.read::<$kind>($section, stringify!($field), $default, problems);)+
                Some(Self { $($field: $field?),+ })
            }
        }
    };
}

pub(super) use section;
