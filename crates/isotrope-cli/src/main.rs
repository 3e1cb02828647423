//! The `isotrope` command.

fn main() -> std::process::ExitCode {
    isotrope_cli::cli::main()
}
