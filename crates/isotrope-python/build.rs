//! Some linkers want to be told that names of the interpreter are found later.

fn main() {
    pyo3_build_config::add_extension_module_link_args();
}
