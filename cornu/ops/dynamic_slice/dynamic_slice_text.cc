#include "cornu/ir/text/op_attributes.h"
#include "cornu/ops/op_texts.h"

namespace cornu::inline v0::ops::dynamic_slice_folder {
namespace {

ir::Attributes read_attributes(ir::OpAttributes& text) {
  return {{"slice_sizes", text.integers({"slice_sizes", "sizes"})}};
}

}  // namespace

std::span<const ir::OpText> op_texts() {
  static constexpr ir::OpText rows[] = {{.name = "dynamic_slice", .read_attributes = &read_attributes}};
  return rows;
}

}  // namespace cornu::inline v0::ops::dynamic_slice_folder
