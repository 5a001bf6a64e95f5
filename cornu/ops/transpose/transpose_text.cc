#include "cornu/ir/text/op_attributes.h"
#include "cornu/ops/op_texts.h"

namespace cornu::inline v0::ops::transpose_folder {
namespace {

ir::Attributes read_attributes(ir::OpAttributes& text) {
  return {{"permutation", text.integers({"permutation", "dims"})}};
}

}  // namespace

std::span<const ir::OpText> op_texts() {
  static constexpr ir::OpText rows[] = {{.name = "transpose", .read_attributes = &read_attributes}};
  return rows;
}

}  // namespace cornu::inline v0::ops::transpose_folder
