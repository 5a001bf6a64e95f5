#include "cornu/ops/reduce_scatter/reduce_scatter.h"

#include "cornu/base/check.h"
#include "cornu/base/checked_size.h"
#include "cornu/ops/all_gather/all_gather.h"
#include "cornu/ops/operands.h"
#include "cornu/ops/reduce/scalar_body.h"

namespace cornu::inline v0::ops {
namespace reduce_scatter_folder {
namespace {

std::vector<ir::TensorType> infer(const ir::InferContext& context) {
  check_operands(context, 1);
  const auto dimension = context.attributes.get<std::int64_t>("scatter_dimension");
  ir::TensorType type = context.type(0);
  if (dimension < 0 || dimension >= type.rank())
    invalid_argument("(C2) scatter_dimension must be a dimension of {}; got {}", ir::shape_str(type.dims),
                     dimension);
  const ReplicaGroups groups =
      checked_groups(context.attributes, {.unique = "C3", .range = "C5", .global = "C6"});
  const std::int64_t members =
      (CheckedSize(groups.num_partitions) * groups.groups[0].size()).value("the number of a group's members");
  std::int64_t& extent = type.dims[static_cast<std::size_t>(dimension)];
  if (extent % members != 0)
    invalid_argument("(C1) dimension {} of {} cannot be divided by the {} members of a group", dimension,
                     ir::shape_str(type.dims), members);
  extent /= members;
  if (context.regions.size() != 1)
    invalid_argument("(C7) there must be one body; got {}", context.regions.size());
  check_scalar_body(*context.regions[0], {{type.dtype, {}}}, "(C7) body");
  return {type};
}

std::vector<ir::Value> gradient(const ir::GradientContext& context) {
  // pattern: only a sum has a gradient
  if (simple_body_kind(context.op.region(0)) != "add")
    fail(ErrorCode::kUnimplemented, "[reduce_scatter] only sums have a gradient");
  if (!context.result_gradients[0]) return {{}};
  return {all_gather(context.builder, context.result_gradients[0],
                     context.op.attributes().get<std::int64_t>("scatter_dimension"),
                     replica_groups(context.op.attributes()))};
}

std::string print_attributes(const ir::Op& op) {
  return fmt::format("{}, scatter_dimension = {} : i64", print_groups(op),
                     op.attributes().get<std::int64_t>("scatter_dimension"));
}

ir::Attributes read_attributes(ir::OpAttributes& text) {
  ir::Attributes attributes = read_groups(text);
  const std::int64_t dimension = text.integer({"scatter_dimension"});
  attributes.set("scatter_dimension", dimension);
  if (text.num_results() > 0 && text.result_type().rank() == text.operand_type(0).rank() && dimension >= 0 &&
      dimension < text.result_type().rank()) {
    const auto d = static_cast<std::size_t>(dimension);
    read_partitions(attributes, text.operand_type(0).dims[d], text.result_type().dims[d]);
  }
  return attributes;
}

const ir::OpDef kReduceScatter = {.name = "reduce_scatter",
                                  .infer = &infer,
                                  .gradient = &gradient,
                                  .reference = &run_alone,
                                  .print_attributes = &print_attributes,
                                  .has_regions = true,
                                  .read_attributes = read_attributes};

}  // namespace

std::span<const ir::OpDef* const> op_defs() { return ir::list_defs<kReduceScatter>(); }

}  // namespace reduce_scatter_folder

ir::Value reduce_scatter(ir::Builder& builder, ir::Value x, std::int64_t scatter_dimension,
                         const ReplicaGroups& groups, const ReduceBody& body) {
  std::vector<std::unique_ptr<ir::Block>> regions;
  regions.push_back(make_scalar_body(builder, {&x, 1}, body));
  ir::Attributes attributes = group_attributes(groups);
  attributes.set("scatter_dimension", scatter_dimension);
  return builder.create(reduce_scatter_folder::kReduceScatter, {x}, attributes, std::move(regions)).result();
}

ir::Value reduce_scatter_sum(ir::Builder& builder, ir::Value x, std::int64_t scatter_dimension,
                             const ReplicaGroups& groups) {
  return reduce_scatter(builder, x, scatter_dimension, groups, add_scalars);
}

}  // namespace cornu::inline v0::ops
