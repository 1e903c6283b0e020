//! JavaScript numbers become line numbers here, and only here.

use super::LineWindow;

/// How many lines `read` answers with when the caller does not say.
pub const DEFAULT_LIMIT: u64 = 500;

/// The 0-based line a caller means. Models send negative, fractional and absurd numbers; every number means
/// something: below zero and NaN are the first line, infinity lies behind every line.
///
/// ```
/// use deepfs_core::text::line_offset;
/// assert_eq!(line_offset(2.9), 2);
/// assert_eq!(line_offset(-3.0), 0);
/// assert_eq!(line_offset(f64::INFINITY), u64::MAX);
/// ```
#[must_use]
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "the cast saturates, drops the fraction and maps NaN to 0: exactly the rule"
)]
pub fn line_offset(value: f64) -> u64 {
    value as u64
}

/// The number of lines a caller wants; `None` is all of them (infinity). NaN is [`DEFAULT_LIMIT`], a negative
/// number is none.
///
/// ```
/// use deepfs_core::text::line_limit;
/// assert_eq!(line_limit(10.7), Some(10));
/// assert_eq!(line_limit(f64::NAN), Some(500));
/// assert_eq!(line_limit(f64::INFINITY), None);
/// ```
#[must_use]
pub fn line_limit(value: f64) -> Option<u64> {
    if value.is_nan() {
        return Some(DEFAULT_LIMIT);
    }
    (value != f64::INFINITY).then(|| line_offset(value))
}

/// The window of lines that a caller's two numbers mean.
#[must_use]
pub fn line_window(offset: f64, limit: f64) -> LineWindow {
    LineWindow { offset: line_offset(offset), limit: line_limit(limit) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn offsets() {
        let table = [
            (0.0, 0),
            (-0.0, 0),
            (-1.0, 0),
            (f64::NEG_INFINITY, 0),
            (f64::NAN, 0),
            (0.99, 0),
            (7.0, 7),
            (1e300, u64::MAX),
            (f64::INFINITY, u64::MAX),
        ];
        for (value, want) in table {
            assert_eq!(line_offset(value), want, "{value}");
        }
    }

    #[test]
    fn limits() {
        let table = [
            (0.0, Some(0)),
            (-5.0, Some(0)),
            (f64::NEG_INFINITY, Some(0)),
            (2.5, Some(2)),
            (1e300, Some(u64::MAX)),
            (f64::NAN, Some(500)),
            (f64::INFINITY, None),
        ];
        for (value, want) in table {
            assert_eq!(line_limit(value), want, "{value}");
        }
    }
}
