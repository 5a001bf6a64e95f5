#include "cornu/keras/layers/core/sharding_support.h"

#include <array>

#include "cornu/base/check.h"
#include "cornu/base/printable.h"
#include "cornu/ops/embedding_lookup/embedding_lookup.h"
#include "cornu/ops/sharded_lookup/sharded_lookup.h"
#include "cornu/tensor/run/run_op.h"
#include "cornu/tensor/trace/replicas.h"
#include "cornu/tensor/trace/variable_parts.h"
#include "cornu/tensor/value/device.h"

namespace cornu::inline v0::keras::layers {

namespace {

/// The memory of one replica's device in bytes; 0 if it is unknown.
std::size_t memory_of_device(const ReplicaSet& replicas) {
  const Placement placement = detail::placement_of(replicas.device);
  return placement.client()->devices()[static_cast<std::size_t>(placement.device())].memory_bytes;
}

/// The bytes of a table's largest part on one device.
std::size_t bytes_on_device(const Variable& table, const std::string& sharding, const ReplicaSet& replicas) {
  if (sharding == "replicated") return table.type().size_bytes();
  const std::size_t axis = sharding == "row_wise" ? 0 : 1;
  TensorType part = table.type();
  const runtime::Partition extent{.num_rows = part.dims[axis], .num_parts = replicas.num_parts()};
  part.dims[axis] = extent.part_size() * (replicas.num_parts() / replicas.num_replicas);
  return part.size_bytes();
}

/// "auto": a table stays whole while it takes at most a quarter of a device's memory, which leaves room for
/// two slots of an optimizer.
std::string planned(const Variable& table, const ReplicaSet& replicas) {
  const std::size_t memory = memory_of_device(replicas);
  return memory == 0 || table.type().size_bytes() <= memory / 4 ? "replicated" : "row_wise";
}

void check_fits(const Variable& table, const std::string& sharding, const ReplicaSet& replicas) {
  const std::size_t memory = memory_of_device(replicas), here = bytes_on_device(table, sharding, replicas),
                    by_rows = bytes_on_device(table, "row_wise", replicas);
  if (memory == 0 || here <= memory) return;
  const std::string advice =
      by_rows <= memory ? fmt::format(R"(sharding = "row_wise" would take {} on each of the {} devices)",
                                      by_rows, replicas.num_replicas)
                        : fmt::format(R"(sharding = "row_wise" over at least {} devices would fit)",
                                      (table.type().size_bytes() + memory - 1) / memory);
  fail(ErrorCode::kResourceExhausted, {.argument = "sharding"},
       "[{}] table \"{}\" with sharding = \"{}\" takes {} bytes on each device, which has {}: {}",
       replicas.strategy, printable(table.path()), sharding, here, memory, advice);
}

}  // namespace

bool is_sharded(const std::string& sharding) { return sharding != "replicated"; }

std::string sharding_problem(const std::string& sharding) {
  if (sharding == "replicated" || sharding == "row_wise" || sharding == "column_wise" || sharding == "auto")
    return {};
  return fmt::format(R"(sharding must be "replicated", "row_wise", "column_wise" or "auto"; got "{}")",
                     printable(sharding));
}

void shard_table(const Variable& table, const std::string& asked) {
  const auto& replicas = detail::current_replica_set();
  if (replicas == nullptr || replicas->num_parts() == 1) return;
  const std::string sharding = asked == "auto" ? planned(table, *replicas) : asked;
  check_fits(table, sharding, *replicas);
  if (!is_sharded(sharding)) return;
  const std::int64_t axis = sharding == "row_wise" ? 0 : 1;
  if (axis == 1 && table.shape()[1] % replicas->num_parts() != 0)
    invalid_argument(
        {.argument = "sharding"},
        "[{}] table \"{}\" has {} columns, which {} replicas cannot share evenly: choose a multiple as its "
        "dim, or sharding = \"row_wise\"",
        replicas->strategy, printable(table.path()), table.shape()[1], replicas->num_parts());
  detail::cut(table, axis, fmt::format("sharding = \"{}\"", sharding));
}

Tensor whole_table_rows(const Tensor& table, const Tensor& ids) {
  const std::array operands = {table, ids};
  return detail::run_op(
      detail::OpKey("embedding_lookup"), operands,
      [](ir::Builder& b, std::span<const ir::Value> v) { return ops::embedding_lookup(b, v[0], v[1]); });
}

Tensor table_rows(const Variable& table, const Tensor& ids, const std::function<Tensor()>& whole) {
  const std::int64_t num_replicas = detail::num_replicas_with_parts(table);
  if (num_replicas == 1) return whole_table_rows(whole(), ids);
  const ops::TableShards shards{
      .num_rows = table.shape()[0], .num_shards = num_replicas, .axis = detail::parts_of(table)->axis};
  const std::array operands = {table.value(), ids};
  return detail::run_op(detail::OpKey("sharded_lookup"), operands,
                        [&](ir::Builder& b, std::span<const ir::Value> v) {
                          return ops::sharded_lookup(b, v[0], v[1], shards);
                        });
}

}  // namespace cornu::inline v0::keras::layers
