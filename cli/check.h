#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cornu/runtime/client.h"

namespace cornu::inline v0::cli {

struct CheckCounts {
  int passed = 0, failed = 0, skipped = 0;
};

/// A part of a file of programs, whose parts are separated by lines "// -----".
struct ProgramChunk {
  std::string text;  // preceded by as many line ends as the file, for the lines in errors
  int number = 1;    // from 1 on
};
/// The parts that hold functions; bytecode, and content without functions, is one part.
std::vector<ProgramChunk> split_program(std::string_view program);

/// Checks every function without arguments of a program's parts: it fails if one of its checks fails. Prints
/// a line for each failure. Functions with arguments are skipped. `must_fail`: a part passes if it is
/// rejected or one of its functions fails.
CheckCounts check_program(const std::string& path, std::string_view program, runtime::Client& client,
                          bool must_fail);

/// Runs `main` with the arrays in0, in1, ... of an archive, and compares its results with out0, out1, ...:
/// integers exactly, floats relative to the norm (f64 1e-10, f32 1e-5, f16 1e-2, bf16 4e-2).
CheckCounts check_case(const std::string& path, const std::string& archive, runtime::Client& client);

}  // namespace cornu::inline v0::cli
