#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "cornu/tensor/trace/variable.h"
#include "cornu/tensor/trace/variable_parts.h"

/// Pools: variables in parts by rows, in which each of several tables of one width is whole in one part
/// (docs/adr/0174). Programs and optimizers use the pool; values, states and files those of its tables.
namespace cornu::inline v0::detail {

/// Makes the variables of the tables of a pool, which has been cut by rows. They have the pool's dtype and
/// columns, and share its parts; their paths end in their names.
void make_tables(const Variable& pool, std::span<const PooledTable> tables);
/// Makes a slot's tables, named after the slot and the weight's tables. The slot has been cut like the weight.
void make_tables_like(const Variable& slot, const Variable& weight);

/// True for a pool, which has tables.
inline bool is_pool(const Variable& variable) {
  return parts_of(variable) != nullptr && !parts_of(variable)->tables.empty();
}
/// True for a table of a pool.
inline bool is_in_pool(const Variable& variable) {
  return parts_of(variable) != nullptr && parts_of(variable)->place.has_value();
}

/// An element of a list of variables in which pools are replaced by their tables.
struct ListedVariable {
  std::size_t index = 0;                  // of the variable in the original list
  std::optional<std::size_t> table = {};  // of the variable, if that is a pool
  /// The variable of `list`, the original list or one of slots made for it.
  Variable of(std::span<const Variable> list) const;
};
/// The order of the variables of layers, or of slots made for them, with tables in place of pools: each table
/// is at its position among the weights of its layer.
std::vector<ListedVariable> order_with_tables(std::span<const Variable> variables);
std::vector<Variable> with_tables(std::span<const Variable> variables);
/// The opposite of with_tables: pools in place of their tables. Errors: InvalidArgument if some tables of a
/// pool are not among the variables.
std::vector<Variable> with_pools(std::vector<Variable> variables, std::span<const Variable> pools);

/// Throws Unimplemented if the variable is in a pool: a replica, a loop, a branch or a gradient would use it.
void refuse_table_of_pool(const Variable& variable, const char* where);

}  // namespace cornu::inline v0::detail
