#include "cornu/ir/text/op_attributes.h"
#include "cornu/ops/op_texts.h"

namespace cornu::inline v0::ops::gather_folder {
namespace {

ir::Attributes read_attributes(ir::OpAttributes& text) {
  ir::OpAttributes numbers = text.inside({"dimension_numbers"});
  return {{"offset_dims", numbers.integers({"offset_dims"}, {})},
          {"collapsed_slice_dims", numbers.integers({"collapsed_slice_dims"}, {})},
          {"operand_batching_dims", numbers.integers({"operand_batching_dims"}, {})},
          {"start_indices_batching_dims", numbers.integers({"start_indices_batching_dims"}, {})},
          {"start_index_map", numbers.integers({"start_index_map"}, {})},
          {"index_vector_dim", numbers.integer({"index_vector_dim"}, 0)},
          {"slice_sizes", text.integers({"slice_sizes"})},
          {"indices_are_sorted", text.boolean({"indices_are_sorted"}, false)}};
}

}  // namespace

std::span<const ir::OpText> op_texts() {
  static constexpr ir::OpText rows[] = {{.name = "gather", .read_attributes = &read_attributes}};
  return rows;
}

}  // namespace cornu::inline v0::ops::gather_folder
