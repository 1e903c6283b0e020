//! temporary
#![allow(missing_docs, reason = "temporary")]
use super::*;
use crate::{record::Record, tree::{self, Child}};
use std::{collections::BTreeMap, sync::{Arc, RwLock, PoisonError}};
use unicode_normalization::UnicodeNormalization;
#[derive(Debug, Default)]
pub struct Memory { files: RwLock<BTreeMap<String, Arc<Record>>> }
struct Open { record: Arc<Record>, metadata: Metadata }
impl Source for Open {
    fn metadata(&self) -> &Metadata { &self.metadata }
    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> Result<usize, Fault> {
        let b = self.record.bytes();
        let rest = b.get(offset as usize..).unwrap_or(&[]);
        let n = rest.len().min(buffer.len());
        buffer[..n].copy_from_slice(&rest[..n]);
        Ok(n)
    }
    fn in_memory(&self) -> Option<&[u8]> { Some(self.record.bytes()) }
}
fn meta(r: &Record) -> Metadata { Metadata { kind: Kind::File, size: r.size(), created: Time::Text(r.created.clone()), modified: Time::Text(r.modified.clone()), mime: Some(r.mime.clone()) } }
fn dir() -> Metadata { Metadata { kind: Kind::Directory, size: 0, created: Time::Unknown, modified: Time::Unknown, mime: None } }
impl Memory {
    pub fn new() -> Self { Self::default() }
    pub fn snapshot(&self) -> Vec<(String, Arc<Record>)> { self.map().into_iter().collect() }
    fn map(&self) -> BTreeMap<String, Arc<Record>> { self.files.read().unwrap_or_else(PoisonError::into_inner).clone() }
    pub fn restore(&self, records: Vec<(VirtualPath, Record)>) {
        *self.files.write().unwrap_or_else(PoisonError::into_inner) = records.into_iter().map(|(p, r)| (p.to_string(), Arc::new(r))).collect();
    }
    fn find(&self, path: &VirtualPath) -> Result<Option<Arc<Record>>, Fault> {
        let m = self.map();
        if let Some(r) = m.get(path.as_str()) { return Ok(Some(Arc::clone(r))); }
        let mut up = path.parent();
        while let Some(p) = up { if m.contains_key(p.as_str()) { return Err(ErrorKind::NotADirectory.into()); } up = p.parent(); }
        if path.is_root() || m.keys().any(|k| k.starts_with(&path.prefix())) { return Ok(None); }
        Err(ErrorKind::NotFound.into())
    }
}
impl Storage for Memory {
    fn metadata(&self, path: &VirtualPath) -> Result<Metadata, Fault> { Ok(self.find(path)?.map_or_else(dir, |r| meta(&r))) }
    fn open(&self, path: &VirtualPath) -> Result<Box<dyn Source + '_>, Fault> {
        let record = self.find(path)?.ok_or(ErrorKind::IsDirectory)?;
        let metadata = meta(&record);
        Ok(Box::new(Open { record, metadata }))
    }
    fn write(&self, path: &VirtualPath, bytes: &[u8], existing: Existing, stamp: &Stamp<'_>) -> Result<(), Fault> {
        let old = match self.find(path) { Ok(None) => return Err(ErrorKind::IsDirectory.into()), Ok(Some(r)) => Some(r), Err(f) if f.kind == ErrorKind::NotFound => None, Err(f) => return Err(f) };
        if old.is_some() && existing == Existing::Refuse { return Err(ErrorKind::AlreadyExists.into()); }
        let r = Record::from_bytes(path.as_str(), bytes.to_vec(), stamp.mime, stamp.now, old.as_deref());
        self.files.write().unwrap_or_else(PoisonError::into_inner).insert(path.to_string(), Arc::new(r));
        Ok(())
    }
    fn update(&self, path: &VirtualPath, _: u64, stamp: &Stamp<'_>, change: &mut dyn FnMut(&[u8], &Metadata) -> Result<Vec<u8>, Fault>) -> Result<(), Fault> {
        let old = self.find(path)?.ok_or(ErrorKind::IsDirectory)?;
        let new = change(old.bytes(), &meta(&old))?;
        let r = Record::from_bytes(path.as_str(), new, &old.mime, stamp.now, Some(&old));
        self.files.write().unwrap_or_else(PoisonError::into_inner).insert(path.to_string(), Arc::new(r));
        Ok(())
    }
    fn remove(&self, path: &VirtualPath) -> Result<(), Fault> {
        if path.is_root() { return Err(ErrorKind::RootRefused.into()); }
        self.find(path)?;
        self.files.write().unwrap_or_else(PoisonError::into_inner).retain(|k, _| k != path.as_str() && !k.starts_with(&path.prefix()));
        Ok(())
    }
    fn list(&self, path: &VirtualPath, _: u64, _: &dyn Control) -> Result<(Vec<Entry>, bool), Fault> {
        if self.find(path)?.is_some() { return Err(ErrorKind::NotADirectory.into()); }
        let m: Vec<_> = self.map().into_iter().collect();
        Ok((tree::children(m.iter().map(|(k, _)| k.as_str()), path).into_iter().map(|c| match c {
            Child::File { index, name } => Entry { name, metadata: meta(&m[index].1) },
            Child::Folder { name } => Entry { name, metadata: dir() },
        }).collect(), true))
    }
    fn walk(&self, walk: &Walk<'_>, visit: &mut dyn FnMut(&str, &Metadata) -> ControlFlow<()>) -> Result<Walked, Fault> {
        self.find(walk.root)?;
        for (k, r) in self.map() {
            let Some(rel) = tree::below(walk.root, &k) else { continue };
            let ok = rel.char_indices().filter(|(_, c)| *c == '/').all(|(i, _)| (walk.descend)(&rel[..i]));
            if ok && (walk.admit)(rel) && visit(rel, &meta(&r)).is_break() { break }
        }
        Ok(Walked { complete: true })
    }
    fn search(&self, search: &Search<'_>, found: &mut dyn FnMut(&str, FileMatches) -> ControlFlow<()>) -> Result<Walked, Fault> {
        let mut out = Vec::new();
        self.walk(&search.walk, &mut |p, _| { out.push(p.to_owned()); ControlFlow::Continue(()) })?;
        for p in out {
            let full = if p.is_empty() { search.walk.root.clone() } else { search.walk.root.child(&p) };
            let source = self.open(&full)?;
            let head = source.in_memory().unwrap_or(&[]);
            if let Some(m) = (search.inspect)(&Candidate { path: &p, head, whole: true, source: &*source })? { if found(&p, m).is_break() { break } }
        }
        Ok(Walked { complete: true })
    }
    fn same_letters(&self, path: &VirtualPath) -> Option<VirtualPath> {
        let want: String = path.as_str().nfc().collect();
        let m = self.map();
        let mut hits = m.keys().filter(|k| k.nfc().collect::<String>() == want);
        let one = hits.next()?;
        if hits.next().is_some() { return None }
        VirtualPath::parse(one).ok()
    }
}
