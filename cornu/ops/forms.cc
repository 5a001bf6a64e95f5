#include "cornu/ops/forms.h"

#include <algorithm>

#include "cornu/base/check.h"

namespace cornu::inline v0::ops {

ir::OpDef form(std::string_view name, ir::ExpandFn expand, ReadAttributes read) {
  return {.name = name, .infer = infer_form, .read_attributes = read, .expand = expand};
}

const ir::OpDef* find_form(std::span<const ir::OpDef> forms, std::string_view full_name) {
  const auto found = std::ranges::find(forms, full_name, &ir::OpDef::name);
  return found == forms.end() ? nullptr : &*found;
}

std::vector<ir::TensorType> infer_form(const ir::InferContext&) { return {}; }

ir::Attributes read_nothing(ir::OpAttributes&) { return {}; }

void check_operand_count(const ir::ExpandContext& context, std::size_t count) {
  if (context.operands.size() != count)
    invalid_argument("there must be {} operands; got {}", count, context.operands.size());
}

}  // namespace cornu::inline v0::ops
