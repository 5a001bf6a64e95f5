#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "cornu/backends/pjrt/compile_options.h"
#include "cornu/backends/pjrt/connection.h"
#include "cornu/backends/pjrt/executable_cache.h"

namespace cornu::inline v0::backends::pjrt {

/// What a plug-in says of a program that it has compiled; 0 where it does not say.
struct ProgramCosts {
  double flops = 0;  // what is inside a loop counts once
  double bytes_accessed = 0;
  std::int64_t code_bytes = 0;
  std::int64_t argument_bytes = 0;
  std::int64_t output_bytes = 0;
  std::int64_t donated_bytes = 0;  // of the outputs, in memory of arguments
  std::int64_t temporary_bytes = 0;
};

/// A program on a plug-in's devices.
struct CompiledProgram {
  OwnedExecutable executable;
  ProgramCosts costs;
  double seconds = 0;
  bool from_cache = false;
};

ProgramCosts costs_of(const Plugin& plugin, PJRT_Executable* program);

/// What `costs` says, in lines for people.
std::string costs_text(const ProgramCosts& costs);

/// Text as a program for the C interface; it refers to the text.
void describe_program(PJRT_Program& program, const std::string& text);

/// Compiles StableHLO text, or finds what was compiled before. `name` is for messages.
/// Errors: the plug-in's; ResourceExhausted when the host is the device and has less memory than the program
///         needs.
CompiledProgram compile(const Connection& connection, const std::string& name, const std::string& text,
                        const CompileOptions& options, const ExecutableCache& cache);

}  // namespace cornu::inline v0::backends::pjrt
