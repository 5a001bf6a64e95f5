#include "cornu/ops/registry.h"

namespace cornu::inline v0::ops {

const ir::OpDef* find_op_def(std::string_view name) {
  for (const ir::OpDef* def : all_op_defs())
    if (def->name == name) return def;
  return nullptr;
}

}  // namespace cornu::inline v0::ops
