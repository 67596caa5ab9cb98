//! What the suites share: a private server per test, clocks that tests turn, builders. Holds no assertion about the product.
