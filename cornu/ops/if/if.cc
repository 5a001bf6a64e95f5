#include "cornu/ops/if/if.h"

#include "cornu/base/check.h"
#include "cornu/ir/op_def.h"
#include "cornu/ops/if/branches.h"

namespace cornu::inline v0::ops {
namespace if_folder {
namespace {

std::vector<ir::TensorType> infer(const ir::InferContext& context) {
  if (context.operands.size() != 1 || context.type(0) != ir::TensorType{ir::DType::kI1, {}})
    invalid_argument("(I1) pred must be an i1 scalar; got {}",
                     context.operands.empty() ? "nothing" : context.type(0).str());
  if (context.regions.size() != 2)
    invalid_argument("(C1) there must be two branches; got {} regions", context.regions.size());
  return branch_types(context.regions, {.arguments = "C1", .results = "C2"});
}

std::vector<ir::Literal> reference(const ir::ReferenceContext& context) {
  return context.evaluate(context.op.region(context.operands[0].data<bool>()[0] ? 0 : 1), {});
}

const ir::OpDef kIf = {
    .name = "if", .infer = infer, .gradient = branches_gradient, .reference = reference, .has_regions = true};

}  // namespace

std::span<const ir::OpDef* const> op_defs() { return ir::list_defs<kIf>(); }

}  // namespace if_folder

std::vector<ir::Value> if_(ir::Builder& builder, ir::Value pred, const Branch& true_branch,
                           const Branch& false_branch) {
  std::vector<std::unique_ptr<ir::Block>> regions;
  regions.push_back(make_branch(builder, true_branch));
  regions.push_back(make_branch(builder, false_branch));
  const ir::Op& op = builder.create(if_folder::kIf, {pred}, {}, std::move(regions));
  return {op.results().begin(), op.results().end()};
}

}  // namespace cornu::inline v0::ops
