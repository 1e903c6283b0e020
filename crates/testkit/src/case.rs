//! One corpus entry as data.

use base64::{Engine, engine::general_purpose::STANDARD};
use serde::Deserialize;
use serde_json::Value;
use std::{collections::BTreeMap, path::Path};

/// A corpus entry.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Case {
    /// Its name, the same as the fault's where it comes from one.
    pub key: String,
    /// What it is about, for a reader.
    pub about: String,
    /// The kind of fault it guards against, one row of the table of counts.
    #[serde(default = "other")]
    pub kind: String,
    /// Where it applies; empty: everywhere. Names of targets, or of groups: `disk`, `records`.
    #[serde(default)]
    pub only: Vec<String>,
    /// The name in `docs/COMPAT.md` of the intended difference it is about, for the differential run.
    #[serde(default)]
    pub differs: Option<String>,
    /// Options of the backend.
    #[serde(default)]
    pub options: BTreeMap<String, Value>,
    /// Files before the first call.
    #[serde(default)]
    pub files: BTreeMap<String, Content>,
    /// The calls, in order.
    pub steps: Vec<Step>,
    /// Files after the last call, whole: what is not named must not exist. `None`: not checked.
    #[serde(default)]
    pub after: Option<BTreeMap<String, Content>>,
}

fn other() -> String {
    "other".to_owned()
}

/// One call and what it answers.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Step {
    /// The method of the protocol.
    pub call: String,
    /// Its arguments; bytes are written `{"hex": …}` or `{"base64": …}`.
    pub args: Vec<Value>,
    /// The whole result, or a result for each dialect.
    pub result: Expected,
}

/// A result, the same everywhere or by dialect.
#[derive(Debug, Clone, Deserialize)]
#[serde(untagged)]
pub enum Expected {
    /// `{"disk": …, "state": …}`
    ByDialect {
        /// The disk backends.
        disk: Value,
        /// State and stores.
        state: Value,
    },
    /// The same everywhere.
    Same(Value),
}

impl Expected {
    /// The result in one dialect.
    #[must_use]
    pub fn of(&self, dialect: &str) -> &Value {
        match self {
            Self::ByDialect { disk, state } => {
                if dialect == "disk" {
                    disk
                } else {
                    state
                }
            }
            Self::Same(value) => value,
        }
    }
}

/// File content: text, or bytes spelt out.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(untagged)]
pub enum Content {
    /// UTF-8 text.
    Text(String),
    /// Hexadecimal, two digits a byte.
    Hex {
        /// The digits; blanks between bytes are allowed.
        hex: String,
    },
    /// Base64.
    Base64 {
        /// The text.
        base64: String,
    },
    /// A text repeated.
    Repeat {
        /// The text.
        repeat: String,
        /// How often.
        times: usize,
    },
}

impl Content {
    /// The bytes; an empty answer for spelling that is wrong, which the comparison then shows.
    #[must_use]
    pub fn bytes(&self) -> Vec<u8> {
        match self {
            Self::Text(text) => text.clone().into_bytes(),
            Self::Hex { hex } => from_hex(hex),
            Self::Base64 { base64 } => STANDARD.decode(base64).unwrap_or_default(),
            Self::Repeat { repeat, times } => repeat.repeat(*times).into_bytes(),
        }
    }
}

/// Bytes as the corpus spells them.
#[must_use]
pub fn to_hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn from_hex(hex: &str) -> Vec<u8> {
    let digits: Vec<u32> = hex.chars().filter_map(|digit| digit.to_digit(16)).collect();
    digits
        .chunks(2)
        .filter_map(|pair| u8::try_from(pair.iter().fold(0, |byte, digit| byte * 16 + digit)).ok())
        .collect()
}

/// Every case of a corpus folder (all `*.json` files whose top level is a list of cases), in the order of files.
///
/// # Errors
/// A file that can not be read or is no list of cases, with its name.
pub fn load(folder: &Path) -> Result<Vec<Case>, String> {
    let mut files: Vec<_> = std::fs::read_dir(folder)
        .map_err(|error| format!("{}: {error}", folder.display()))?
        .filter_map(|entry| entry.ok().map(|entry| entry.path()))
        .filter(|path| path.extension().is_some_and(|extension| extension == "json"))
        .collect();
    files.sort();
    let mut cases = Vec::new();
    for file in files {
        let text = std::fs::read_to_string(&file).map_err(|error| format!("{}: {error}", file.display()))?;
        let more: Vec<Case> =
            serde_json::from_str(&text).map_err(|error| format!("{}: {error}", file.display()))?;
        cases.extend(more);
    }
    Ok(cases)
}
