//! temporary
#![allow(missing_docs, reason = "temporary")]
use crate::path::VirtualPath;
use std::borrow::Cow;
use std::cmp::Ordering;
pub enum Child { File { index: usize, name: String }, Folder { name: String } }
pub fn normal(key: &str) -> Option<Cow<'_, str>> {
    let path = VirtualPath::parse(key).ok()?;
    Some(if path.as_str() == key { Cow::Borrowed(key) } else { Cow::Owned(path.to_string()) })
}
pub fn below<'k>(dir: &VirtualPath, key: &'k str) -> Option<&'k str> {
    if key == dir.as_str() { return Some(""); }
    key.strip_prefix(&dir.prefix())
}
pub fn children<'k>(keys: impl Iterator<Item = &'k str>, dir: &VirtualPath) -> Vec<Child> {
    let mut map = std::collections::BTreeMap::new();
    for (index, key) in keys.enumerate() {
        let Some(path) = normal(key) else { continue };
        let Some(rel) = below(dir, &path) else { continue };
        if rel.is_empty() { continue }
        match rel.split_once('/') {
            Some((name, _)) => { map.entry(format!("{name}/")).or_insert(Child::Folder { name: name.to_owned() }); }
            None => { map.insert(rel.to_owned(), Child::File { index, name: rel.to_owned() }); }
        }
    }
    map.into_values().collect()
}
pub fn listing_order(a: (&str, bool), b: (&str, bool)) -> Ordering {
    let f = |(n, d): (&str, bool)| if d { format!("{n}/") } else { n.to_owned() };
    f(a).cmp(&f(b))
}
