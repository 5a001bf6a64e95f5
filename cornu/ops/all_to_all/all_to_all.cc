#include "cornu/ops/all_to_all/all_to_all.h"

#include "cornu/base/check.h"
#include "cornu/base/checked_size.h"

namespace cornu::inline v0::ops {
namespace all_to_all_folder {
namespace {

std::int64_t& extent_at(ir::TensorType& type, std::int64_t dimension, const char* label, const char* name) {
  if (dimension < 0 || dimension >= type.rank())
    invalid_argument("({}) {} must be a dimension of {}; got {}", label, name, ir::shape_str(type.dims),
                     dimension);
  return type.dims[static_cast<std::size_t>(dimension)];
}

std::vector<ir::TensorType> infer(const ir::InferContext& context) {
  if (context.operands.empty()) invalid_argument("there must be an input");
  const ReplicaGroups groups =
      checked_groups(context.attributes, {.unique = "C5", .range = "C7", .global = nullptr});
  const auto members = static_cast<std::int64_t>(groups.groups[0].size());
  if (const auto count = context.attributes.get<std::int64_t>("split_count"); count != members)
    invalid_argument("(C8) split_count must be the number of a group's members, {}; got {}", members, count);
  std::vector<ir::TensorType> results;
  for (std::size_t i = 0; i < context.operands.size(); ++i) {
    ir::TensorType type = context.type(i);
    std::int64_t& split =
        extent_at(type, context.attributes.get<std::int64_t>("split_dimension"), "C1", "split_dimension");
    std::int64_t& joined =
        extent_at(type, context.attributes.get<std::int64_t>("concat_dimension"), "C3", "concat_dimension");
    if (split % members != 0)
      invalid_argument("(C2) split_dimension of {} cannot be divided by split_count, {}",
                       ir::shape_str(type.dims), members);
    split /= members;
    joined = (CheckedSize(joined) * members).value("an extent of all_to_all's result");
    results.push_back(type);
  }
  return results;
}

AllToAllDimensions exchanged(const ir::Op& op) {
  return {.split_dimension = op.attributes().get<std::int64_t>("concat_dimension"),
          .concat_dimension = op.attributes().get<std::int64_t>("split_dimension")};
}

std::vector<ir::Value> gradient(const ir::GradientContext& context) {
  std::vector<ir::Value> gradients(context.op.operands().size());
  for (std::size_t i = 0; i < gradients.size(); ++i)
    if (context.result_gradients[i])
      gradients[i] = all_to_all(context.builder, context.result_gradients[i], exchanged(context.op),
                                replica_groups(context.op.attributes()));
  return gradients;
}

std::string print_attributes(const ir::Op& op) {
  const ir::Attributes& attributes = op.attributes();
  return fmt::format("concat_dimension = {} : i64, {}, split_count = {} : i64, split_dimension = {} : i64",
                     attributes.get<std::int64_t>("concat_dimension"), print_groups(op),
                     attributes.get<std::int64_t>("split_count"),
                     attributes.get<std::int64_t>("split_dimension"));
}

ir::Attributes read_attributes(ir::OpAttributes& text) {
  ir::Attributes attributes = read_groups(text);
  for (const char* const name : {"split_dimension", "concat_dimension", "split_count"})
    attributes.set(name, text.integer({name}));
  return attributes;
}

const ir::OpDef kAllToAll = {.name = "all_to_all",
                             .infer = &infer,
                             .gradient = &gradient,
                             .reference = &run_alone,
                             .print_attributes = &print_attributes,
                             .read_attributes = read_attributes};

}  // namespace

std::span<const ir::OpDef* const> op_defs() { return ir::list_defs<kAllToAll>(); }

}  // namespace all_to_all_folder

ir::Value all_to_all(ir::Builder& builder, ir::Value x, const AllToAllDimensions& dimensions,
                     const ReplicaGroups& groups) {
  ir::Attributes attributes = group_attributes(groups);
  attributes.set("split_dimension", dimensions.split_dimension);
  attributes.set("concat_dimension", dimensions.concat_dimension);
  attributes.set("split_count",
                 static_cast<std::int64_t>(groups.groups.empty() ? 0 : groups.groups[0].size()));
  return builder.create(all_to_all_folder::kAllToAll, {x}, attributes).result();
}

}  // namespace cornu::inline v0::ops
