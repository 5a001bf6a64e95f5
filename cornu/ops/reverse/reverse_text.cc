#include "cornu/ir/text/op_attributes.h"
#include "cornu/ops/op_texts.h"

namespace cornu::inline v0::ops::reverse_folder {
namespace {

ir::Attributes read_attributes(ir::OpAttributes& text) {
  return {{"dimensions", text.integers({"dimensions", "dims"})}};
}

}  // namespace

std::span<const ir::OpText> op_texts() {
  static constexpr ir::OpText rows[] = {{.name = "reverse", .read_attributes = &read_attributes}};
  return rows;
}

}  // namespace cornu::inline v0::ops::reverse_folder
