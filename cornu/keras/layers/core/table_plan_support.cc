#include "cornu/keras/layers/core/table_plan_support.h"

#include <algorithm>
#include <functional>
#include <mutex>
#include <numeric>
#include <optional>
#include <utility>

#include "cornu/base/check.h"
#include "cornu/base/printable.h"
#include "cornu/keras/layers/core/sharding_support.h"
#include "cornu/runtime/partition.h"
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
std::size_t bytes_on_device(const TableToPlace& table, const std::string& sharding,
                            const ReplicaSet& replicas) {
  if (sharding == "replicated" || sharding == "auto") return table.type.size_bytes();
  if (sharding == "table_wise") return table.pool_bytes;
  const auto axis = static_cast<std::size_t>(axis_of_sharding(sharding));
  TensorType part = table.type;
  const runtime::Partition extent{.num_rows = part.dims[axis], .num_parts = replicas.num_parts()};
  part.dims[axis] = extent.part_size() * (replicas.num_parts() / replicas.num_replicas);
  return part.size_bytes();
}

void check_table(const TableToPlace& table, const ReplicaSet& replicas) {
  if (table.sharding == "column_wise" && table.type.dims[1] % replicas.num_parts() != 0)
    invalid_argument(
        {.argument = "sharding"},
        "[{}] table \"{}\" has {} columns, which {} replicas cannot share evenly: choose a multiple as its "
        "dim, or sharding = \"row_wise\"",
        replicas.strategy, printable(table.path), table.type.dims[1], replicas.num_parts());
  if (table.sharding == "table_wise" && replicas.cut_axis)
    fail(ErrorCode::kUnimplemented, {.argument = "sharding"},
         "[{}] table \"{}\" has sharding = \"table_wise\", and the strategy stores weights by a layout map: "
         "give the table sharding = \"row_wise\", or a layout",
         replicas.strategy, printable(table.path));
}

void check_fits(const TableToPlace& table, const std::string& sharding, const ReplicaSet& replicas) {
  const bool is_on_one = sharding == "table_wise";
  const std::size_t memory = memory_of_device(replicas),
                    here = is_on_one ? table.type.size_bytes() : bytes_on_device(table, sharding, replicas),
                    by_rows = bytes_on_device(table, "row_wise", replicas);
  if (memory == 0 || here <= memory) return;
  const std::string advice =
      by_rows <= memory ? fmt::format(R"(sharding = "row_wise" would take {} on each of the {} devices)",
                                      by_rows, replicas.num_replicas)
                        : fmt::format(R"(sharding = "row_wise" over at least {} devices would fit)",
                                      (table.type.size_bytes() + memory - 1) / memory);
  fail(ErrorCode::kResourceExhausted, {.argument = "sharding"},
       "[{}] table \"{}\" with sharding = \"{}\" takes {} bytes on {} device, which has {}: {} bytes are "
       "missing; {}",
       replicas.strategy, printable(table.path), sharding, here, is_on_one ? "one" : "each", memory,
       here - memory, advice);
}

/// The bytes of all tables on one device.
std::size_t bytes_of_all(std::span<const TableToPlace> tables, std::span<const std::string> shardings,
                         const ReplicaSet& replicas) {
  std::size_t bytes = 0;
  for (std::size_t i = 0; i < tables.size(); ++i) bytes += bytes_on_device(tables[i], shardings[i], replicas);
  return bytes;
}

