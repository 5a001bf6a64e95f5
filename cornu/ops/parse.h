#pragma once

#include <string_view>

#include "cornu/ir/parse.h"

namespace cornu::inline v0::ops {

/// The registry's op with a full name such as "stablehlo.add", "chlo.erf" or "cornu.softmax"; null if there is
/// none.
const ir::OpDef* find_full_name(std::string_view full_name);

/// Reads StableHLO whose ops are those of the registry: text (see ir/parse.h) or a portable artifact in MLIR
/// bytecode (see ir/bytecode/read.h), which its first bytes tell apart. An op of CHLO, such as chlo.erf, is the
/// composite of that name. `find_op` finds other ops too.
ir::ParsedModule parse_stablehlo(std::string_view program, const ir::ParseOptions& options = {},
                                 ir::FindOp find_op = &find_full_name);

}  // namespace cornu::inline v0::ops
