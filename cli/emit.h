#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "cornu/ir/graph.h"

/// Programs as a command's output.
namespace cornu::inline v0::cli {

/// `--emit FORM`: text or bytecode. `form` must live as long as the command, and keeps its value without the
/// option.
CLI::Option* add_emit_option(CLI::App& command, std::string& form, const std::string& description);

/// Writes a program to the standard output in a form of --emit.
/// Errors: CLI::ValidationError for bytecode if the standard output is a terminal; those of to_bytecode.
void emit_program(const ir::Function& program, const std::string& form);

}  // namespace cornu::inline v0::cli
