#pragma once

#include <string_view>

#include "cornu/ir/parse.h"

namespace cornu::inline v0::ops {

/// Reads StableHLO text whose ops are those of the registry; see ir/parse.h. An elementwise op of CHLO, such
/// as chlo.erf, is the composite of that name.
ir::ParsedModule parse_stablehlo(std::string_view text, const ir::ParseOptions& options = {});

}  // namespace cornu::inline v0::ops
