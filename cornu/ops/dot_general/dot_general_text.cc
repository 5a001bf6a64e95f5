#include "cornu/ir/text/op_attributes.h"
#include "cornu/ops/op_texts.h"

namespace cornu::inline v0::ops::dot_general_folder {
namespace {

ir::Attributes read_attributes(ir::OpAttributes& text) {
  text.ignore({"precision_config", "precision", "algorithm"});  // every product is exact in its dtype
  const auto product = [&](ir::OpAttributes::Names names, std::size_t side) {
    const ir::text::Syntax* const found = text.find(names);
    if (found == nullptr) return ir::Dims();
    if (!found->is(ir::text::SyntaxKind::kProduct) || found->items.size() != 2)
      text.fail(found->begin, "dimensions are given as [0] x [1]");
    return text.integers_of(found->items[side]);
  };
  if (text.find({"dot_dimension_numbers"}) == nullptr)
    return {{"lhs_batching_dimensions", product({"batching_dims"}, 0)},
            {"rhs_batching_dimensions", product({"batching_dims"}, 1)},
            {"lhs_contracting_dimensions", product({"contracting_dims"}, 0)},
            {"rhs_contracting_dimensions", product({"contracting_dims"}, 1)}};
  ir::OpAttributes numbers = text.inside({"dot_dimension_numbers"});
  return {{"lhs_batching_dimensions", numbers.integers({"lhs_batching_dimensions"}, {})},
          {"rhs_batching_dimensions", numbers.integers({"rhs_batching_dimensions"}, {})},
          {"lhs_contracting_dimensions", numbers.integers({"lhs_contracting_dimensions"}, {})},
          {"rhs_contracting_dimensions", numbers.integers({"rhs_contracting_dimensions"}, {})}};
}

}  // namespace

std::span<const ir::OpText> op_texts() {
  static constexpr ir::OpText rows[] = {{.name = "dot_general", .read_attributes = &read_attributes}};
  return rows;
}

}  // namespace cornu::inline v0::ops::dot_general_folder
