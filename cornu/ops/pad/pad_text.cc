#include "cornu/ir/text/op_attributes.h"
#include "cornu/ops/op_texts.h"

namespace cornu::inline v0::ops::pad_folder {
namespace {

ir::Attributes read_attributes(ir::OpAttributes& text) {
  return {{"edge_padding_low", text.integers({"edge_padding_low", "low"})},
          {"edge_padding_high", text.integers({"edge_padding_high", "high"})},
          {"interior_padding", text.integers({"interior_padding", "interior"})}};
}

}  // namespace

std::span<const ir::OpText> op_texts() {
  static constexpr ir::OpText rows[] = {{.name = "pad", .read_attributes = &read_attributes}};
  return rows;
}

}  // namespace cornu::inline v0::ops::pad_folder
