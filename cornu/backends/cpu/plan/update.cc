#include "cornu/backends/cpu/plan/update.h"

#include <algorithm>

#include "cornu/base/check.h"

namespace cornu::inline v0::backends::cpu {

void UpdateParts::write(ir::Value value, ir::Dims extents, std::optional<IndexMap> from,
                        std::optional<IndexMap> at) {
  if (std::find(extents.begin(), extents.end(), 0) != extents.end()) return;
  Group part;
  part.stores = {{value, update_.stores[0].buffer, std::move(at), std::move(from)}};
  part.extents = std::move(extents);
  groups_.push_back(std::move(part));
}

void UpdateParts::copy(ir::Value operand, const Store& result) {
  if (operand.type().num_elements() == 0 ||
      (plan_.in_memory(operand) && plan_.buffer_of.at(operand) == result.buffer))
    return;
  Group part;
  part.stores = {{operand, result.buffer}};
  part.extents = operand.dims();
  groups_.push_back(std::move(part));
}

IndexMap shifted(const ir::Dims& offsets) {
  IndexMap map = identity_map(offsets.size());
  for (std::size_t d = 0; d < offsets.size(); ++d) map[d].constant = offsets[d];
  return map;
}

std::vector<Group> update_parts(const Plan& plan, const Group& update) {
  const CpuOp* const row = find_cpu_op(*update.op);
  CORNU_CHECK(row != nullptr && row->update.add_parts != nullptr, "no parts of {}", update.op->name());
  UpdateParts parts(plan, update);
  row->update.add_parts(parts, *update.op);
  return parts.take();
}

}  // namespace cornu::inline v0::backends::cpu
