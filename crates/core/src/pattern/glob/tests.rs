#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

use super::{Glob, GlobOptions};

fn glob(pattern: &str) -> Glob {
    Glob::new(pattern, GlobOptions::default()).unwrap_or_else(|fault| panic!("{pattern}: {fault:?}"))
}

fn matched<'a>(pattern: &str, paths: &[&'a str]) -> Vec<&'a str> {
    let glob = glob(pattern);
    paths.iter().copied().filter(|path| glob.is_match(path)).collect()
}

const TREE: [&str; 12] = [
    "a.ts",
    "b.md",
    ".env",
    "src/a.ts",
    "src/b.tsx",
    "src/deep/c.ts",
    "lib/a.ts",
    "app/[id]/page.tsx",
    "app/[...slug]/page.tsx",
    "app/(shop)/page.tsx",
    "app/i/page.tsx",
    "app/shop/page.tsx",
];

#[test]
fn the_documented_forms() {
    let table: [(&str, &[&str]); 22] = [
        ("*.ts", &["a.ts"]),
        ("/*.ts", &["a.ts"]),
        ("./*.ts", &["a.ts"]),
        ("*", &["a.ts", "b.md", ".env"]),
        ("**/*.ts", &["a.ts", "src/a.ts", "src/deep/c.ts", "lib/a.ts"]),
        ("**.ts", &["a.ts", "src/a.ts", "src/deep/c.ts", "lib/a.ts"]),
        ("src/**", &["src/a.ts", "src/b.tsx", "src/deep/c.ts"]),
        ("/src/**/*.ts", &["src/a.ts", "src/deep/c.ts"]),
        ("src//./*.ts", &["src/a.ts"]),
        ("{src,lib}/*.{ts,tsx}", &["src/a.ts", "src/b.tsx", "lib/a.ts"]),
        ("src/{,deep/}*.ts", &["src/a.ts", "src/deep/c.ts"]),
        ("[[:alpha:]].ts", &["a.ts"]),
        ("[!a].md", &["b.md"]),
        ("[^a].md", &["b.md"]),
        ("app/[id]/page.tsx", &["app/[id]/page.tsx", "app/i/page.tsx"]),
        ("app/[...slug]/*", &["app/[...slug]/page.tsx"]),
        ("app/(shop)/*", &["app/(shop)/page.tsx", "app/shop/page.tsx"]),
        ("app/\\[id\\]/*", &["app/[id]/page.tsx"]),
        ("src/!(*.tsx)", &["src/a.ts"]),
        ("!(src/**|app/**|*)", &["lib/a.ts"]),
        ("../*", &[]),
        ("{..,lib}/a.ts", &["lib/a.ts"]),
    ];
    for (pattern, expected) in table {
        assert_eq!(matched(pattern, &TREE), expected, "{pattern}");
    }
}

#[test]
fn a_leading_exclamation_mark_turns_the_answer_round() {
    let rest: Vec<&str> = TREE.iter().copied().filter(|path| !path.ends_with(".tsx")).collect();
    assert_eq!(matched("!**/*.tsx", &TREE), rest);
    assert_eq!(matched("!!b.md", &TREE), ["b.md"]);
    assert_eq!(matched("\\!b.md", &["!b.md", "b.md"]), ["!b.md"]);
    assert_eq!(matched("!../*", &["a", "b/c"]), ["a", "b/c"]);
}

#[test]
fn a_bare_pattern_matches_at_every_depth_on_request() {
    let deep = |pattern: &str| Glob::new(pattern, GlobOptions { bare_recursive: true }).unwrap();
    let found = |pattern: &str| -> Vec<&str> {
        let glob = deep(pattern);
        TREE.iter().copied().filter(|path| glob.is_match(path)).collect()
    };
    assert_eq!(found("*.ts"), ["a.ts", "src/a.ts", "src/deep/c.ts", "lib/a.ts"]);
    assert_eq!(found("/*.ts"), ["a.ts"]);
    assert_eq!(found("./*.ts"), ["a.ts"]);
    assert_eq!(found("src/*.ts"), ["src/a.ts"]);
    assert_eq!(found("{c.ts,src/*.tsx}"), ["src/b.tsx", "src/deep/c.ts"]);
    assert!(deep("*.ts").may_contain("any/where"));
    assert_eq!(deep("a.ts").literal(), None);
}

