//! Globs: no pattern panics or takes long, and no walk is led past a match.
#![no_main]

use arbitrary::Arbitrary;
use deepfs_core::{
    VirtualPath,
    pattern::{Glob, GlobOptions, GrepFilter},
};
use libfuzzer_sys::fuzz_target;

#[derive(Debug, Arbitrary)]
struct Input<'a> {
    pattern: &'a str,
    path: &'a str,
    base: &'a str,
    bare_recursive: bool,
}

fuzz_target!(|input: Input<'_>| {
    let Input { pattern, path, base, bare_recursive } = input;
    let Ok(path) = VirtualPath::parse(path) else { return };
    let relative = path.relative();
    let folders = || relative.match_indices('/').filter_map(|(at, _)| relative.get(..at)).chain([""]);
    if let Ok(glob) = Glob::new(pattern, GlobOptions { bare_recursive }) {
        let found = glob.is_match(relative);
        if found {
            for folder in folders() {
                assert!(glob.may_contain(folder), "{pattern:?} prunes {folder:?} of {relative:?}");
            }
        }
        if let Some(only) = glob.literal() {
            assert!(glob.is_match(only), "{pattern:?} is told to name {only:?}");
            assert!(
                VirtualPath::parse(only).is_ok_and(|path| path.relative() == only),
                "{pattern:?}: {only:?}"
            );
        }
        // A leading `!` turns the answer round.
        if !pattern.starts_with(['!', '/', '.']) && !pattern.starts_with("\\!") && !relative.is_empty() {
            if let Ok(not) = Glob::new(&format!("!{pattern}"), GlobOptions { bare_recursive })
                && !pattern.starts_with('(')
            {
                assert_ne!(not.is_match(relative), found, "{pattern:?} and its negation on {relative:?}");
            }
        }
    }
    let Ok(base) = VirtualPath::parse(base) else { return };
    if let Ok(filter) = GrepFilter::new(Some(pattern), &base)
        && filter.admits(relative)
        && !relative.is_empty()
    {
        for folder in folders().filter(|folder| !folder.is_empty()) {
            assert!(filter.may_contain(folder), "{pattern:?} at {base} prunes {folder:?} of {relative:?}");
        }
    }
});
