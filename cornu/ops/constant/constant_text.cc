#include "cornu/ir/text/op_attributes.h"
#include "cornu/ops/op_texts.h"

namespace cornu::inline v0::ops::constant_folder {
namespace {

ir::Attributes read_attributes(ir::OpAttributes& text) {
  // The short form: constant dense<1.0> : tensor<f32>
  if (text.loose().size() == 1 && text.loose()[0].is(ir::text::SyntaxKind::kLiteral))
    return {{"value", *text.loose()[0].literal}};
  return {{"value", text.literal({"value"})}};
}

}  // namespace

std::span<const ir::OpText> op_texts() {
  static constexpr ir::OpText rows[] = {{.name = "constant", .read_attributes = &read_attributes}};
  return rows;
}

}  // namespace cornu::inline v0::ops::constant_folder
