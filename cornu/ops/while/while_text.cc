#include "cornu/ir/text/op_attributes.h"
#include "cornu/ir/text/short_form.h"
#include "cornu/ops/op_texts.h"

namespace cornu::inline v0::ops::while_folder {
namespace {

/// while(%i = %0, %x = %1) : types cond { ... } do { ... }
void read_short_form(ir::ShortForm& form) {
  ir::text::Lexer& lexer = form.lexer();
  std::vector<ir::ShortForm::Argument> carried;
  lexer.expect("(");
  while (!lexer.is(")")) {
    const ir::text::Token name =
        lexer.expect(ir::text::TokenKind::kValue, "a carried value such as %iterArg");
    lexer.expect("=");
    form.operands.push_back(form.read_value());
    carried.push_back({name.text, form.operands.back().type()});
    if (!lexer.accept(",")) break;
  }
  lexer.expect(")");
  if (lexer.accept(":")) do
      form.result_types.push_back(ir::text::read_type(lexer));
    while (lexer.accept(","));
  if (lexer.accept("attributes")) form.read_fields();
  lexer.expect("cond");
  form.read_region(carried);
  lexer.expect("do");
  form.read_region(carried);
}

}  // namespace

std::span<const ir::OpText> op_texts() {
  static constexpr ir::OpText rows[] = {
      {.name = "while", .has_regions = true, .read_short_form = &read_short_form}};
  return rows;
}

}  // namespace cornu::inline v0::ops::while_folder
