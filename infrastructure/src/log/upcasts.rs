//! The table of old event shapes, each with the way to the next. Lines are added, never changed or removed.
//! See `codec` for the recipe.

/// One step from an old shape to the next.
pub(crate) struct Upcast {
    /// The old stored name.
    pub(crate) from: &'static str,
    /// The name of the shape that comes out.
    pub(crate) to: &'static str,
    /// Old payload text to new payload text; or what is wrong with the old, without any of the text.
    pub(crate) turn: fn(&str) -> Result<String, &'static str>,
}

/// No event has changed its shape yet.
pub(crate) const UPCASTS: &[Upcast] = &[];
