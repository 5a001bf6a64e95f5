#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "cornu/keras/initializers/initializers.h"
#include "cornu/tensor/tensor.h"
#include "cornu/tensor/variable.h"

/// Embedding tables cut over the replicas of a strategy (docs/adr/0128); not part of the interface.
namespace cornu::inline v0::keras::layers {

/// True if the replicas may hold parts: any name but "replicated".
bool is_sharded(const std::string& sharding);
/// The axis along which a sharding cuts a table.
std::int64_t axis_of_sharding(const std::string& sharding);
/// Returns the reason why `sharding` is no name of a sharding; empty if it is one.
std::string sharding_problem(const std::string& sharding);

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
