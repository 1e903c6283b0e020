//! `RecordParts`: one stored file as plain data.

use deepfs_core::{
    Error, Operation, VirtualPath,
    record::{Body, Record},
};
use napi::bindgen_prelude::*;
use napi_derive::napi;

/// See `RecordParts` in the contract.
#[napi(object, use_nullable = false)]
pub struct RecordParts {
    pub path: String,
    pub content: Either<String, Uint8Array>,
    pub mime_type: String,
    #[napi(js_name = "created_at")]
    pub created_at: String,
    #[napi(js_name = "modified_at")]
    pub modified_at: String,
}

impl RecordParts {
    /// The shape of a record.
    pub fn of(path: String, record: &Record) -> Self {
        Self {
            path,
            content: match &record.body {
                Body::Text(text) => Either::A(text.clone()),
                Body::Bytes(bytes) => Either::B(bytes.clone().into()),
            },
            mime_type: record.mime.clone(),
            created_at: record.created.clone(),
            modified_at: record.modified.clone(),
        }
    }

    /// The record of a shape.
    pub fn into_record(self) -> std::result::Result<(VirtualPath, Record), Error> {
        let path = VirtualPath::parse(&self.path).map_err(|fault| fault.at(Operation::Upload, &self.path))?;
        let body = match self.content {
            Either::A(text) => Body::Text(text),
            Either::B(bytes) => Body::Bytes(bytes.to_vec()),
        };
        Ok((
            path,
            Record { body, mime: self.mime_type, created: self.created_at, modified: self.modified_at },
        ))
    }
}
