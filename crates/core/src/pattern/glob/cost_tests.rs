//! What a pattern may cost, and what is refused for it.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::disallowed_types,
    reason = "tests"
)]

use super::{Glob, GlobOptions};
use crate::error::ErrorKind;
use std::time::{Duration, Instant};

#[test]
fn what_can_not_be_used_says_why() {
    let deep = format!("{}a{}", "{a,".repeat(17), "}".repeat(17));
    let long = "a".repeat((64 << 10) + 1);
    let table = [
        ("", "it names nothing; '**/*' matches every file"),
        ("/", "it names nothing; '**/*' matches every file"),
        ("./", "it names nothing; '**/*' matches every file"),
        ("!", "it names nothing; '**/*' matches every file"),
        ("{1..1001}", "its braces stand for more than 1000 alternatives; use '*'"),
        ("{1..9223372036854775807}", "its braces stand for more than 1000 alternatives; use '*'"),
        ("{a..z}{a..z}{a..z}", "its braces stand for more than 1000 alternatives; use '*'"),
        (&deep, "its brackets are nested more than 16 deep"),
        (&long, "it is longer than 65536 bytes"),
        (
            "x/+(a/b)",
            "a '!(…)', '+(…)' or '*(…)' group inside a longer pattern cannot hold a '/'; use '**' or a leading '!'",
        ),
        ("+(*(!(a)))", "its '+(…)', '*(…)' and '!(…)' groups stand in each other more than 2 deep"),
    ];
    for (pattern, reason) in table {
        let fault = Glob::new(pattern, GlobOptions::default()).expect_err(&pattern[..pattern.len().min(40)]);
        assert_eq!(fault.kind, ErrorKind::InvalidArgument, "{pattern:.40}");
        assert_eq!(fault.detail, format!("the glob pattern cannot be used: {reason}"), "{pattern:.40}");
    }
}

#[test]
fn hostile_patterns_are_answered_at_once() {
    let name = "a".repeat(255);
    let path = vec!["a"; 2000].join("/");
    let patterns = [
        "*a".repeat(120) + "b",
        "**/".repeat(2000) + "b",
        "**/a/".repeat(300) + "b",
        "**/*a*/".repeat(300) + "b",
        "+(a|aa|aaa)b".to_owned(),
        "*(*(a|aa)|*(a))b".to_owned(),
        "!(!(*a*a)*a*b)c".to_owned(),
        "[".repeat(60_000),
        "[a/".repeat(20_000),
        "{".repeat(60_000),
        "(".repeat(60_000),
        "{a,".repeat(20_000),
        "}".repeat(30_000) + &"(".repeat(30_000),
        "{a,b}".repeat(9) + "*a*a*a*b",
        "[[:".repeat(20_000),
        "\\".repeat(60_000),
        "?".repeat(60_000),
    ];
    for pattern in patterns {
        let start = Instant::now();
        if let Ok(glob) = Glob::new(&pattern, GlobOptions::default()) {
            assert!(!glob.is_match(&name) && !glob.is_match(&path), "{pattern:.40}");
            let _ = glob.may_contain(&path);
        }
        // Debug builds on a busy machine; what this guards against takes minutes, or for ever.
        assert!(start.elapsed() < Duration::from_secs(5), "{pattern:.40} took {:?}", start.elapsed());
    }
}
