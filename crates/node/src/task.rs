//! Work off the JS thread, and the boundary at which a panic becomes an error result.

use crate::convert::Failure;
use deepfs_core::{Error, ErrorKind, Fault, Operation};
use napi::{Env, Result, Task, bindgen_prelude::*};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Runs `work`; a panic in it becomes an [`ErrorKind::Internal`] error. Nothing here is left half changed by an unwind: the
/// storages recover their locks, and every write is one rename.
pub fn guarded<T>(
    operation: Operation,
    path: &str,
    work: impl FnOnce() -> std::result::Result<T, Error>,
) -> std::result::Result<T, Error> {
    catch_unwind(AssertUnwindSafe(work))
        .unwrap_or_else(|_| Err(Fault::new(ErrorKind::Internal).at(operation, path)))
}

/// A result as JS sees it.
pub fn shaped<T, S: From<T>>(result: std::result::Result<T, Error>) -> Either<S, Failure> {
    match result {
        Ok(value) => Either::A(value.into()),
        Err(error) => Either::B(error.into()),
    }
}

type Job<S> = Box<dyn FnOnce() -> std::result::Result<S, Error> + Send>;

/// A call that runs on the thread pool and settles as `S` or a [`Failure`], never as a rejection. Its outcome takes the
/// shape it has for JS on the pool already, so that the JS thread only hands it over.
pub struct Work<S> {
    operation: Operation,
    path: String,
    job: Option<Job<S>>,
}

impl<S> Work<S> {
    /// The task of one call.
    pub fn new<T>(
        operation: Operation,
        path: String,
        job: impl FnOnce() -> std::result::Result<T, Error> + Send + 'static,
    ) -> AsyncTask<Self>
    where
        S: From<T>,
        Self: Task,
    {
        AsyncTask::new(Self { operation, path, job: Some(Box::new(move || job().map(S::from))) })
    }
}

impl<S> Task for Work<S>
where
    S: Send + ToNapiValue + TypeName + 'static,
{
    type Output = std::result::Result<S, Error>;
    type JsValue = Either<S, Failure>;

    fn compute(&mut self) -> Result<Self::Output> {
        let Some(job) = self.job.take() else {
            return Ok(Err(Fault::new(ErrorKind::Internal).at(self.operation, &self.path)));
        };
        Ok(guarded(self.operation, &self.path, job))
    }

    fn resolve(&mut self, _env: Env, output: Self::Output) -> Result<Self::JsValue> {
        Ok(shaped(output))
    }
}