void check_all_fit(std::span<const TableToPlace> tables, std::span<const std::string> shardings,
                   const ReplicaSet& replicas) {
  const std::size_t memory = memory_of_device(replicas), here = bytes_of_all(tables, shardings, replicas);
  if (here <= memory) return;
  const std::vector<std::string> rows(tables.size(), "row_wise");
  const std::size_t by_rows = bytes_of_all(tables, rows, replicas);
  std::size_t whole = 0;
  std::vector<std::string> others;
  for (std::size_t i = 0; i < tables.size(); ++i) {
    whole += tables[i].type.size_bytes();
    if (shardings[i] == "replicated" || shardings[i] == "table_wise")
      others.push_back(fmt::format("\"{}\"", printable(tables[i].path)));
  }
  const std::string advice =
      by_rows <= memory
          ? fmt::format(R"(sharding = "row_wise" for {} would take {} on each of the {} devices)",
                        fmt::join(others, ", "), by_rows, replicas.num_replicas)
          : fmt::format(R"(sharding = "row_wise" of all over at least {} devices would fit)",
                        (whole + memory - 1) / memory);
  fail(ErrorCode::kResourceExhausted, {.argument = "sharding"},
       "[{}] the {} tables of \"{}\" and others take {} bytes on each device, which has {}: {} bytes are "
       "missing; {}",
       replicas.strategy, tables.size(), printable(tables[0].path), here, memory, here - memory, advice);
}

/// The number of the "auto" table that frees most bytes for each element exchanged; none if all are placed.
std::optional<std::size_t> next_to_cut(std::span<const TableToPlace> tables,
                                       std::span<const std::string> shardings, const ReplicaSet& replicas) {
  std::optional<std::size_t> best;
  double most = 0;
  for (std::size_t i = 0; i < tables.size(); ++i) {
    if (shardings[i] != "auto") continue;
    const std::size_t whole = tables[i].type.size_bytes();
    const std::size_t freed = whole - std::min(whole, bytes_on_device(tables[i], "row_wise", replicas));
    const double exchanged = static_cast<double>(std::max<std::int64_t>(tables[i].ids_per_row, 1)) *
                             static_cast<double>(tables[i].type.dims[1]);
    if (static_cast<double>(freed) / exchanged <= most) continue;
    most = static_cast<double>(freed) / exchanged;
    best = i;
  }
  return best;
}

/// Replaces "auto" in `shardings` by "row_wise" while all tables take more than a quarter of the memory, then
/// by "replicated".
void decide(std::span<const TableToPlace> tables, std::span<std::string> shardings,
            const ReplicaSet& replicas) {
  const std::size_t memory = memory_of_device(replicas);
  while (memory > 0 && bytes_of_all(tables, shardings, replicas) > memory / 4) {
    const std::optional<std::size_t> next = next_to_cut(tables, shardings, replicas);
    if (!next.has_value()) break;
    shardings[*next] = "row_wise";
  }
  std::ranges::replace(shardings, "auto", "replicated");
}

/// Gives each table of a pool its place.
void fill_pool(std::span<const TableToPlace> tables, std::int64_t num_parts, PlannedPool& pool) {
  std::vector<std::size_t> by_size(pool.tables.size());
  std::iota(by_size.begin(), by_size.end(), std::size_t{0});
  const auto rows_of = [&](std::size_t k) { return tables[pool.tables[k]].type.dims[0]; };
  std::ranges::stable_sort(by_size, std::ranges::greater(), rows_of);
  std::vector<std::int64_t> filled(static_cast<std::size_t>(num_parts), 0);
  pool.places.resize(pool.tables.size());
  for (const std::size_t k : by_size) {
    const auto least = std::ranges::min_element(filled);
    const std::string& path = tables[pool.tables[k]].path;
    pool.places[k] = {.name = path.substr(path.rfind('/') + 1),
                      .num_rows = rows_of(k),
                      .part = least - filled.begin(),
                      .begin = *least,
                      .position = pool.tables[k]};
    *least += rows_of(k);
  }
  pool.part_rows = *std::ranges::max_element(filled);
}

/// The plans that are alive.
struct Plans {
  std::mutex mutex;
  std::vector<TablePlan*> all;
};
Plans& plans() {
  static Plans& all = *new Plans;
  return all;
}

}  // namespace

