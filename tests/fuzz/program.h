#pragma once

#include "cornu/base/error.h"
#include "cornu/ir/print.h"
#include "cornu/ir/verify.h"
#include "cornu/ops/parse.h"
#include "tests/fuzz/target.h"

namespace cornu::inline v0::fuzz {

/// Reads a program in text or bytecode. Not by parse(): a program is its writer's argument. What was read is
/// well-typed, prints, and prints the same when it is read again; decompositions can be made of all its
/// composites.
inline void read_program(Bytes bytes) {
  const ir::ParseOptions limits = {
      .max_ops = 10000, .max_inlined_bytes = 1 << 20, .max_splat_bytes = 1 << 20};
  const auto* program = reinterpret_cast<const char*>(bytes.data());
  ir::ParsedModule parsed;
  try {
    parsed = ops::parse_stablehlo({program, bytes.size()}, limits);
  } catch (const Error& error) {
    require(error.code() == ErrorCode::kInvalidArgument || error.code() == ErrorCode::kUnimplemented ||
                error.code() == ErrorCode::kResourceExhausted,
            error.what());
    require(std::string_view(error.what()).starts_with("program:"), error.what());
    return;
  }
  ir::verify(parsed.module);
  for (const auto& function : parsed.module.functions) {
    std::string printed;
    try {
      printed = ir::to_stablehlo(*function);
    } catch (const Error& error) {
      // A decomposition may be larger than any memory.
      require(error.code() == ErrorCode::kResourceExhausted || error.code() == ErrorCode::kInvalidArgument,
              error.what());
      continue;
    }
    const ir::ParsedModule again = ops::parse_stablehlo(
        printed, {.max_ops = 1 << 20, .max_inlined_bytes = 1 << 26, .max_splat_bytes = 1 << 24});
    require(ir::to_stablehlo(*again.module.functions.front()) == printed, "it prints as another program");
  }
}

}  // namespace cornu::inline v0::fuzz
