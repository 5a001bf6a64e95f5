#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "cornu/ir/graph.h"

/// Parser of StableHLO text: the output of to_stablehlo and JAX, and MLIR's generic form.
///
/// The text is untrusted: for any input the result is a module that the ops' own rules have accepted, or an
/// Error with line and column. Memory use is at most proportional to the text and to ParseOptions' limits.
namespace cornu::inline v0::ir {

/// Finds the op with a full name such as "stablehlo.add", or the composite "cornu.softmax"; null if there is
/// none.
using FindOp = const OpDef* (*)(std::string_view full_name);

struct ParseOptions {  // options/ir.toml
  /// Name in errors, such as the file's.
  std::string name = "program";
  /// Largest nesting of regions, calls and brackets.
  int max_depth = 128;
  /// Largest number of ops, those of inlined calls included.
  std::int64_t max_ops = 1'000'000;
  /// Largest text in bytes of called functions, which are inlined, so that a short text can become a large
  /// program.
  std::int64_t max_inlined_bytes = std::int64_t{1} << 26;
  /// Largest number of bytes that literals of one repeated element may take.
  std::int64_t max_splat_bytes = std::int64_t{1} << 28;
  /// Function that is called before memory is allocated for the parsed program: for `num_ops` more ops, and
  /// for `num_bytes` more of literals, attributes, arguments, and operands beyond the first few of an op.
  /// Throws to reject the text. Amounts below 64 KiB are reported together. Empty: nothing is reported.
  std::function<void(std::int64_t num_ops, std::size_t num_bytes)> charge = {};
};

struct ParsedModule {
  /// ParseOptions' name.
  std::string name;
  /// Public functions, and private ones without references. Calls are inlined. A composite that Cornu
  /// supports becomes that op; others are replaced by their decomposition.
  Module module;
  /// The module's attributes, e.g. mhlo.num_partitions; its name as sym_name; and Shardy's meshes as
  /// "sdy.mesh @NAME", with the mesh's text.
  Attributes attributes;
  /// The attributes of the entry's arguments, e.g. mhlo.sharding, one list each.
  std::vector<Attributes> argument_attributes;
  /// The attributes of the entry's results, e.g. sdy.sharding, one list each.
  std::vector<Attributes> result_attributes;

  /// The function "main", or the only one. Errors: InvalidArgument if there is neither.
  Function& entry() const;
  /// The results that reuse the memory of the entry's arguments (tf.aliasing_output), or kNotDonated; see
  /// print.h.
  std::vector<std::int64_t> donations() const;
};

/// Parses a module, or functions without an enclosing module.
///
/// Errors: InvalidArgument "NAME:LINE:COLUMN: ..." for text that is not StableHLO or breaks an op's rule;
///         Unimplemented for an op that Cornu does not have; ResourceExhausted for sizes beyond 63 bits.
/// Threads:  safe.
ParsedModule parse_stablehlo(std::string_view text, FindOp find_op, const ParseOptions& options = {});

}  // namespace cornu::inline v0::ir
