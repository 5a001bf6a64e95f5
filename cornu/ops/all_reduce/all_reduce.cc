#include "cornu/ops/all_reduce/all_reduce.h"

#include <algorithm>

#include "cornu/base/check.h"
#include "cornu/ops/reduce/scalar_body.h"

namespace cornu::inline v0::ops {
namespace all_reduce_folder {
namespace {

std::vector<ir::TensorType> infer(const ir::InferContext& context) {
  if (context.operands.empty()) invalid_argument("there must be an input");
  checked_groups(context.attributes, {.unique = "C1", .range = "C3", .global = "C4", .are_ragged = true});
  if (context.regions.size() != 1)
    invalid_argument("(C5) there must be one body; got {}", context.regions.size());
  std::vector<ir::TensorType> results;
  for (std::size_t i = 0; i < context.operands.size(); ++i) {
    check_scalar_body(*context.regions[0], {{context.type(i).dtype, {}}}, "(C5) body");
    results.push_back(context.type(i));
  }
  return results;
}

/// The gradients that are there go through one op; so they need as few rendezvous as the values did.
std::vector<ir::Value> gradient(const ir::GradientContext& context) {
  // pattern: only a sum has a gradient
  if (simple_body_kind(context.op.region(0)) != "add")
    fail(ErrorCode::kUnimplemented, "[all_reduce] only sums have a gradient");
  std::vector<ir::Value> gradients(context.op.operands().size()), there;
  for (const ir::Value& gradient : context.result_gradients)
    if (gradient) there.push_back(gradient);
  if (there.empty()) return gradients;
  const std::vector<ir::Value> sums =
      all_reduce(context.builder, there, replica_groups(context.op.attributes()), add_scalars);
  std::size_t next = 0;
  for (std::size_t i = 0; i < gradients.size(); ++i)
    if (context.result_gradients[i]) gradients[i] = sums[next++];
  return gradients;
}

const ir::OpDef kAllReduce = {.name = "all_reduce",
                              .infer = &infer,
                              .gradient = &gradient,
                              .reference = &run_alone,
                              .print_attributes = &print_groups,
                              .has_regions = true,
                              .read_attributes = read_groups};

}  // namespace

std::span<const ir::OpDef* const> op_defs() { return ir::list_defs<kAllReduce>(); }

}  // namespace all_reduce_folder

std::vector<ir::Value> all_reduce(ir::Builder& builder, std::vector<ir::Value> inputs,
                                  const ReplicaGroups& groups, const ReduceBody& body) {
  std::vector<std::unique_ptr<ir::Block>> regions;
  regions.push_back(
      make_scalar_body(builder, std::span(inputs).first(std::min<std::size_t>(inputs.size(), 1)), body));
  const ir::Op& op = builder.create(all_reduce_folder::kAllReduce, std::move(inputs),
                                    group_attributes(groups), std::move(regions));
  return {op.results().begin(), op.results().end()};
}

ir::Value all_reduce_sum(ir::Builder& builder, ir::Value x, const ReplicaGroups& groups) {
  return all_reduce(builder, {x}, groups, add_scalars)[0];
}

}  // namespace cornu::inline v0::ops
