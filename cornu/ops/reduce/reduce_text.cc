#include "cornu/ir/text/op_attributes.h"
#include "cornu/ir/text/short_form.h"
#include "cornu/ops/op_texts.h"
#include "cornu/ops/reduce/reduce.h"

namespace cornu::inline v0::ops::reduce_folder {
namespace {

ir::Attributes read_attributes(ir::OpAttributes& text) {
  return {{"dimensions", text.integers({"dimensions"})}};
}

/// reduce(%x init: %c), (%y init: %d) applies stablehlo.add across dimensions = [1] : types, or, without
/// `applies`, a body after the types: reducer(%a: t, %b: t) (%c: u, %d: u) { ... }
void read_short_form(ir::ShortForm& form) {
  ir::text::Lexer& lexer = form.lexer();
  std::vector<ir::Value> init_values;
  do {
    lexer.expect("(");
    form.operands.push_back(form.read_value());
    lexer.expect("init");
    lexer.expect(":");
    init_values.push_back(form.read_value());
    lexer.expect(")");
  } while (lexer.accept(","));
  const std::vector<ir::Value> inputs = form.operands;
  form.operands.insert(form.operands.end(), init_values.begin(), init_values.end());
  const std::size_t applies = lexer.token().position;
  const ir::KnownOp combine = lexer.accept("applies") ? form.read_op_name() : ir::KnownOp();
  lexer.expect("across");
  form.read_field();
  form.read_fields();
  form.read_types();
  if (combine.def != nullptr) {
    if (inputs.size() != 1) lexer.fail_at(applies, "[reduce] one operation combines one input");
    auto body = std::make_unique<ir::Block>();
    for (int side = 0; side < 2; ++side) body->add_argument({inputs[0].dtype(), {}});
    const std::span<const ir::Value> arguments = body->arguments();
    body->set_results(form.create(*body, combine, {arguments.begin(), arguments.end()}));
    form.regions.push_back(std::move(body));
    return;
  }
  lexer.expect("reducer");
  std::vector<ir::ShortForm::Argument> sides[2];
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    lexer.expect("(");
    for (std::size_t side = 0; side < 2; ++side) {
      if (side == 1) lexer.expect(",");
      const ir::text::Token name = lexer.expect(ir::text::TokenKind::kValue, "an argument such as %arg0");
      lexer.expect(":");
      sides[side].push_back({name.text, ir::text::read_type(lexer)});
    }
    lexer.expect(")");
  }
  sides[0].insert(sides[0].end(), sides[1].begin(), sides[1].end());
  form.read_region(sides[0]);
}

}  // namespace

std::span<const ir::OpText> op_texts() {
  static constexpr ir::OpText rows[] = {{.name = "reduce",
                                         .has_regions = true,
                                         .read_attributes = &read_attributes,
                                         .read_short_form = &read_short_form}};
  return rows;
}

}  // namespace cornu::inline v0::ops::reduce_folder
