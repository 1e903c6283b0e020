//! What the core's parts cost, each alone: `cargo bench -p deepfs-core`, or with a name, `cargo bench -p deepfs-core window`.
//!
//! Sizes grow by a factor of ten: what takes much more than ten times as long does not scale.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "benchmarks")]

use deepfs_core::{
    VirtualPath,
    ops::records,
    pattern::{Glob, GlobOptions, LineSearch, Needle},
    text::{LineWindow, page_text, replace_text},
    tree,
};
use divan::{Bencher, black_box, counter::BytesCount, counter::ItemsCount};
use std::fmt::Write as _;

fn main() {
    divan::main();
}

const LINES: [usize; 3] = [1_000, 10_000, 100_000];
const KEYS: [usize; 3] = [1_000, 10_000, 100_000];

/// Lines of code, each with its number.
fn lines(count: usize) -> String {
    (0..count).fold(String::new(), |mut text, line| {
        writeln!(text, "    let value_{line} = table.entry(key({line})).or_insert_with(Vec::new);")
            .expect("a string takes all");
        text
    })
}

/// Paths four folders deep, as a state holds them.
fn keys(count: usize) -> Vec<String> {
    let extensions = ["rs", "ts", "md", "json"];
    (0..count)
        .map(|at| format!("/src/d{}/e{}/file-{at}.{}", at % 100, at % 7, extensions[at % extensions.len()]))
        .collect()
}

mod window {
    use super::{Bencher, BytesCount, LINES, LineWindow, black_box, lines, page_text};

    /// Ten lines from the middle, and how many there are.
    #[divan::bench(args = LINES)]
    fn ten_lines_of(bencher: Bencher, count: usize) {
        let text = lines(count);
        let window = LineWindow { offset: count as u64 / 2, limit: Some(10) };
        bencher
            .counter(BytesCount::of_str(&text))
            .bench(|| page_text(black_box(&text), window, u64::MAX).unwrap());
    }

    /// The whole of it.
    #[divan::bench(args = LINES)]
    fn all_lines_of(bencher: Bencher, count: usize) {
        let text = lines(count);
        let window = LineWindow { offset: 0, limit: None };
        bencher
            .counter(BytesCount::of_str(&text))
            .bench(|| page_text(black_box(&text), window, u64::MAX).unwrap());
    }
}

mod replace {
    use super::{Bencher, BytesCount, LINES, black_box, lines, replace_text};

    #[divan::bench(args = LINES)]
    fn one_of(bencher: Bencher, count: usize) {
        let text = lines(count);
        let old = format!("value_{} = table", count / 2);
        bencher
            .counter(BytesCount::of_str(&text))
            .bench(|| replace_text(black_box(&text), &old, "renamed = table", false).unwrap());
    }

    #[divan::bench(args = LINES)]
    fn every_line_of(bencher: Bencher, count: usize) {
        let text = lines(count);
        bencher.counter(BytesCount::of_str(&text)).bench(|| {
            replace_text(black_box(&text), "or_insert_with(Vec::new)", "or_default()", true).unwrap()
        });
    }

    /// The most expensive answer: no match, and a hint that tells the nearest one.
    #[divan::bench(args = LINES)]
    fn nothing_in(bencher: Bencher, count: usize) {
        let text = lines(count);
        bencher
            .counter(BytesCount::of_str(&text))
            .bench(|| replace_text(black_box(&text), "let  value_7 = tabel", "x", false).unwrap_err());
    }
}

mod literal_search {
    use super::{Bencher, BytesCount, LINES, LineSearch, Needle, black_box, lines};

    fn search(pattern: &str) -> LineSearch {
        LineSearch {
            needle: Needle::new(pattern).unwrap(),
            line_chars: 2_000,
            max_matches: usize::MAX,
            result_bytes: u64::MAX,
            max_file_bytes: u64::MAX,
        }
    }

    #[divan::bench(args = LINES)]
    fn absent_from(bencher: Bencher, count: usize) {
        let (text, lines) = (lines(count), search("zq_nowhere"));
        bencher.counter(BytesCount::of_str(&text)).bench(|| lines.search_text(black_box(&text), usize::MAX));
    }

    #[divan::bench(args = LINES)]
    fn in_every_line_of(bencher: Bencher, count: usize) {
        let (text, lines) = (lines(count), search("or_insert"));
        bencher.counter(BytesCount::of_str(&text)).bench(|| lines.search_text(black_box(&text), usize::MAX));
    }
}

mod globs {
    use super::{Bencher, Glob, GlobOptions, ItemsCount, KEYS, black_box, keys, records};

    #[divan::bench(args = ["**/*.md", "src/{d1,d2}/**/file-?[0-9]*.{ts,rs}", "**/e3/**/*9*.json"])]
    fn a_path_against(bencher: Bencher, pattern: &str) {
        let glob = Glob::new(pattern, GlobOptions { bare_recursive: false }).unwrap();
        let paths = keys(1_000);
        bencher.counter(ItemsCount::new(paths.len())).bench(|| {
            paths.iter().filter(|path| glob.is_match(black_box(path.trim_start_matches('/')))).count()
        });
    }

    #[divan::bench]
    fn compiling(bencher: Bencher) {
        let options = GlobOptions { bare_recursive: false };
        bencher.bench(|| Glob::new(black_box("src/{d1,d2}/**/file-?[0-9]*.{ts,rs}"), options).unwrap());
    }

    /// As a state's glob asks: keys joined as they cross the binding, matched and put in order.
    #[divan::bench(args = KEYS)]
    fn among_keys(bencher: Bencher, count: usize) {
        let joined = keys(count).join("\0");
        bencher.counter(ItemsCount::new(count)).bench(|| {
            records::glob_keys(&records::split_keys(black_box(&joined)), "**/*.md", "/", false).unwrap()
        });
    }
}

mod listing {
    use super::{Bencher, ItemsCount, KEYS, VirtualPath, black_box, keys, tree};

    #[divan::bench(args = KEYS)]
    fn children_among(bencher: Bencher, count: usize) {
        let keys = keys(count);
        let folder = VirtualPath::parse("/src/d1").unwrap();
        bencher
            .counter(ItemsCount::new(count))
            .bench(|| tree::children(black_box(&keys).iter().map(String::as_str), &folder));
    }

    #[divan::bench(args = KEYS)]
    fn everything_below(bencher: Bencher, count: usize) {
        let keys = keys(count);
        let root = VirtualPath::root();
        bencher
            .counter(ItemsCount::new(count))
            .bench(|| tree::subtree(black_box(&keys).iter().map(String::as_str), &root, |_| true));
    }
}
