//! Whole results against the expected ones.

use serde_json::Value;

/// The text that stands for any ISO 8601 time.
const ANY_TIME: &str = "<time>";
/// The text that stands for any text.
const ANY_TEXT: &str = "<text>";

/// Where two results differ, as a path into them and the two values; `None` when they agree. In the expected value the text
/// `<time>` stands for any ISO time and `<text>` for any text; all else is exact.
#[must_use]
pub fn difference(expected: &Value, actual: &Value) -> Option<String> {
    walk("result", expected, actual)
}

fn walk(place: &str, expected: &Value, actual: &Value) -> Option<String> {
    match (expected, actual) {
        (Value::String(any), Value::String(_)) if any == ANY_TEXT => None,
        (Value::String(any), Value::String(time)) if any == ANY_TIME => {
            (!is_iso(time)).then(|| format!("{place}: expected a time, got {time:?}"))
        }
        (Value::Object(want), Value::Object(got)) => {
            let missing = want.keys().find(|key| !got.contains_key(*key));
            let extra = got.keys().find(|key| !want.contains_key(*key));
            if let Some(key) = missing {
                return Some(format!("{place}.{key}: missing; got {actual}"));
            }
            if let Some(key) = extra {
                return Some(format!("{place}.{key}: not expected; got {actual}"));
            }
            want.iter().find_map(|(key, value)| walk(&format!("{place}.{key}"), value, got.get(key)?))
        }
        (Value::Array(want), Value::Array(got)) if want.len() == got.len() => want
            .iter()
            .zip(got)
            .enumerate()
            .find_map(|(at, (value, got))| walk(&format!("{place}[{at}]"), value, got)),
        _ => (!equal(expected, actual)).then(|| format!("{place}: expected {expected}, got {actual}")),
    }
}

/// Numbers are equal by value: `1` and `1.0` are one number in JavaScript.
fn equal(expected: &Value, actual: &Value) -> bool {
    expected == actual
        || matches!((expected.as_f64(), actual.as_f64()), (Some(one), Some(other)) if (one - other).abs() < f64::EPSILON)
}

fn is_iso(text: &str) -> bool {
    let bytes = text.as_bytes();
    bytes.len() == 24 && bytes.get(10) == Some(&b'T') && bytes.last() == Some(&b'Z')
}
