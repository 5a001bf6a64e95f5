#include "cornu/ir/text/op_attributes.h"
#include "cornu/ir/type.h"
#include "cornu/ops/compare/compare.h"
#include "cornu/ops/op_texts.h"

namespace cornu::inline v0::ops::compare_folder {
namespace {

std::string default_type(ir::DType dtype) {
  if (ir::is_float(dtype)) return "FLOAT";
  return ir::is_signed_integer(dtype) ? "SIGNED" : "UNSIGNED";
}

ir::Attributes read_attributes(ir::OpAttributes& text) {
  // The short form: LT, %0, %1, FLOAT.
  const auto word = [&](ir::OpAttributes::Names names, std::size_t loose) {
    return loose < text.loose().size() && text.loose()[loose].is(ir::text::SyntaxKind::kWord)
               ? text.loose()[loose].text
               : text.word(names);
  };
  const bool has_type = text.loose().size() > 1 || text.find({"compare_type"}) != nullptr;
  return {{"comparison_direction", word({"comparison_direction"}, 0)},
          {"compare_type", has_type ? word({"compare_type"}, 1) : default_type(text.operand_type(0).dtype)}};
}

}  // namespace

std::span<const ir::OpText> op_texts() {
  static constexpr ir::OpText rows[] = {{.name = "compare", .read_attributes = &read_attributes}};
  return rows;
}

}  // namespace cornu::inline v0::ops::compare_folder
