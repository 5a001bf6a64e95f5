#include "cornu/ops/collectives.h"
#include "cornu/ops/op_texts.h"

namespace cornu::inline v0::ops::reduce_scatter_folder {
namespace {

ir::Attributes read_attributes(ir::OpAttributes& text) {
  ir::Attributes attributes = read_groups(text);
  attributes.set("scatter_dimension", text.integer({"scatter_dimension"}));
  return attributes;
}

}  // namespace

std::span<const ir::OpText> op_texts() {
  static constexpr ir::OpText rows[] = {
      {.name = "reduce_scatter", .has_regions = true, .read_attributes = &read_attributes}};
  return rows;
}

}  // namespace cornu::inline v0::ops::reduce_scatter_folder
