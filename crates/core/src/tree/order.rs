//! The order of every listing.

use std::cmp::Ordering;

/// The order of two names in one folder, where `true` says that a name is a folder's: by code point, a folder
/// counting as its name and a slash. A walk that takes the children of every folder in this order visits files in the
/// plain order of their full paths, on every machine.
///
/// ```
/// use deepfs_core::tree::listing_order;
/// use std::cmp::Ordering;
/// // "/a-b" comes before "/a/b", so the file `a-b` comes before the folder `a`.
/// assert_eq!(listing_order(("a-b", false), ("a", true)), Ordering::Less);
/// assert_eq!(listing_order(("a", false), ("a", true)), Ordering::Less);
/// assert_eq!(listing_order(("a", false), ("a-b", false)), Ordering::Less);
/// ```
#[must_use]
pub fn listing_order(left: (&str, bool), right: (&str, bool)) -> Ordering {
    let (left_name, right_name) = (left.0.as_bytes(), right.0.as_bytes());
    let common = left_name.len().min(right_name.len());
    let fronts = left_name.get(..common).cmp(&right_name.get(..common));
    // UTF-8 sorts by bytes as it does by code points.
    fronts.then_with(|| tail(left_name, common, left.1).cmp(tail(right_name, common, right.1)))
}

fn tail(name: &[u8], from: usize, folder: bool) -> impl Iterator<Item = u8> {
    name.get(from..).unwrap_or(&[]).iter().copied().chain(folder.then_some(b'/'))
}
