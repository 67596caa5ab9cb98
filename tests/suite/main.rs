//! The one test binary: every suite is a module of it.
