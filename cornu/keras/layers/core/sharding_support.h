#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "cornu/keras/initializers/initializers.h"
#include "cornu/tensor/tensor.h"
#include "cornu/tensor/variable.h"

/// Embedding tables cut over the replicas of a strategy (docs/adr/0128); not part of the interface.
namespace cornu::inline v0::keras::layers {

/// True if the replicas may hold parts: any name but "replicated".
bool is_sharded(const std::string& sharding);
/// Returns the reason why `sharding` is no name of a sharding; empty if it is one.
std::string sharding_problem(const std::string& sharding);

/// A table that is about to be made.
struct TableToPlace {
  std::string path;
  TensorType type;  // [rows, dim]
  std::string sharding = "replicated";
  std::int64_t ids_per_row = 1;  // ids of a row of a batch, in all features
};

/// Chooses the sharding of a layer's tables together: the names that they were given, with "auto" replaced.
/// While the tables take more than a quarter of a device's memory, which leaves room for slots, "auto" tables
/// are cut by rows: first those that free most memory for each row exchanged in a step.
/// Without a strategy all are "replicated".
/// Errors: ResourceExhausted if a device cannot hold a table's part, or the parts of all tables;
///         InvalidArgument, naming the table, if dim cannot be divided by the replicas of "column_wise".
std::vector<std::string> planned_shardings(std::span<const TableToPlace> tables);

/// An initializer that makes the parts of a table of this planned sharding without the whole table, if each
/// value follows from its index; else `values`.
InitializerSpec initializer_of_parts(const InitializerSpec& values, const std::string& sharding);
/// Cuts a new table [rows, dim] by its planned sharding over the replicas of the scope's strategy. It stays
/// whole without a strategy. Errors: those of detail::cut.
void shard_table(const Variable& table, const std::string& sharding);

/// The rows of a whole table by ids.
Tensor whole_table_rows(const Tensor& table, const Tensor& ids);
/// The rows of a table, or of the parts of it that replicas hold, by ids. `whole` returns the whole table.
Tensor table_rows(const Variable& table, const Tensor& ids, const std::function<Tensor()>& whole);

}  // namespace cornu::inline v0::keras::layers
