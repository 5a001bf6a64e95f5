#include "cornu/ops/if/if.h"

#include "cornu/base/check.h"
#include "cornu/ir/op_def.h"

namespace cornu::ops {
namespace {

std::vector<ir::TensorType> infer(const ir::InferContext& context) {
  if (context.operands.size() != 1 || context.type(0) != ir::TensorType{ir::DType::kI1, {}})
    invalid_argument("(I1) pred must be an i1 scalar; got {}", context.operands.empty() ? "nothing" : context.type(0).str());
  if (context.regions.size() != 2) invalid_argument("(C1) there must be two branches; got {} regions", context.regions.size());
  for (const auto& branch : context.regions)
    if (!branch->arguments().empty()) invalid_argument("(C1) a branch takes no arguments; got {}", branch->arguments().size());
  const std::span<const ir::Value> on_true = context.regions[0]->results(), on_false = context.regions[1]->results();
  if (on_true.size() != on_false.size())
    invalid_argument("(C2) both branches must return as many values; got {} and {}", on_true.size(), on_false.size());
  std::vector<ir::TensorType> results;
  for (std::size_t i = 0; i < on_true.size(); ++i) {
    if (on_true[i].type() != on_false[i].type())
      invalid_argument("(C2) both branches must return the same types; value {} is {} and {}", i, on_true[i].type().str(),
                       on_false[i].type().str());
    results.push_back(on_true[i].type());
  }
  return results;
}

std::vector<ir::Literal> reference(const ir::ReferenceContext& context) {
  return context.evaluate(context.op.region(context.operands[0].data<bool>()[0] ? 0 : 1), {});
}

std::vector<ir::Value> gradient(const ir::GradientContext&) {
  fail(ErrorCode::kUnimplemented, "gradients through branches are not supported yet: compute both and choose with select");
}

const ir::OpDef kIf = {.name = "if", .infer = infer, .gradient = gradient, .reference = reference};

std::unique_ptr<ir::Block> make_branch(const ir::Builder& builder, const Branch& build) {
  auto block = std::make_unique<ir::Block>();
  ir::Builder inner(*block);
  inner.set_location(builder.location());
  block->set_results(build(inner));
  return block;
}

}  // namespace

std::vector<ir::Value> if_(ir::Builder& builder, ir::Value pred, const Branch& true_branch, const Branch& false_branch) {
  std::vector<std::unique_ptr<ir::Block>> regions;
  regions.push_back(make_branch(builder, true_branch));
  regions.push_back(make_branch(builder, false_branch));
  const ir::Op& op = builder.create(kIf, {pred}, {}, std::move(regions));
  return {op.results().begin(), op.results().end()};
}

namespace if_folder {
std::span<const ir::OpDef* const> op_defs() {
  static const ir::OpDef* const defs[] = {&kIf};
  return defs;
}
}  // namespace if_folder

}  // namespace cornu::ops
