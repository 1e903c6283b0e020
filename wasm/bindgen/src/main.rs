//! Writes the JS glue for a compiled WASM module: `deepfs-bindgen <module.wasm> <out-dir>`.
//!
//! The output is bindgen's `bundler` flavour, of which deepfs uses the `_bg.js` file with a loader of its own: that
//! works in every runtime, also where a module was compiled in another realm.

use std::{env, process::ExitCode};
use wasm_bindgen_cli_support::Bindgen;

/// The stem of every file written.
const OUT_NAME: &str = "deepfs";

#[expect(clippy::print_stderr, reason = "a command-line program says what went wrong")]
fn main() -> ExitCode {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let [module, out_dir] = arguments.as_slice() else {
        eprintln!("usage: deepfs-bindgen <module.wasm> <out-dir>");
        return ExitCode::from(2);
    };
    let mut bindgen = Bindgen::new();
    bindgen.input_path(module).out_name(OUT_NAME).typescript(true).remove_name_section(true);
    match bindgen.bundler(true).and_then(|flavour| flavour.generate(out_dir)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("deepfs-bindgen: {error:#}");
            ExitCode::FAILURE
        }
    }
}