/// The tables of all plans of a strategy, with a new plan's tables at the end.
struct StrategyTables {
  std::vector<TableToPlace> tables;
  std::vector<std::string> shardings;
  std::vector<std::pair<TablePlan*, std::size_t>> owners;

  void add(TablePlan& plan) {
    for (std::size_t i = 0; i < plan.tables_.size(); ++i) {
      const bool is_new = plan.shardings_[i].empty();
      const bool is_open = plan.tables_[i].sharding == "auto" &&
                           (is_new || (plan.shardings_[i] == "replicated" && plan.variables_[i].defined() &&
                                       detail::may_be_cut(plan.variables_[i])));
      tables.push_back(plan.tables_[i]);
      shardings.push_back(is_open || is_new ? plan.tables_[i].sharding : plan.shardings_[i]);
      owners.emplace_back(&plan, i);
    }
  }

  /// Cuts the tables of earlier plans whose sharding has changed, and gives the
  /// new plan its own.
  void apply() {
    for (std::size_t i = 0; i < owners.size(); ++i) {
      auto& [plan, at] = owners[i];
      const bool is_earlier = !plan->shardings_[at].empty();
      if (is_earlier && plan->shardings_[at] != shardings[i]) shard_table(plan->variables_[at], shardings[i]);
      plan->shardings_[at] = shardings[i];
    }
  }
};

std::vector<PlannedPool> plan_pools(std::span<const TableToPlace> tables, std::int64_t num_parts) {
  std::vector<PlannedPool> pools;
  for (std::size_t i = 0; i < tables.size(); ++i) {
    if (tables[i].sharding != "table_wise") continue;
    const auto has_width = [&](const PlannedPool& pool) {
      const TensorType& type = tables[pool.tables[0]].type;
      return type.dims[1] == tables[i].type.dims[1] && type.dtype == tables[i].type.dtype;
    };
    const auto found = std::ranges::find_if(pools, has_width);
    (found == pools.end() ? pools.emplace_back() : *found).tables.push_back(i);
  }
  for (PlannedPool& pool : pools) fill_pool(tables, num_parts, pool);
  return pools;
}

TablePlan::TablePlan(std::vector<TableToPlace> tables)
    : tables_(std::move(tables)), shardings_(tables_.size()), variables_(tables_.size()) {
  const auto& replicas = detail::current_replica_set();
  if (replicas == nullptr || replicas->num_parts() == 1) {
    std::ranges::fill(shardings_, "replicated");
    return;
  }
  for (const TableToPlace& table : tables_) check_table(table, *replicas);
  pools_ = plan_pools(tables_, replicas->num_parts());
  const std::int64_t parts_of_device = replicas->num_parts() / replicas->num_replicas;
  for (const PlannedPool& pool : pools_) {
    TableToPlace& first = tables_[pool.tables[0]];
    first.pool_bytes = pool.type(first.type.dtype, first.type.dims[1], parts_of_device).size_bytes();
  }
  const std::lock_guard lock(plans().mutex);
  StrategyTables all;
  for (TablePlan* const plan : plans().all)
    if (plan->replicas_ == replicas) all.add(*plan);
  all.add(*this);
  decide(all.tables, all.shardings, *replicas);
  const std::span own = std::span(all.shardings).last(tables_.size());
  for (std::size_t i = 0; i < tables_.size(); ++i) check_fits(tables_[i], own[i], *replicas);
  if (memory_of_device(*replicas) > 0) check_all_fit(tables_, own, *replicas);
  plans().all.reserve(plans().all.size() + 1);
  all.apply();
  replicas_ = replicas;
  plans().all.push_back(this);
}

TablePlan::~TablePlan() {
  const std::lock_guard lock(plans().mutex);
  std::erase(plans().all, this);
}

void TablePlan::place(std::size_t i, const Variable& table) {
  shard_table(table, shardings_[i]);
  const std::lock_guard lock(plans().mutex);
  variables_[i] = table;
}

}  // namespace cornu::inline v0::keras::layers
