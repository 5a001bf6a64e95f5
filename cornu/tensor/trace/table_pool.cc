#include "cornu/tensor/trace/table_pool.h"

#include <algorithm>
#include <memory>
#include <unordered_map>
#include <utility>

#include "cornu/base/check.h"
#include "cornu/base/printable.h"
#include "cornu/tensor/trace/variable_fill.h"
#include "cornu/tensor/trace/variable_state.h"
#include "cornu/tensor/trace/variable_watcher.h"

namespace cornu::inline v0::detail {
namespace {

std::string with_name(const std::string& path, const std::string& name) {
  return path.substr(0, path.rfind('/') + 1) + name;
}

/// "layer_films" for "layer/films": the beginning of the name of a slot.
std::string slot_prefix(std::string path) {
  std::ranges::replace(path, '/', '_');
  return path;
}

Variable table_of(const Variable& pool, const PooledTable& place, const std::string& name) {
  const Variable::State& whole = pool.state();
  const VariableWatcherScope unwatched(nullptr);
  Variable table = zero_variable(
      {whole.type.dtype, {place.num_rows, whole.type.dims[1]}},
      {.name = name, .path = with_name(whole.path, name), .trainable = whole.trainable, .is_table = true});
  auto parts = std::make_shared<VariableParts>(*whole.parts);
  parts->tables.clear();
  parts->place = place;
  Variable::State& state = table.state();
  state.parts = std::move(parts);
  state.device = whole.device;
  state.replicas = whole.replicas;
  return table;
}

void set_tables(const Variable& pool, std::vector<Variable> tables) {
  auto parts = std::make_shared<VariableParts>(*parts_of(pool));
  parts->tables = std::move(tables);
  pool.state().parts = std::move(parts);
}

}  // namespace

void make_tables(const Variable& pool, std::span<const PooledTable> tables) {
  CORNU_CHECK(parts_of(pool) != nullptr && parts_of(pool)->axis == 0, "\"{}\" is not cut by rows",
              pool.path());
  std::vector<Variable> made;
  for (const PooledTable& table : tables) made.push_back(table_of(pool, table, table.name));
  set_tables(pool, std::move(made));
}

void make_tables_like(const Variable& slot, const Variable& weight) {
  std::vector<Variable> made;
  const std::string prefix = slot_prefix(weight.path());
  for (const Variable& table : parts_of(weight)->tables) {
    std::string name = slot.name();
    if (name.starts_with(prefix)) name.replace(0, prefix.size(), slot_prefix(table.path()));
    made.push_back(table_of(slot, *parts_of(table)->place, name));
  }
  set_tables(slot, std::move(made));
}

Variable ListedVariable::of(std::span<const Variable> list) const {
  return table.has_value() ? parts_of(list[index])->tables[*table] : list[index];
}

std::vector<ListedVariable> order_with_tables(std::span<const Variable> variables) {
  std::size_t count = 0;
  for (const Variable& variable : variables)
    count += is_pool(variable) ? parts_of(variable)->tables.size() : 1;
  std::vector<std::optional<ListedVariable>> listed(count);
  std::size_t next = 0;
  for (std::size_t i = 0; i < variables.size(); ++i) {
    while (next < count && listed[next].has_value()) ++next;
    if (!is_pool(variables[i])) {
      listed[next] = ListedVariable{i};
      continue;
    }
    const VariableParts* const parts = parts_of(variables[i]);
    const std::size_t first = next, before = parts_of(parts->tables[0])->place->position;
    for (std::size_t t = 0; t < parts->tables.size(); ++t) {
      std::size_t at = first + parts_of(parts->tables[t])->place->position - before;
      if (at >= count || listed[at].has_value()) at = next;  // some weights of the layer are not in the list
      listed[at] = ListedVariable{i, t};
      while (next < count && listed[next].has_value()) ++next;
    }
  }
  std::vector<ListedVariable> order;
  for (const std::optional<ListedVariable>& one : listed) order.push_back(*one);
  return order;
}

std::vector<Variable> with_tables(std::span<const Variable> variables) {
  if (std::ranges::none_of(variables, is_pool)) return {variables.begin(), variables.end()};
  std::vector<Variable> all;
  all.reserve(variables.size());
  for (const ListedVariable& one : order_with_tables(variables)) all.push_back(one.of(variables));
  return all;
}

std::vector<Variable> with_pools(std::vector<Variable> variables, std::span<const Variable> pools) {
  if (pools.empty()) return variables;
  std::unordered_map<Variable::Id, std::size_t> pool_of;
  for (std::size_t i = 0; i < pools.size(); ++i)
    for (const Variable& table : parts_of(pools[i])->tables) pool_of.emplace(table.id(), i);
  std::vector<std::size_t> num_found(pools.size(), 0);
  std::vector<Variable> all;
  for (Variable& variable : variables) {
    const auto found = pool_of.find(variable.id());
    if (found == pool_of.end())
      all.push_back(std::move(variable));
    else if (num_found[found->second]++ == 0)
      all.push_back(pools[found->second]);
  }
  for (std::size_t i = 0; i < pools.size(); ++i)
    if (num_found[i] != 0 && num_found[i] != parts_of(pools[i])->tables.size())
      invalid_argument(
          {.argument = "trainable"},
          "[variable] some tables of the pool \"{}\" are frozen, and others are trained: tables "
          "with sharding = \"table_wise\" and one dim are trained together; freeze the layer, or "
          "give the frozen tables sharding = \"row_wise\"",
          printable(pools[i].path()));
  return all;
}

void refuse_table_of_pool(const Variable& variable, const char* where) {
  if (!is_in_pool(variable)) return;
  fail(
      ErrorCode::kUnimplemented, {.argument = "sharding"},
      "[variable] table \"{}\" with sharding = \"table_wise\" cannot be used in {}: there its layer uses the "
      "pool that has the table, one of trainable_weights(); read the table outside of it, or give it "
      "sharding = \"row_wise\"",
      printable(variable.path()), where);
}

}  // namespace cornu::inline v0::detail
