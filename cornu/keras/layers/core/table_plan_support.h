#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "cornu/tensor/trace/replicas.h"
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
};

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
  ///         InvalidArgument, naming the table, if dim cannot be divided by the replicas of "column_wise".
  explicit TablePlan(std::vector<TableToPlace> tables);
  ~TablePlan();
  TablePlan(const TablePlan&) = delete;
  TablePlan& operator=(const TablePlan&) = delete;

  const std::string& sharding(std::size_t i) const { return shardings_[i]; }
  /// Takes table i, and cuts it by its sharding if its initializer has not done so. Errors: those of
  /// detail::cut.
  void place(std::size_t i, const Variable& table);

 private:
  friend struct StrategyTables;

  std::shared_ptr<const ReplicaSet> replicas_;  // null: no strategy, and the plan is in no list
  std::vector<TableToPlace> tables_;
  std::vector<std::string> shardings_;
  std::vector<Variable> variables_;  // undefined until they are placed
};

}  // namespace cornu::inline v0::keras::layers
