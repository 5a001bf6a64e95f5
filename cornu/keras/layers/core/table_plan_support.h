#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "cornu/tensor/trace/replicas.h"
#include "cornu/tensor/trace/variable_parts.h"
#include "cornu/tensor/variable.h"

/// Shardings of the embedding tables of a strategy (docs/adr/0142); not part of
/// the interface.
namespace cornu::inline v0::keras::layers {

/// A table that is about to be made.
struct TableToPlace {
  std::string path;
  TensorType type;  // [rows, dim]
  std::string sharding = "replicated";
  std::int64_t ids_per_row = 1;  // ids of a row of a batch, in all features
  /// "table_wise": the bytes on each device of the pool whose first table this is; 0 for its other tables.
  std::size_t pool_bytes = 0;
};

/// Tables of one width that are each whole in one part of a variable (docs/adr/0174).
struct PlannedPool {
  std::vector<std::size_t> tables;          // numbers in the layer, rising
  std::vector<detail::PooledTable> places;  // of each of them
  std::int64_t part_rows = 0;               // rows of each part: those of the fullest one

  TensorType type(DType dtype, std::int64_t dim, std::int64_t num_parts) const {
    return {dtype, {part_rows * num_parts, dim}};
  }
};
/// The pools of the "table_wise" tables, one for each width: the largest tables first, each goes to the part
/// with the fewest rows.
std::vector<PlannedPool> plan_pools(std::span<const TableToPlace> tables, std::int64_t num_parts);

/// The shardings of a layer's tables: the names that they were given, with "auto" replaced.
///
/// While the tables of all layers in a strategy's scope take more than a quarter of a device's memory, which
/// leaves room for slots, "auto" tables are cut by rows: first those that free most memory for each row
/// exchanged in a step. Tables of layers that were built earlier are cut, too, if nothing has used them yet.
/// Without a strategy all are "replicated".
/// Lifetime: that of the layer; its tables count in other plans as long.
/// Threads:  safe, apart from use of the tables meanwhile.
class TablePlan {
 public:
  /// Errors: ResourceExhausted if a device cannot hold a table's part, or the parts of the layer's tables;
  ///         InvalidArgument, naming the table, if dim cannot be divided by the replicas of "column_wise";
  ///         Unimplemented for "table_wise" if the strategy has layouts of its own.
  explicit TablePlan(std::vector<TableToPlace> tables);
  ~TablePlan();
  TablePlan(const TablePlan&) = delete;
  TablePlan& operator=(const TablePlan&) = delete;

  const std::string& sharding(std::size_t i) const { return shardings_[i]; }
  /// The pools of the layer's tables; none without a strategy of several parts.
  std::span<const PlannedPool> pools() const { return pools_; }
  /// The parts of each pool.
  std::int64_t num_parts() const { return replicas_ == nullptr ? 1 : replicas_->num_parts(); }
  /// Takes table i, and cuts it by its sharding if its initializer has not done so. Errors: those of
  /// detail::cut.
  void place(std::size_t i, const Variable& table);

 private:
  friend struct StrategyTables;

  std::shared_ptr<const ReplicaSet> replicas_;  // null: no strategy, and the plan is in no list
  std::vector<TableToPlace> tables_;
  std::vector<std::string> shardings_;
  std::vector<PlannedPool> pools_;
  std::vector<Variable> variables_;  // undefined until they are placed
};

}  // namespace cornu::inline v0::keras::layers