#[test]
fn folders_are_paths_with_a_final_slash() {
    let paths = ["a/", "a", "a/b/", "a/b", "x/a/"];
    assert_eq!(matched("*/", &paths), ["a/"]);
    assert_eq!(matched("*", &paths), ["a/", "a"]);
    assert_eq!(matched("a", &paths), ["a/", "a"]);
    // As fast-glob lists them: a folder that the pattern names is not part of what is below it.
    assert_eq!(matched("a/**", &paths), ["a/b/", "a/b"]);
    assert_eq!(matched("**/a/**", &paths), ["a/", "a/b/", "a/b", "x/a/"]);
    assert_eq!(matched("**/", &paths), ["a/", "a/b/", "x/a/"]);
    assert_eq!(matched("**", &["", "/"]), [""; 0]);
}

#[test]
fn walks_are_pruned_to_what_can_match() {
    let table: [(&str, &[&str], &[&str]); 12] = [
        ("*.ts", &[""], &["src", "src/deep"]),
        ("src/**", &["", "src", "src/deep/er"], &["lib", "sr", "srcs"]),
        ("src/*.ts", &["", "src"], &["src/deep", "lib"]),
        ("src/a/**/*.ts", &["src", "src/a", "src/a/b/c"], &["src/b", "lib", "src/ab"]),
        ("src/*/x/*.ts", &["src", "src/any", "src/any/x"], &["src/any/y", "src/any/x/z", "lib"]),
        ("**/x", &["a", "a/b"], &[]),
        ("{src,lib}/**", &["src/a", "lib"], &["test"]),
        ("src/main.rs", &["src"], &["src/main.rs", "lib"]),
        ("!node_modules/**", &["src", ""], &["node_modules", "node_modules/a"]),
        ("!(node_modules/**|dist/**)", &["src", ""], &["node_modules", "dist/a"]),
        ("!**", &[], &["src"]),
        ("[!s]*/**", &["lib", "lib/a"], &["src"]),
    ];
    for (pattern, open, closed) in table {
        let glob = glob(pattern);
        for folder in open {
            assert!(glob.may_contain(folder), "{pattern} must look into {folder:?}");
        }
        for folder in closed {
            assert!(!glob.may_contain(folder), "{pattern} need not look into {folder:?}");
        }
    }
}

#[test]
fn one_path_is_told_where_no_other_can_match() {
    let table = [
        ("src/main.rs", Some("src/main.rs")),
        ("/src//./main.rs", Some("src/main.rs")),
        ("a\\*b", Some("a*b")),
        ("{a}", Some("{a}")),
        ("[a", Some("[a")),
        ("a/../b", None),
        ("..", None),
        ("\\.\\./b", None),
        ("src/", None),
        ("a*", None),
        ("[id]", None),
        ("(shop)", None),
        ("{a,b}", None),
        ("!a", None),
        ("9\0", None),
        // As it was spelt: the file may be stored decomposed.
        ("cafe\u{301}.md", Some("cafe\u{301}.md")),
        ("!!cafe\u{301}.md", Some("cafe\u{301}.md")),
        ("!cafe\u{301}.md", None),
    ];
    for (pattern, expected) in table {
        assert_eq!(glob(pattern).literal(), expected, "{pattern}");
    }
}

#[test]
fn spelt_out_names_are_known() {
    for (pattern, expected) in [
        (".git/**", true),
        ("**/.git/config", true),
        ("{.git,src}/*", true),
        (".gi*/**", false),
        ("**", false),
        ("!.git/**", false),
    ] {
        assert_eq!(glob(pattern).spells(".git"), expected, "{pattern}");
    }
}

#[test]
fn letters_are_compared_composed_and_counted_as_code_points() {
    let names = ["caf\u{e9}.md", "cafe\u{301}.md"];
    for pattern in [
        "caf\u{e9}*",
        "cafe\u{301}*",
        "cafe\\\u{301}*",
        "caf\\\u{e9}.md",
        "cafe{\u{301},x}.md",
        "caf?.md",
        "caf[\u{e9}].md",
        "caf[^a-z].md",
        "**/caf\u{e9}.md",
        "caf\u{e9}.md",
    ] {
        assert_eq!(matched(pattern, &names), names, "{pattern}");
    }
    assert_eq!(matched("?.txt", &["\u{1f600}.txt", "ab.txt"]), ["\u{1f600}.txt"]);
    assert_eq!(matched("[\u{430}-\u{44f}]?.txt", &["\u{43f}\u{440}.txt", "pr.txt"]), ["\u{43f}\u{440}.txt"]);
    assert!(glob("caf\u{e9}/**").may_contain("cafe\u{301}/x"));
}

