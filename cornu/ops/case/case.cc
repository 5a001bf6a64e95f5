#include "cornu/ops/case/case.h"

#include <algorithm>

#include "cornu/base/check.h"
#include "cornu/ops/if/branches.h"
#include "cornu/ops/index_space.h"

namespace cornu::inline v0::ops {
namespace case_folder {
namespace {

std::vector<ir::TensorType> infer(const ir::InferContext& context) {
  if (context.operands.size() != 1 || context.type(0) != ir::TensorType{ir::DType::kI32, {}})
    invalid_argument("(I1) index must be an i32 scalar; got {}",
                     context.operands.empty() ? "nothing" : context.type(0).str());
  if (context.regions.empty()) invalid_argument("(C1) there must be at least one branch");
  return branch_types(context.regions, {.arguments = "C2", .results = "C3"});
}

std::vector<ir::Literal> reference(const ir::ReferenceContext& context) {
  const std::int64_t index = integer_at(context.operands[0], 0),
                     last = static_cast<std::int64_t>(context.op.regions().size()) - 1;
  return context.evaluate(
      context.op.region(static_cast<std::size_t>(index < 0 ? last : std::min(index, last))), {});
}

const ir::OpDef kCase = {.name = "case",
                         .infer = infer,
                         .gradient = branches_gradient,
                         .reference = reference,
                         .has_regions = true};

}  // namespace

std::span<const ir::OpDef* const> op_defs() { return ir::list_defs<kCase>(); }

}  // namespace case_folder

std::vector<ir::Value> case_(ir::Builder& builder, ir::Value index, std::span<const Branch> branches) {
  std::vector<std::unique_ptr<ir::Block>> regions;
  for (const Branch& branch : branches) regions.push_back(make_branch(builder, branch));
  const ir::Op& op = builder.create(case_folder::kCase, {index}, {}, std::move(regions));
  return {op.results().begin(), op.results().end()};
}

}  // namespace cornu::inline v0::ops
