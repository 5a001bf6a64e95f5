#include "cornu/ir/text/op_attributes.h"
#include "cornu/ops/op_texts.h"

namespace cornu::inline v0::ops::concatenate_folder {
namespace {

ir::Attributes read_attributes(ir::OpAttributes& text) {
  return {{"dimension", text.integer({"dimension", "dim"})}};
}

}  // namespace

std::span<const ir::OpText> op_texts() {
  static constexpr ir::OpText rows[] = {{.name = "concatenate", .read_attributes = &read_attributes}};
  return rows;
}

}  // namespace cornu::inline v0::ops::concatenate_folder
