#include "cornu/ops/while/while.h"

#include <algorithm>

#include "cornu/base/check.h"
#include "cornu/ir/op_def.h"
#include "cornu/ir/text/op_attributes.h"
#include "cornu/ir/text/short_form.h"
#include "cornu/ops/while/while_gradient.h"

namespace cornu::inline v0::ops {
namespace while_folder {
namespace {

bool same_types(std::span<const ir::Value> a, std::span<const ir::Value> b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](ir::Value x, ir::Value y) { return x.type() == y.type(); });
}

std::vector<ir::TensorType> infer(const ir::InferContext& context) {
  if (context.regions.size() != 2)
    invalid_argument("(C1) there must be a condition and a body; got {} regions", context.regions.size());
  const ir::Block& condition = *context.regions[0];
  const ir::Block& body = *context.regions[1];
  if (!same_types(condition.arguments(), context.operands) || condition.results().size() != 1 ||
      condition.results()[0].type() != ir::TensorType{ir::DType::kI1, {}})
    invalid_argument("(C1) the condition must map the operands' types to one i1 scalar");
  if (!same_types(body.arguments(), context.operands))
    invalid_argument("(C2) the body's arguments must have the operands' types");
  if (body.results().size() != context.operands.size())
    invalid_argument("(C2) the body must return {} values; got {}", context.operands.size(),
                     body.results().size());
  std::vector<ir::TensorType> results;
  for (std::size_t i = 0; i < context.operands.size(); ++i) {
    results.push_back(context.type(i));
    if (body.results()[i].type() != results[i])
      invalid_argument(
          "(C2) the body must return the operands' types; value {} goes in as {} and comes out as {}", i,
          results[i].str(), body.results()[i].type().str());
  }
  return results;
}

std::vector<ir::Literal> reference(const ir::ReferenceContext& context) {
  std::vector<ir::Literal> values(context.operands.begin(), context.operands.end());
  while (context.evaluate(context.op.region(0), values)[0].data<bool>()[0])
    values = context.evaluate(context.op.region(1), values);
  return values;
}

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

const ir::OpDef kWhile = {.name = "while",
                          .infer = infer,
                          .gradient = while_gradient,
                          .reference = reference,
                          .has_regions = true,
                          .read_short_form = read_short_form};

std::unique_ptr<ir::Block> make_block(const ir::Builder& builder, std::span<const ir::Value> operands,
                                      const LoopBody& build) {
  auto block = std::make_unique<ir::Block>();
  for (const ir::Value& operand : operands) block->add_argument(operand.type());
  ir::Builder inner(*block);
  inner.set_location(builder.location());
  block->set_results(build(inner, block->arguments()));
  return block;
}

}  // namespace

std::span<const ir::OpDef* const> op_defs() { return ir::list_defs<kWhile>(); }

}  // namespace while_folder

std::vector<ir::Value> while_(ir::Builder& builder, std::vector<ir::Value> operands,
                              const LoopCondition& condition, const LoopBody& body) {
  std::vector<std::unique_ptr<ir::Block>> regions;
  regions.push_back(
      while_folder::make_block(builder, operands, [&](ir::Builder& inner, std::span<const ir::Value> values) {
        return std::vector<ir::Value>{condition(inner, values)};
      }));
  regions.push_back(while_folder::make_block(builder, operands, body));
  const ir::Op& op = builder.create(while_folder::kWhile, std::move(operands), {}, std::move(regions));
  return {op.results().begin(), op.results().end()};
}

}  // namespace cornu::inline v0::ops
