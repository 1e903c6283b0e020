//! What micromatch and fast-glob answer, recorded by `tests/differential/glob-oracle.mjs`.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "tests")]

use super::{Glob, GlobOptions};
use serde_json::Value;

const CORPUS: &str = include_str!("../../../../../tests/corpus/glob.json");

#[test]
fn answers_as_the_recorded_matchers_do() {
    let rows: Vec<Value> = serde_json::from_str(CORPUS).unwrap();
    assert!(rows.len() > 4_000, "{} rows", rows.len());
    let mut wrong = Vec::new();
    for row in &rows {
        let (pattern, path) = (row["pattern"].as_str().unwrap(), row["path"].as_str().unwrap());
        let expected = row["match"].as_bool().unwrap();
        let got = Glob::new(pattern, GlobOptions::default()).map(|glob| glob.is_match(path));
        if got != Ok(expected) {
            wrong.push(format!("{pattern}  {path}  expected {expected}, got {got:?}"));
        }
    }
    assert!(wrong.is_empty(), "{} of {} rows:\n{}", wrong.len(), rows.len(), wrong.join("\n"));
}

#[test]
fn no_folder_of_a_recorded_match_is_pruned() {
    let rows: Vec<Value> = serde_json::from_str(CORPUS).unwrap();
    let mut pruned = Vec::new();
    for row in rows.iter().filter(|row| row["match"] == true) {
        let (pattern, path) = (row["pattern"].as_str().unwrap(), row["path"].as_str().unwrap());
        let glob = Glob::new(pattern, GlobOptions::default()).unwrap();
        for (at, _) in path.match_indices('/') {
            if !glob.may_contain(&path[..at]) {
                pruned.push(format!("{pattern}  {path}  at {}", &path[..at]));
            }
        }
    }
    assert!(pruned.is_empty(), "{}", pruned.join("\n"));
}
