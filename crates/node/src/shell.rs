//! `ShellHandle`: commands, each on a thread of its own, so that long ones do not use up the pool.

use crate::{
    cancel::CancelHandle,
    convert::{Done, rows},
    task::Work,
};
use deepfs_core::Operation;
use deepfs_host::shell::{Executed, Jail, Shell, ShellOptions};
use napi::{Env, bindgen_prelude::*};
use napi_derive::napi;
use std::{collections::HashMap, path::PathBuf, sync::Arc, time::Duration};

/// See `JailParts` in the contract.
#[napi(object, object_to_js = false)]
pub struct JailParts {
    pub write: Vec<String>,
    pub read: Vec<String>,
    pub network: bool,
}

/// See `ShellParts` in the contract.
#[napi(object, object_to_js = false)]
pub struct ShellParts {
    pub cwd: String,
    pub env: HashMap<String, String>,
    pub timeout_ms: f64,
    pub max_output_bytes: f64,
    pub interleave: Option<bool>,
    pub max_concurrent: Option<f64>,
    pub jail: Option<JailParts>,
}

/// See `ExecuteParts` in the contract.
#[napi(object, object_from_js = false)]
pub struct ExecuteParts {
    pub output: String,
    pub exit_code: Either<i32, Null>,
    pub truncated: bool,
}

impl From<Executed> for ExecuteParts {
    fn from(executed: Executed) -> Self {
        let exit_code = executed.exit_code.map_or(Either::B(Null), Either::A);
        Self { output: executed.output, exit_code, truncated: executed.truncated }
    }
}

/// See `ShellHandle` in the contract.
#[napi(js_name = "Shell")]
pub struct ShellHandle {
    shell: Arc<Shell>,
}

#[napi]
impl ShellHandle {
    #[napi(constructor)]
    pub fn new(parts: ShellParts) -> Result<Self> {
        let options = ShellOptions {
            env: parts.env.into_iter().collect(),
            timeout: millis(parts.timeout_ms),
            max_output_bytes: rows(parts.max_output_bytes),
            interleave: parts.interleave.unwrap_or(false),
            max_concurrent: parts.max_concurrent.map_or(8, rows).max(1),
            jail: parts.jail.map(|jail| Jail {
                write: jail.write.into_iter().map(PathBuf::from).collect(),
                read: jail.read.into_iter().map(PathBuf::from).collect(),
                network: jail.network,
            }),
            ..ShellOptions::new(parts.cwd)
        };
        let shell = Shell::new(options).map_err(|refused| Error::from_reason(refused.to_string()))?;
        Ok(Self { shell: Arc::new(shell) })
    }

    #[napi(ts_return_type = "Promise<ExecuteParts>")]
    pub fn execute<'env>(
        &self,
        env: &'env Env,
        command: String,
        timeout_ms: Option<f64>,
        cancel: Option<&CancelHandle>,
    ) -> Result<Object<'env>> {
        let (deferred, promise) = env.create_deferred()?;
        let done = move |executed: Executed| deferred.resolve(move |_| Ok(ExecuteParts::from(executed)));
        self.shell
            .spawn(command, timeout_ms.map(millis), CancelHandle::flag(cancel), done)
            .map_err(|error| Error::from_reason(format!("no thread for the command: {error}")))?;
        Ok(promise)
    }

    #[napi(ts_return_type = "Promise<null | Failure>")]
    pub fn close(&self) -> AsyncTask<Work<Done>> {
        let shell = Arc::clone(&self.shell);
        Work::new(Operation::Execute, String::new(), move || {
            shell.close();
            Ok(())
        })
    }
}

/// JS has let go of the handle, or the worker it lives in ends: nobody will take an answer.
impl Drop for ShellHandle {
    fn drop(&mut self) {
        self.shell.abandon();
    }
}

/// A time as JS gives it: more than a `Duration` holds is for ever, an odd number no time at all.
fn millis(number: f64) -> Duration {
    match Duration::try_from_secs_f64(number / 1e3) {
        Ok(time) => time,
        Err(_) if number > 0.0 => Duration::MAX,
        Err(_) => Duration::ZERO,
    }
}
