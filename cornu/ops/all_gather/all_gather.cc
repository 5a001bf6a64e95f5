#include "cornu/ops/all_gather/all_gather.h"

#include "cornu/base/check.h"
#include "cornu/base/checked_size.h"
#include "cornu/ops/reduce_scatter/reduce_scatter.h"

namespace cornu::inline v0::ops {
namespace all_gather_folder {
namespace {

std::vector<ir::TensorType> infer(const ir::InferContext& context) {
  if (context.operands.empty()) invalid_argument("there must be an input");
  const auto dimension = context.attributes.get<std::int64_t>("all_gather_dim");
  const ReplicaGroups groups =
      checked_groups(context.attributes, {.unique = "C2", .range = "C4", .global = "C5"});
  std::vector<ir::TensorType> results;
  for (std::size_t i = 0; i < context.operands.size(); ++i) {
    ir::TensorType type = context.type(i);
    if (dimension < 0 || dimension >= type.rank())
      invalid_argument("(C1) all_gather_dim must be a dimension of {}; got {}", ir::shape_str(type.dims),
                       dimension);
    std::int64_t& extent = type.dims[static_cast<std::size_t>(dimension)];
    extent = (CheckedSize(extent) * groups.groups[0].size() * groups.num_partitions)
                 .value("an extent of all_gather's result");
    results.push_back(type);
  }
  return results;
}

std::vector<ir::Value> gradient(const ir::GradientContext& context) {
  std::vector<ir::Value> gradients(context.op.operands().size());
  const ReplicaGroups groups = replica_groups(context.op.attributes());
  for (std::size_t i = 0; i < gradients.size(); ++i)
    if (context.result_gradients[i])
      gradients[i] = reduce_scatter_sum(context.builder, context.result_gradients[i],
                                        context.op.attributes().get<std::int64_t>("all_gather_dim"), groups);
  return gradients;
}

std::string print_attributes(const ir::Op& op) {
  return fmt::format("all_gather_dim = {} : i64, {}", op.attributes().get<std::int64_t>("all_gather_dim"),
                     print_groups(op));
}

ir::Attributes read_attributes(ir::OpAttributes& text) {
  ir::Attributes attributes = read_groups(text);
  const std::int64_t dimension = text.integer({"all_gather_dim"});
  attributes.set("all_gather_dim", dimension);
  if (text.num_results() > 0 && text.result_type().rank() == text.operand_type(0).rank() && dimension >= 0 &&
      dimension < text.result_type().rank()) {
    const auto d = static_cast<std::size_t>(dimension);
    read_partitions(attributes, text.result_type().dims[d], text.operand_type(0).dims[d]);
  }
  return attributes;
}

const ir::OpDef kAllGather = {.name = "all_gather",
                              .infer = &infer,
                              .gradient = &gradient,
                              .reference = &run_alone,
                              .print_attributes = &print_attributes,
                              .read_attributes = read_attributes};

}  // namespace

std::span<const ir::OpDef* const> op_defs() { return ir::list_defs<kAllGather>(); }

}  // namespace all_gather_folder

ir::Value all_gather(ir::Builder& builder, ir::Value x, std::int64_t all_gather_dim,
                     const ReplicaGroups& groups) {
  ir::Attributes attributes = group_attributes(groups);
  attributes.set("all_gather_dim", all_gather_dim);
  return builder.create(all_gather_folder::kAllGather, {x}, attributes).result();
}

}  // namespace cornu::inline v0::ops
