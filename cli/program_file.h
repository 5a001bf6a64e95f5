#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "cornu/ir/literal.h"
#include "cornu/ir/parse.h"
#include "cornu/runtime/client.h"

/// Programs in files: StableHLO text or bytecode, with arguments and results in .npz archives.
namespace cornu::inline v0::cli {

/// A function, compiled for a client's first device. It must live as long as this object.
class CompiledFunction {
 public:
  CompiledFunction(const ir::Function& function, runtime::Client& client);

  const runtime::Executable& executable() const { return *executable_; }
  /// Runs it once. `arguments` have the types of the function's.
  std::vector<ir::Literal> run(std::span<const ir::Literal> arguments) const;

 private:
  runtime::Client& client_;
  const ir::Function& function_;
  std::unique_ptr<runtime::Executable> executable_;
};

/// The content of a file that holds a program: StableHLO text, or a portable artifact in MLIR bytecode.
/// Errors: those of reading; InvalidArgument if it is neither.
std::string read_program(const std::string& path);

/// A program of a file, compiled for a client's first device.
class ProgramFile {
 public:
  /// Errors: those of reading, with the file's name, line and column or byte; those of compiling.
  ProgramFile(const std::string& path, runtime::Client& client);

  const ir::Function& function() const { return parsed_.entry(); }
  const runtime::Executable& executable() const { return compiled_.executable(); }

  /// Runs it once. `arguments` have the types of the function's.
  std::vector<ir::Literal> run(std::span<const ir::Literal> arguments) const;

 private:
  ir::ParsedModule parsed_;
  CompiledFunction compiled_;
};

/// True if an argument of the command line is a file and no workload's name: the file exists, or the argument
/// looks like a path.
bool names_file(const std::string& argument);

/// in0, in1, ... of an archive, for the function's arguments. NumPy has no bfloat16: such an argument is
/// given as float32.
/// Errors: InvalidArgument that names the array for one that is missing, of another type or one too many;
///         those of NpzFile.
std::vector<ir::Literal> read_arguments(const std::string& path, const ir::Function& function);

/// out0, out1, ... of an archive, for the function's results. Errors: those of read_arguments.
std::vector<ir::Literal> read_expected(const std::string& path, const ir::Function& function);

/// Writes out0, out1, ...; bfloat16 as float32.
void write_results(const std::string& path, std::span<const ir::Literal> results);

}  // namespace cornu::inline v0::cli
