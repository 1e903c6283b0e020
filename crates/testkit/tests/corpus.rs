//! The corpus over the storages that the Rust side has.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stdout, reason = "tests")]

use deepfs_core::{Memory, Storage};
use deepfs_host::disk::{Disk, DiskOptions};
use deepfs_testkit::{Target, load, run_corpus};
use std::path::Path;

fn run(target: &Target<'_>) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/corpus/cases");
    let cases = load(&folder).expect("the corpus loads");
    let report = run_corpus(&cases, target);
    println!(
        "{}: {} cases passed, {} failed, {} do not apply",
        target.names.first().unwrap(),
        report.passed,
        report.failed.len(),
        report.not_applicable
    );
    for (kind, passed) in &report.by_kind {
        println!("  {kind:<12} {passed:>4}");
    }
    assert!(report.failed.is_empty(), "{}", report.failed.join("\n"));
    assert!(report.passed > 50, "the corpus is not empty");
}

#[test]
fn memory() {
    let fresh = || Box::new(Memory::default()) as Box<dyn Storage>;
    run(&Target { names: &["memory", "records"], dialect: "state", fresh: &fresh });
}

#[test]
fn disk() {
    let top = tempfile::tempdir().expect("a temporary folder");
    let count = std::sync::atomic::AtomicUsize::new(0);
    let fresh = || {
        let number = count.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        let root = top.path().join(number.to_string());
        std::fs::create_dir(&root).expect("a root");
        Box::new(Disk::new(DiskOptions { root, contained: true, durable: false })) as Box<dyn Storage>
    };
    run(&Target { names: &["disk"], dialect: "disk", fresh: &fresh });
}
