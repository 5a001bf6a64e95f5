#include <unordered_map>

#include "cornu/ops/registry.h"

namespace cornu::inline v0::ops {

const ir::OpDef* find_op_def(std::string_view name) {
  static const auto& by_name = *new std::unordered_map<std::string_view, const ir::OpDef*>([] {
    std::unordered_map<std::string_view, const ir::OpDef*> all;
    for (const ir::OpDef* def : all_op_defs()) all.emplace(def->name, def);
    return all;
  }());
  const auto found = by_name.find(name);
  return found == by_name.end() ? nullptr : found->second;
}

}  // namespace cornu::inline v0::ops
