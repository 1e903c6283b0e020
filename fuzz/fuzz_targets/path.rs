//! Paths: whatever is sent, what comes out is normal, stays below the root, and is read again as itself.
#![no_main]

use deepfs_core::{
    VirtualPath, mime,
    path::{MAX_NAME_BYTES, MAX_PATH_BYTES},
    tree,
};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: (&str, &str)| {
    let (raw, other) = input;
    let parsed = VirtualPath::parse(raw);
    if let Ok(path) = &parsed {
        check(path);
        assert!(raw.len() <= MAX_PATH_BYTES);
        assert!(raw.split('/').all(|segment| segment != ".."), "{raw:?}");
        // Nothing of a name is changed on the way.
        let kept: Vec<_> = raw.split('/').filter(|segment| !matches!(*segment, "" | ".")).collect();
        assert_eq!(path.segments().collect::<Vec<_>>(), kept);
        assert_eq!(tree::normal_key(raw).is_none(), path.is_root());
        if let Ok(other) = VirtualPath::parse(other) {
            assert_eq!(path.contains(&other), tree::below(path, other.as_str()).is_some());
            let keys = [path.as_str(), other.as_str()];
            for child in tree::children(keys, path) {
                assert!(!child.name.is_empty() && !child.name.contains('/'));
            }
        }
        let resolved = VirtualPath::resolve(path, other);
        if let Ok(resolved) = &resolved {
            check(resolved);
        }
    } else {
        assert!(tree::normal_key(raw).is_none());
    }
    let _ = (mime::by_path(raw), mime::of_bytes(raw));
});

fn check(path: &VirtualPath) {
    let text = path.as_str();
    assert!(
        text.starts_with('/') && !text.contains('\0') && (text == "/" || !text.ends_with('/')),
        "{text:?}"
    );
    assert!(
        path.segments().all(|name| !matches!(name, "" | "." | "..") && name.len() <= MAX_NAME_BYTES),
        "{text:?}"
    );
    // A base and what is resolved against it may each have the full length.
    if text.len() <= MAX_PATH_BYTES {
        assert_eq!(VirtualPath::parse(text).as_ref(), Ok(path));
    }
    match path.parent() {
        None => assert!(path.is_root()),
        Some(parent) => {
            assert_eq!(&parent.child(path.name()), path);
            assert!(parent.contains(path) && !path.contains(&parent));
        }
    }
}
