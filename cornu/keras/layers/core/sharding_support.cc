#include "cornu/keras/layers/core/sharding_support.h"

#include <array>
#include <memory>
#include <optional>
#include <utility>

#include "cornu/base/check.h"
#include "cornu/base/printable.h"
#include "cornu/keras/initializers/element_values.h"
#include "cornu/keras/layer/variable_initializer.h"
#include "cornu/ops/embedding_lookup/embedding_lookup.h"
#include "cornu/ops/sharded_lookup/sharded_lookup.h"
#include "cornu/tensor/random.h"
#include "cornu/tensor/run/run_op.h"
#include "cornu/tensor/trace/replicas.h"
#include "cornu/tensor/trace/variable_fill.h"
#include "cornu/tensor/trace/variable_parts.h"
#include "cornu/tensor/value/device.h"

namespace cornu::inline v0::keras::layers {

namespace {

/// Makes the parts of a table from the values of their elements.
class PartsInitializer final : public VariableInitializer {
 public:
  PartsInitializer(std::shared_ptr<const Initializer> values, std::string sharding)
      : values_(std::move(values)),
        elements_(dynamic_cast<const ElementInitializer*>(values_.get())),
        sharding_(std::move(sharding)) {}

  std::string class_name() const override { return values_->class_name(); }
  ir::Literal operator()(const Dims& shape, DType dtype) const override { return (*values_)(shape, dtype); }

  Variable variable(const TensorType& type, VariableOptions options) const override {
    const std::optional<std::uint64_t> given = elements_->seed();
    const std::uint64_t seed = given ? *given : elements_->is_random() ? next_seed() : 0;
    const ElementValues values = elements_->element_values(type.dims, type.dtype, seed);
    const Variable table = detail::zero_variable(type, std::move(options));
    shard_table(table, sharding_);
    if (values.at) fill_parts(table, values);
    return table;
  }

 private:
  /// Writes runs of a part's elements: all of them by rows, one for each row by columns.
  static void fill_parts(const Variable& table, const ElementValues& values) {
    const detail::VariableParts& parts = *detail::parts_of(table);
    const TensorType type = parts.type_of(table.type(), 1);
    const std::int64_t rows = table.shape()[0], dim = table.shape()[1], num_parts = parts.extent.num_parts;
    const auto value_of = [&](std::size_t i) {
      const std::int64_t number = parts.first + static_cast<std::int64_t>(i),
                         begin = parts.extent.begin(number), size = parts.extent.size(number);
      ir::Literal part(type);
      const std::span<std::byte> bytes = part.mutable_bytes();
      if (parts.is_dealt) {
        const std::size_t row_bytes = static_cast<std::size_t>(dim) * ir::size_bytes(type.dtype);
        for (std::int64_t row = number; row < rows; row += num_parts)
          write_elements(type.dtype, static_cast<std::uint64_t>(row * dim), values.at,
                         bytes.subspan(static_cast<std::size_t>(row / num_parts) * row_bytes, row_bytes));
        return part;
      }
      const std::int64_t num_runs = parts.axis == 0 ? 1 : rows, run = parts.axis == 0 ? size * dim : size;
      const std::size_t run_bytes = static_cast<std::size_t>(run) * ir::size_bytes(type.dtype);
      for (std::int64_t k = 0; k < num_runs && run > 0; ++k)
        write_elements(type.dtype,
                       static_cast<std::uint64_t>(parts.axis == 0 ? begin * dim : k * dim + begin), values.at,
                       bytes.subspan(static_cast<std::size_t>(k) * run_bytes, run_bytes));
      return part;
    };
    detail::VariableUpdate update;
    update.set_parts(table, value_of);
    update.commit();
  }

  std::shared_ptr<const Initializer> values_;
  const ElementInitializer* elements_;  // of values_
  std::string sharding_;
};

}  // namespace

bool is_sharded(const std::string& sharding) { return sharding != "replicated"; }
std::int64_t axis_of_sharding(const std::string& sharding) { return sharding == "column_wise" ? 1 : 0; }

std::string sharding_problem(const std::string& sharding) {
  for (const char* const known :
       {"replicated", "row_wise", "row_wise_modulo", "column_wise", "table_wise", "auto"})
    if (sharding == known) return {};
  return fmt::format(
      R"(sharding must be "replicated", "row_wise", "row_wise_modulo", "column_wise", "table_wise" or "auto"; got "{}")",
      printable(sharding));
}

InitializerSpec initializer_of_parts(const InitializerSpec& values, const std::string& sharding) {
  const auto& replicas = detail::current_replica_set();
  const bool is_cut = replicas != nullptr && replicas->num_parts() > 1 && is_sharded(sharding);
  const std::shared_ptr<Initializer> made = is_cut ? values.get() : nullptr;
  if (dynamic_cast<const ElementInitializer*>(made.get()) == nullptr) return values;
  return std::make_shared<PartsInitializer>(made, sharding);
}

void shard_table(const Variable& table, const std::string& sharding) {
  if (!is_sharded(sharding) || detail::parts_of(table) != nullptr) return;
  detail::cut(
      table, axis_of_sharding(sharding), fmt::format("sharding = \"{}\"", sharding),
      detail::ValueInReplica::kPart,
      sharding == "row_wise_modulo" ? detail::PartIndices::kDealt : detail::PartIndices::kConsecutive);
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
  const detail::VariableParts& parts = *detail::parts_of(table);
  const ops::TableShards shards{.num_rows = table.shape()[0],
                                .num_shards = num_replicas,
                                .axis = parts.axis,
                                .num_dealt = parts.is_dealt ? parts.extent.num_parts : 0};
  const detail::OwnPartsScope own_part;
  const std::array operands = {table.value(), ids};
  return detail::run_op(detail::OpKey("sharded_lookup"), operands,
                        [&](ir::Builder& b, std::span<const ir::Value> v) {
                          return ops::sharded_lookup(b, v[0], v[1], shards);
                        });
}

}  // namespace cornu::inline v0::keras::layers
