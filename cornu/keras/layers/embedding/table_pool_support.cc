#include "cornu/keras/layers/embedding/table_pool_support.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "cornu/base/check.h"
#include "cornu/keras/initializers/element_values.h"
#include "cornu/keras/layer/deferred_initialization.h"
#include "cornu/keras/layer/variable_initializer.h"
#include "cornu/keras/layers/core/sharding_support.h"
#include "cornu/tensor/custom_gradient.h"
#include "cornu/tensor/device.h"
#include "cornu/tensor/ops.h"
#include "cornu/tensor/random.h"
#include "cornu/tensor/trace.h"
#include "cornu/tensor/trace/table_pool.h"
#include "cornu/tensor/trace/variable_parts.h"
#include "cornu/tensor/value/device.h"

namespace cornu::inline v0::keras::layers {
namespace {

class PoolInitializer final : public VariableInitializer {
 public:
  explicit PoolInitializer(const PlannedPool& plan) : plan_(plan) {}

  std::string class_name() const override { return "Zeros"; }
  ir::Literal operator()(const Dims& shape, DType dtype) const override {
    return ir::Literal(TensorType{dtype, shape});
  }

  Variable variable(const TensorType& type, VariableOptions options) const override {
    const Variable pool = cornu::detail::zero_variable(type, std::move(options));
    cornu::detail::cut(pool, 0, "sharding = \"table_wise\"");
    cornu::detail::make_tables(pool, plan_.places);
    return pool;
  }

  /// A file has values for the tables, not for the rows between them.
  Variable deferred(DeferredInitialization& allowance, const TensorType& type,
                    VariableOptions options) const override {
    for (const cornu::detail::PooledTable& table : plan_.places)
      allowance.weight({type.dtype, {table.num_rows, type.dims[1]}}, {.name = table.name});
    return variable(type, std::move(options));
  }

 private:
  const PlannedPool& plan_;
};

/// Numbers of rows in the pool: those of the table's part, from the table's first row on.
Tensor numbers_in_pool(const IdsOfTable& feature, const PlannedPool& plan, std::int64_t num_rows) {
  const cornu::detail::PooledTable& place = *feature.place;
  const bool are_small = num_rows <= std::numeric_limits<std::int32_t>::max() &&
                         ir::size_bytes(feature.ids.dtype()) <= sizeof(std::int32_t) &&
                         feature.ids.dtype() != DType::kU32;
  Tensor ids = feature.ids;
  if (ids.dtype() == DType::kU64) ids = ops::minimum(ids, place.num_rows - 1);  // before they become negative
  const DType dtype = are_small ? DType::kI32 : DType::kI64;
  if (ids.dtype() != dtype) ids = ops::cast(ids, dtype);
  return ops::clip(ids, 0, place.num_rows - 1) + (place.part * plan.part_rows + place.begin);
}

/// Rows [batch, n, dim] of all features as those of each. Their gradients are joined: the gradients of slices
/// would be as many sums of padded values.
std::vector<Tensor> apart(const Tensor& all, std::span<const Tensor> numbers) {
  std::vector<Tensor> slices;
  std::int64_t begin = 0;
  for (const Tensor& one : numbers) {
    const std::int64_t end = begin + (one.rank() == 1 ? 1 : one.shape()[1]);
    slices.push_back(all.slice({{}, {.begin = begin, .end = end}}));
    begin = end;
  }
  const std::array inputs = {all};
  std::vector<Tensor> rows = cornu::detail::with_gradient(
      inputs, slices,
      [](std::span<const Tensor> gradients) { return std::vector<Tensor>{ops::concatenate(gradients, 1)}; });
  for (std::size_t i = 0; i < rows.size(); ++i)
    if (numbers[i].rank() == 1) rows[i] = ops::squeeze(rows[i], {.axis = 1});
  return rows;
}

}  // namespace

InitializerSpec pool_initializer(const PlannedPool& plan) { return std::make_shared<PoolInitializer>(plan); }

void stage_initial_values(const Variable& table, const InitializerSpec& values,
                          cornu::detail::VariableUpdate& update) {
  const std::shared_ptr<Initializer> made = values.get();
  const TensorType& type = table.type();
  WeightLimit::claim(type, table.path());
  if (const auto* const elements = dynamic_cast<const ElementInitializer*>(made.get())) {
    const std::optional<std::uint64_t> given = elements->seed();
    const std::uint64_t seed = given ? *given : elements->is_random() ? next_seed() : 0;
    const ElementValues of_index = elements->element_values(type.dims, type.dtype, seed);
    if (!of_index.at) return;  // zeros
    return update.set_rows(table, [dtype = type.dtype, at = of_index.at](std::span<std::byte> rows) {
      write_elements(dtype, 0, at, rows);
    });
  }
  const EagerScope outside_of_traces;  // initializers may compute tensors
  const cornu::detail::HostScope on_host;
  const ir::Literal value = (*made)(type.dims, type.dtype);
  update.set_whole(table, value.bytes().data());
}

std::vector<Tensor> rows_of_pool(const Variable& pool, const PlannedPool& plan,
                                 std::span<const IdsOfTable> features) {
  const auto lookup = [&](const Tensor& numbers) {
    return table_rows(pool, numbers, [&] { return pool.value(); });
  };
  std::vector<Tensor> numbers;
  for (const IdsOfTable& feature : features)
    numbers.push_back(numbers_in_pool(feature, plan, pool.shape()[0]));
  if (numbers.size() == 1) return {lookup(numbers[0])};
  const bool are_long =
      std::ranges::any_of(numbers, [](const Tensor& n) { return n.dtype() == DType::kI64; });
  std::vector<Tensor> columns;
  for (const Tensor& one : numbers) {
    const Tensor wide = are_long && one.dtype() != DType::kI64 ? ops::cast(one, DType::kI64) : one;
    columns.push_back(wide.rank() == 1 ? ops::expand_dims(wide, 1) : wide);
  }
  return apart(lookup(ops::concatenate(columns, {.axis = 1})), numbers);
}

}  // namespace cornu::inline v0::keras::layers
