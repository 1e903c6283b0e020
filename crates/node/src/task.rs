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

type Job<T> = Box<dyn FnOnce() -> std::result::Result<T, Error> + Send>;

/// A call that runs on the thread pool and settles as `S` or a [`Failure`], never as a rejection.
pub struct Work<T, S> {
    operation: Operation,
    path: String,
    job: Option<Job<T>>,
    shape: std::marker::PhantomData<fn() -> S>,
}

impl<T, S> Work<T, S> {
    /// The task of one call.
    pub fn new(
        operation: Operation,
        path: String,
        job: impl FnOnce() -> std::result::Result<T, Error> + Send + 'static,
    ) -> AsyncTask<Self>
    where
        Self: Task,
    {
        AsyncTask::new(Self { operation, path, job: Some(Box::new(job)), shape: std::marker::PhantomData })
    }
}

impl<T, S> Task for Work<T, S>
where
    T: Send + 'static,
    S: From<T> + ToNapiValue + TypeName + 'static,
{
    type Output = std::result::Result<T, Error>;
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