#[test]
fn brackets_that_nothing_closes_are_characters() {
    for name in [
        "[",
        "[]",
        "[!]",
        "{",
        "{}",
        "{a",
        "a}",
        "(",
        ")",
        "(a",
        "[a",
        "a]",
        "{a,b",
        "@(a",
        "!(",
        "a\\",
        "{,",
        "[[:alpha:]",
    ] {
        let pattern = if name == "[[:alpha:]" { "[[:alpha:]" } else { name };
        if pattern == "a\\" {
            assert_eq!(matched(pattern, &["a\\", "a"]), ["a\\"]);
        } else {
            assert!(glob(pattern).is_match(name), "{pattern}");
        }
    }
    assert_eq!(matched("a[b/c]d", &["a[b/c]d", "abd", "acd"]), ["a[b/c]d"]);
    assert_eq!(matched("[z-a]x", &["ax", "zx", "[z-a]x"]), ["[z-a]x"]);
    assert_eq!(matched("[]a]", &["]", "a", "[]a]"]), ["]", "a", "[]a]"]);
}

#[test]
fn groups_repeat_choose_and_exclude() {
    let names = ["", "a", "b", "ab", "aab", "abab", "c", "ac"].map(|name| format!("x{name}"));
    let table: [(&str, &[&str]); 9] = [
        ("x@(a|ab)", &["xa", "xab"]),
        ("x?(a|ab)", &["x", "xa", "xab"]),
        ("x+(a|b)", &["xa", "xb", "xab", "xaab", "xabab"]),
        ("x*(ab)", &["x", "xab", "xabab"]),
        ("x!(a|ab)", &["x", "xb", "xaab", "xabab", "xc", "xac"]),
        ("x!(a*)", &["x", "xb", "xc"]),
        ("x!(!(a|b))", &["xa", "xb"]),
        ("x@({a,c}|b)", &["xa", "xb", "xc"]),
        ("x+(+(a)|b)", &["xa", "xb", "xab", "xaab", "xabab"]),
    ];
    for (pattern, expected) in table {
        let glob = glob(pattern);
        let found: Vec<&str> = names.iter().map(String::as_str).filter(|name| glob.is_match(name)).collect();
        assert_eq!(found, expected, "{pattern}");
    }
    assert_eq!(matched("@(src/a|lib)/x", &["src/a/x", "lib/x", "src/x"]), ["src/a/x", "lib/x"]);
    assert_eq!(matched("?(src/)x", &["src/x", "x", "lib/x"]), ["src/x", "x"]);
}

#[test]
fn ranges_count() {
    let names = ["f1", "f2", "f9", "f10", "f01", "f04", "f-1", "fa", "fc", "fB"];
    let table: [(&str, &[&str]); 8] = [
        ("f{1..9}", &["f1", "f2", "f9"]),
        ("f{10..9}", &["f9", "f10"]),
        ("f{-1..1}", &["f1", "f-1"]),
        ("f{01..10..3}", &["f10", "f01", "f04"]),
        ("f{1..9..0}", &["f1", "f2", "f9"]),
        ("f{a..c}", &["fa", "fc"]),
        ("f{c..a..-2}", &["fa", "fc"]),
        ("f{C..A}", &["fB"]),
    ];
    for (pattern, expected) in table {
        assert_eq!(matched(pattern, &names), expected, "{pattern}");
    }
    assert_eq!(matched("f{1..b}", &["f{1..b}", "f1"]), ["f{1..b}"]);
}

#[test]
fn the_folder_that_a_pattern_names() {
    let table = [
        ("src/app/*.ts", Some("src/app")),
        ("/src/./a.ts", Some("src")),
        ("src/**", Some("src")),
        ("src/*/deep/*.ts", Some("src")),
        ("a.ts", None),
        ("**/src/*", None),
        ("app/[id]/*", Some("app")),
        ("{src,lib}/*", None),
        ("!src/*", None),
        ("../src/*", None),
        ("src/../lib/*", None),
        ("caf\u{e9}/*", None),
    ];
    for (pattern, expected) in table {
        assert_eq!(glob(pattern).folder(), expected, "{pattern}");
    }
}
