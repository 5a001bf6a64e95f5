#pragma once

#include <span>
#include <vector>

#include "cornu/keras/initializers/initializers.h"
#include "cornu/keras/layers/core/table_plan_support.h"
#include "cornu/tensor/tensor.h"
#include "cornu/tensor/trace/variable_fill.h"
#include "cornu/tensor/variable.h"

/// Pools of embedding tables, each of which is whole on one device (docs/adr/0174); not part of the interface.
namespace cornu::inline v0::keras::layers {

/// An initializer that makes the variable of a pool, of zeros, with its tables. Lifetime: the plan outlives it.
InitializerSpec pool_initializer(const PlannedPool& plan);
/// Stages the values that the initializer gives to a table that is no part of a pool.
void stage_initial_values(const Variable& table, const InitializerSpec& values,
                          cornu::detail::VariableUpdate& update);

/// The ids of a feature that reads one of a pool's tables.
struct IdsOfTable {
  Tensor ids;  // integers [batch] or [batch, n]
  const cornu::detail::PooledTable* place = nullptr;
};
/// The rows of several features of a pool, [batch, dim] or [batch, n, dim]: one lookup and one exchange for
/// all. Ids outside of a table read its first or last row.
std::vector<Tensor> rows_of_pool(const Variable& pool, const PlannedPool& plan,
                                 std::span<const IdsOfTable> features);

}  // namespace cornu::inline v0::keras::layers
