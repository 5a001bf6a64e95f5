#include "cornu/ir/text/op_attributes.h"
#include "cornu/ops/op_texts.h"

namespace cornu::inline v0::ops::scatter_folder {
namespace {

ir::Attributes read_attributes(ir::OpAttributes& text) {
  ir::OpAttributes numbers = text.inside({"scatter_dimension_numbers"});
  return {{"update_window_dims", numbers.integers({"update_window_dims"}, {})},
          {"inserted_window_dims", numbers.integers({"inserted_window_dims"}, {})},
          {"input_batching_dims", numbers.integers({"input_batching_dims"}, {})},
          {"scatter_indices_batching_dims", numbers.integers({"scatter_indices_batching_dims"}, {})},
          {"scatter_dims_to_operand_dims", numbers.integers({"scatter_dims_to_operand_dims"}, {})},
          {"index_vector_dim", numbers.integer({"index_vector_dim"}, 0)},
          {"indices_are_sorted", text.boolean({"indices_are_sorted"}, false)},
          {"unique_indices", text.boolean({"unique_indices"}, false)}};
}

}  // namespace

std::span<const ir::OpText> op_texts() {
  static constexpr ir::OpText rows[] = {
      {.name = "scatter", .has_regions = true, .read_attributes = &read_attributes}};
  return rows;
}

}  // namespace cornu::inline v0::ops::scatter_folder
