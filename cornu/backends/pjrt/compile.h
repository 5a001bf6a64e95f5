#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "cornu/backends/pjrt/compile_options.h"
#include "cornu/backends/pjrt/connection.h"
#include "cornu/backends/pjrt/executable_cache.h"

namespace cornu::inline v0::backends::pjrt {

/// A plug-in's statistics of a compiled program; 0 where unknown.
struct ProgramCosts {
  double flops = 0;  // a loop's body counts once
  double bytes_accessed = 0;
  std::int64_t code_bytes = 0;
  std::int64_t argument_bytes = 0;
  std::int64_t output_bytes = 0;
  std::int64_t donated_bytes = 0;  // size of outputs in donated arguments
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

/// Prints the costs in readable lines.
std::string costs_text(const ProgramCosts& costs);

/// Describes a text as a program for the C interface; `program` refers to the text.
void describe_program(PJRT_Program& program, const std::string& text);

/// Compiles StableHLO text, or loads it from the cache. `name` is used in messages.
/// Errors: the plug-in's; ResourceExhausted if the host is the device and has too little memory for the
///         program.
CompiledProgram compile(const Connection& connection, const std::string& name, const std::string& text,
                        const CompileOptions& options, const ExecutableCache& cache);

}  // namespace cornu::inline v0::backends::pjrt
