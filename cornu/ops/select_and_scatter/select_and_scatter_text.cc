#include "cornu/ir/text/op_attributes.h"
#include "cornu/ops/op_texts.h"

namespace cornu::inline v0::ops::select_and_scatter_folder {
namespace {

ir::Attributes read_attributes(ir::OpAttributes& text) {
  const std::size_t rank = text.operand_type(0).dims.size();
  const ir::OpAttributes::Pairs padding = text.pairs({"padding"}, rank);
  return {{"window_dimensions", text.integers({"window_dimensions"}, ir::Dims(rank, 1))},
          {"window_strides", text.integers({"window_strides"}, ir::Dims(rank, 1))},
          {"padding_low", padding.first},
          {"padding_high", padding.second}};
}

}  // namespace

std::span<const ir::OpText> op_texts() {
  static constexpr ir::OpText rows[] = {
      {.name = "select_and_scatter", .has_regions = true, .read_attributes = &read_attributes}};
  return rows;
}

}  // namespace cornu::inline v0::ops::select_and_scatter_folder
