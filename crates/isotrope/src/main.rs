//! The `isotrope` command.

fn main() -> std::process::ExitCode {
    isotrope::cli::main()
}
