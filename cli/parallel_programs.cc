#include "cli/parallel_programs.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "cornu/base/check.h"
#include "cornu/ir/clone.h"
#include "cornu/ir/literal.h"
#include "cornu/ir/text/op_attributes.h"
#include "cornu/ops/collective_permute/collective_permute.h"
#include "cornu/ops/collectives.h"
#include "cornu/ops/constant/constant.h"
#include "cornu/ops/elementwise_binary/elementwise_binary.h"
#include "cornu/ops/replica_id/replica_id.h"
#include "cornu/transform/replicate.h"
#include "cornu/transform/rewrite.h"

namespace cornu::inline v0::cli {
namespace {

std::string type_name(std::size_t i) { return fmt::format("type{}", i); }

/// The declared types, each as a literal of it.
std::vector<ir::TensorType> infer_parallel(const ir::InferContext& context) {
  std::vector<ir::TensorType> types;
  for (std::size_t i = 0; context.attributes.find(type_name(i)) != nullptr; ++i)
    types.push_back(context.attributes.get<ir::Literal>(type_name(i)).type());
  return types;
}

/// programs = [[@f, @f], [@f, @f]]: a row of partitions for each replica.
ir::Attributes read_parallel(ir::OpAttributes& text) {
  text.ignore({"infeed"});
  const ir::text::Syntax& programs = text.get({"programs"});
  ir::Attributes attributes;
  std::int64_t count = 0;
  std::string name;
  for (const ir::text::Syntax& replica : programs.items)
    for (const ir::text::Syntax& program : replica.items) {
      if (count++ > 0 && program.text != name)
        fail(ErrorCode::kUnimplemented, "processes that run different functions are not supported");
      name = program.text;
    }
  const auto num_replicas = static_cast<std::int64_t>(programs.items.size());
  if (count == 0 || count % num_replicas != 0)
    fail(ErrorCode::kInvalidArgument, "programs must be a matrix: a row of partitions for each replica");
  attributes.set("program", name);
  attributes.set("num_replicas", num_replicas);
  attributes.set("num_partitions", count / num_replicas);
  for (std::size_t i = 0; i < text.num_results(); ++i)
    attributes.set(type_name(i), ir::Literal(text.result_type(i)));
  return attributes;
}

constexpr ir::OpDef kRunParallel{
    .name = "run_parallel", .infer = infer_parallel, .read_attributes = read_parallel};

struct Grid {
  std::int64_t num_replicas, num_partitions;
  std::int64_t process(std::int64_t replica, std::int64_t partition) const {
    return replica * num_partitions + partition;
  }
};

/// True for collectives whose groups on a channel are of partitions.
bool groups_partitions(std::string_view name) {
  return name == "all_to_all" || name == "collective_broadcast" || name == "collective_permute";
}

/// Groups of replicas or partitions as groups of processes, by the rules of StableHLO: cross_replica,
/// cross_partition, cross_replica_and_partition, flattened_ids.
std::vector<ir::Dims> process_groups(const Grid& grid, std::string_view name,
                                     const ops::ReplicaGroups& groups) {
  if (groups.use_global_device_ids) return groups.groups;
  std::vector<ir::Dims> result;
  const bool is_by_partition = groups.channel_id > 0 && groups_partitions(name);
  for (const ir::Dims& group : groups.groups) {
    const std::int64_t copies = is_by_partition ? grid.num_replicas : grid.num_partitions;
    for (std::int64_t i = 0; i < copies; ++i) {
      // One group takes all partitions of its replicas.
      const bool begins = i == 0 || groups.channel_id <= 0 || is_by_partition;
      if (begins) result.emplace_back();
      for (const std::int64_t member : group) {
        if (member >= (is_by_partition ? grid.num_partitions : grid.num_replicas))
          invalid_argument("[{}] there are {} replicas of {} partitions; got the number {}", name,
                           grid.num_replicas, grid.num_partitions, member);
        result.back().push_back(is_by_partition ? grid.process(i, member) : grid.process(member, i));
      }
    }
  }
  return result;
}

ir::Attributes process_attributes(const Grid& grid, const ir::Op& op) {
  ir::Attributes attributes = op.attributes();
  if (op.name() != "collective_permute") {
    ops::ReplicaGroups groups = ops::replica_groups(attributes);
    groups.groups = process_groups(grid, op.name(), groups);
    groups.use_global_device_ids = false;
    groups.channel_id = 0;
    if (groups.num_partitions > 1) {
      if (groups.num_partitions != grid.num_partitions)
        invalid_argument("[{}] the result is made of parts of {} partitions; the program has {}", op.name(),
                         groups.num_partitions, grid.num_partitions);
      // The groups now have these members.
      groups.num_partitions = 1;
      attributes.set("num_partitions", std::int64_t{1});
    }
    for (const auto& [name, value] : ops::group_attributes(groups)) attributes.set(name, value);
    return attributes;
  }
  // A pair is two groups of one member: the same copies of both, in order.
  std::vector<std::int64_t> ends;
  const auto channel = attributes.get<std::int64_t>("channel_id");
  for (const auto& [source, target] : ops::source_target_pairs(attributes)) {
    const auto of = [&](std::int64_t end) {
      return process_groups(grid, op.name(), {.groups = {{end}}, .channel_id = channel});
    };
    const std::vector<ir::Dims> sources = of(source), targets = of(target);
    for (std::size_t i = 0; i < sources.size(); ++i) ends.insert(ends.end(), {sources[i][0], targets[i][0]});
  }
  const ir::Dims dims = {static_cast<std::int64_t>(ends.size()) / 2, 2};
  attributes.set("channel_id", std::int64_t{0});
  attributes.set("source_target_pairs", ir::Literal::of<std::int64_t>(dims, ends));
  return attributes;
}

/// A program of a grid as one of replicas only: process (r, p) is replica r * num_partitions + p.
std::unique_ptr<ir::Function> with_processes(const ir::Function& program, const Grid& grid) {
  return transform::replace_ops(
      program,
      [&](ir::Builder& builder, const ir::Op& op,
          std::span<const ir::Value> operands) -> std::optional<std::vector<ir::Value>> {
        if (op.name() == "replica_id" || op.name() == "partition_id") {  // pattern: numbers of processes
          const ir::Value process = ops::replica_id(builder);
          const ir::Value count =
              ops::full(builder, process.type(), static_cast<double>(grid.num_partitions));
          return std::vector{op.name() == "replica_id" ? ops::divide(builder, process, count)
                                                       : ops::remainder(builder, process, count)};
        }
        if (op.attributes().find("replica_groups") == nullptr &&
            op.attributes().find("source_target_pairs") == nullptr)
          return std::nullopt;
        std::vector<std::unique_ptr<ir::Block>> regions;
        for (const auto& region : op.regions()) {
          ir::ValueMap map;
          regions.push_back(ir::clone_block(*region, map));
        }
        const ir::Op& copy = builder.create(op.def(), {operands.begin(), operands.end()},
                                            process_attributes(grid, op), std::move(regions));
        return std::vector<ir::Value>(copy.results().begin(), copy.results().end());
      });
}

std::vector<ir::Value> replicas_of(ir::Builder& builder, const ir::Op& op, const ir::Module& module,
                                   std::span<const ir::Value> operands) {
  const auto& name = op.attributes().get<std::string>("program");
  const ir::Function* const program = module.find(name);
  if (program == nullptr) fail(ErrorCode::kNotFound, "[run_parallel] there is no function \"{}\"", name);
  const Grid grid{op.attributes().get<std::int64_t>("num_replicas"),
                  op.attributes().get<std::int64_t>("num_partitions")};
  const auto replicas =
      transform::replicate(*with_processes(*program, grid), grid.num_replicas * grid.num_partitions);
  const auto& arguments = replicas->body.arguments();
  bool fits = arguments.size() == operands.size() && replicas->body.results().size() == op.results().size();
  for (std::size_t i = 0; fits && i < arguments.size(); ++i) fits = arguments[i].type() == operands[i].type();
  for (std::size_t i = 0; fits && i < op.results().size(); ++i)
    fits = replicas->body.results()[i].type() == op.result(i).type();
  if (!fits) invalid_argument("[run_parallel] the function \"{}\" has other arguments or results", name);
  ir::ValueMap map;
  for (std::size_t i = 0; i < arguments.size(); ++i) map[arguments[i]] = operands[i];
  return ir::clone_ops(builder, replicas->body, map);
}

}  // namespace

const ir::OpDef& run_parallel_op() { return kRunParallel; }

std::unique_ptr<ir::Function> with_replicas(const ir::Module& module, const ir::Function& function) {
  return transform::replace_ops(
      function,
      [&](ir::Builder& builder, const ir::Op& op,
          std::span<const ir::Value> operands) -> std::optional<std::vector<ir::Value>> {
        if (&op.def() != &kRunParallel) return std::nullopt;
        return replicas_of(builder, op, module, operands);
      });
}

}  // namespace cornu::inline v0::cli
