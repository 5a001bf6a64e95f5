#include "cornu/keras/layers/embedding/distributed_embedding.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <unordered_map>
#include <utility>

#include "cornu/base/check.h"
#include "cornu/base/printable.h"
#include "cornu/keras/base/fault.h"
#include "cornu/keras/layer/deferred_initialization.h"
#include "cornu/keras/layer/layer_settings_support.h"
#include "cornu/keras/layer/table_file_initializer.h"
#include "cornu/keras/layers/core/sharding_support.h"
#include "cornu/keras/layers/core/table_plan_support.h"
#include "cornu/keras/layers/embedding/table_pool_support.h"
#include "cornu/ops/initialize_rows/initialize_rows.h"
#include "cornu/tensor/ops.h"
#include "cornu/tensor/run/run_op.h"
#include "cornu/tensor/trace.h"
#include "cornu/tensor/trace/variable_fill.h"
#include "cornu/tensor/trace/variable_parts.h"
#include "cornu/tensor/trace/variable_storage.h"

namespace cornu::inline v0::keras::layers {
namespace {

InitializerSpec initializer_of(const TableConfig& table) {
  if (table.initializer.is_set()) return table.initializer;
  return initializers::TruncatedNormal({.stddev = 1.0 / std::sqrt(static_cast<double>(table.dim))});
}

/// True if the tables are equal apart from their initializers, sharding and files.
bool have_one_form(const TableConfig& a, const TableConfig& b) {
  return a.vocabulary_size == b.vocabulary_size && a.dim == b.dim && a.combiner == b.combiner;
}

bool have_one_initializer(const InitializerSpec& a, const InitializerSpec& b) {
  if (a.is_set() != b.is_set()) return false;
  if (!a.is_set() || (a.is_name() && b.is_name() && a.text() == b.text())) return true;
  const std::shared_ptr<Initializer> first = a.get(), second = b.get();
  if (first == second) return true;
  if (first->description().class_name.empty() || second->description().class_name.empty()) return false;
  return saving::serialize(*first) == saving::serialize(*second);
}

/// The rows of a table that is kept in a file, after they have their initial values.
Tensor lookup_in_file(const Variable& table, const detail::VariableStorage& storage, const Tensor& ids) {
  if (Trace::current() == nullptr) {
    storage.initialize_rows(ids);
    // A tape must see that the variable is read.
    return whole_table_rows(detail::op_recorders().empty() ? storage.rows() : table.value(), ids);
  }
  const Tensor rows = table.value();
  const Tensor signed_ids =
      ids.dtype() == DType::kI32 || ids.dtype() == DType::kI64 ? ids : ops::cast(ids, DType::kI64);
  const std::array operands = {rows, signed_ids};
  const Tensor initialized = detail::run_op(detail::OpKey("initialize_rows"), operands,
                                            [&](ir::Builder& b, std::span<const ir::Value> v) {
                                              return ops::initialize_rows(b, v[0], v[1], table.name());
                                            });
  return whole_table_rows(rows, initialized);
}

/// Divides sums of weighted rows [batch, dim] as the combiner specifies; `add` adds the weights, or their
/// squares, in the same way and returns [batch, 1].
template <typename Add>
Tensor combined(const Tensor& sum, const Tensor& weights, const std::string& combiner, const Add& add) {
  if (combiner == "sum") return sum;
  const bool is_mean = combiner == "mean";
  const Tensor total = add(is_mean ? weights : ops::square(weights));
  const Tensor is_zero = ops::equal(total, 0);
  // Away from the root's steep slope at 0, where a gradient of zero would become NaN.
  const Tensor divisor = ops::where(is_zero, 1, total);
  return ops::where(is_zero, 0, sum / (is_mean ? divisor : ops::sqrt(divisor)));
}

/// ids [batch, n] -> [batch, length]: truncated, or padded with -1.
Tensor with_length(const Tensor& ids, std::int64_t length) {
  const std::int64_t n = ids.shape()[1];
  if (n > length) return ids.slice({{}, {.end = length}});
  if (n == length) return ids;
  const Tensor with_sign = ir::is_unsigned_integer(ids.dtype()) ? ops::cast(ids, DType::kI64) : ids;
  return ops::pad(with_sign, {{0, 0}, {0, length - n}}, {.constant_values = -1});
}

class DistributedEmbeddingLayer : public Layer {
 public:
  explicit DistributedEmbeddingLayer(DistributedEmbeddingOptions options)
      : Layer(layer_settings("DistributedEmbedding", options)),
        features_(std::move(options.feature_configs)) {
    if (features_.empty()) option_error("feature_configs must hold at least one feature");
    for (std::size_t i = 0; i < features_.size(); ++i) {
      if (features_[i].name.empty()) features_[i].name = fmt::format("feature_{}", i);
      check_feature(features_[i]);
      add_table(features_[i].table);
      for (std::size_t k = 0; k < i; ++k)
        if (features_[k].name == features_[i].name)
          option_error(fmt::format("two features are called \"{}\"", printable(features_[i].name)));
    }
    set_autocast(false);
    set_type_rule(TypeRule::kOverridden);
    set_supports_masking(std::any_of(features_.begin(), features_.end(), [](const FeatureConfig& feature) {
      return feature.max_sequence_length > 0;
    }));
  }

  std::vector<std::string> input_names() const override {
    std::vector<std::string> names;
    for (const FeatureConfig& feature : features_) {
      names.push_back(feature.name);
      if (feature.packed) names.push_back(feature.name + "_rows");
      if (feature.weighted) names.push_back(feature.name + "_weights");
    }
    return names;
  }

  std::vector<TensorType> compute_output_types(std::span<const TensorType> inputs) const override {
    const std::vector<Dims> shapes = shapes_of(inputs);
    check_shapes(shapes);
    std::vector<TensorType> types;
    std::size_t at = 0;
    for (const FeatureConfig& feature : features_) {
      Dims dims = {shapes[at][0], feature.table.dim};
      if (feature.max_sequence_length > 0) dims.insert(dims.begin() + 1, feature.max_sequence_length);
      types.push_back({compute_dtype(), std::move(dims)});
      at += num_inputs(feature);
    }
    return types;
  }

  std::vector<Tensor> compute_mask(std::span<const Tensor> inputs,
                                   std::span<const Tensor> outputs) const override {
    std::vector<Tensor> masks(outputs.size());
    std::size_t at = 0;
    for (std::size_t i = 0; i < features_.size(); ++i) {
      if (const std::int64_t length = features_[i].max_sequence_length; length > 0)
        masks[i] = ops::greater_equal(with_length(integers(inputs[at]), length), 0);
      at += num_inputs(features_[i]);
    }
    return masks;
  }

 protected:
  void build_for(std::span<const Dims> input_shapes) override {
    check_shapes(input_shapes);
    variables_.clear();
    plan_ = std::make_unique<TablePlan>(tables_to_place(input_shapes));
    pools_.assign(plan_->pools().size(), Variable());
    detail::VariableUpdate initial_values;
    for (std::size_t i = 0; i < tables_.size(); ++i) {
      const TableConfig& table = tables_[i];
      if (plan_->sharding(i) == "table_wise") {
        add_to_pool(i, initial_values);
        continue;
      }
      InitializerSpec initializer = initializer_of_parts(initializer_of(table), plan_->sharding(i));
      if (!table.file.empty())
        initializer = std::make_shared<TableFileInitializer>(table.file, initializer.get());
      const Variable made = add_weight({.name = table.name,
                                        .shape = {table.vocabulary_size, table.dim},
                                        .initializer = initializer,
                                        .is_table = true});
      plan_->place(i, made);
      variables_.emplace(table.name, made);
    }
    initial_values.commit();
  }

  std::vector<Tensor> call_for(std::span<const Tensor> inputs, const CallContext&) override {
    check_shapes(shapes_of(inputs));
    std::vector<Tensor> outputs;
    std::size_t at = 0;
    std::vector<Tensor> vectors = rows_of_pools(inputs);
    for (std::size_t i = 0; i < features_.size(); ++i) {
      const FeatureConfig& feature = features_[i];
      const Tensor ids = ids_of(feature, inputs[at++]);
      const Tensor rows = feature.packed ? integers(inputs[at++]) : Tensor();
      if (!vectors[i].defined()) vectors[i] = rows_of(feature.table, ids);
      const Tensor result =
          output_of(feature, ids, vectors[i], rows, feature.weighted ? inputs[at++] : Tensor());
      outputs.push_back(result.dtype() == compute_dtype() ? result : ops::cast(result, compute_dtype()));
    }
    return outputs;
  }

 private:
  static std::size_t num_inputs(const FeatureConfig& feature) {
    return 1 + (feature.packed ? 1 : 0) + (feature.weighted ? 1 : 0);
  }

  std::vector<TableToPlace> tables_to_place(std::span<const Dims> input_shapes) const {
    std::vector<TableToPlace> tables;
    for (const TableConfig& table : tables_) {
      TableToPlace& made =
          tables.emplace_back(TableToPlace{.path = path() + "/" + table.name,
                                           .type = {variable_dtype(), {table.vocabulary_size, table.dim}},
                                           .sharding = table.sharding,
                                           .ids_per_row = 0});
      std::size_t at = 0;
      for (const FeatureConfig& feature : features_) {
        const Dims& shape = input_shapes[at];
        if (feature.table.name == table.name)
          made.ids_per_row += shape.size() > 1 ? std::max<std::int64_t>(shape[1], 1) : 1;
        at += num_inputs(feature);
      }
    }
    return tables;
  }

  /// The number of the pool that has table i, and of the table in it.
  std::pair<std::size_t, std::size_t> place_in_pools(std::size_t i) const {
    const auto has_table = [&](const PlannedPool& pool) {
      return std::ranges::find(pool.tables, i) != pool.tables.end();
    };
    const auto pool = std::ranges::find_if(plan_->pools(), has_table);
    CORNU_CHECK(pool != plan_->pools().end(), "table {} is in no pool", i);
    return {pool - plan_->pools().begin(), std::ranges::find(pool->tables, i) - pool->tables.begin()};
  }

  void add_to_pool(std::size_t i, detail::VariableUpdate& initial_values) {
    const auto [p, k] = place_in_pools(i);
    const PlannedPool& plan = plan_->pools()[p];
    const TableConfig& table = tables_[i];
    if (!pools_[p].defined())
      pools_[p] = add_weight({.name = fmt::format("tables_{}", table.dim),
                              .shape = plan.type(variable_dtype(), table.dim, plan_->num_parts()).dims,
                              .initializer = pool_initializer(plan),
                              .is_table = true});
    const auto* const parts = detail::parts_of(pools_[p]);
    if (parts == nullptr) return;  // a trace of types
    if (DeferredInitialization::current() == nullptr)
      stage_initial_values(parts->tables[k], initializer_of(table), initial_values);
  }

  /// The vectors of the features whose tables are in pools, undefined for all others.
  std::vector<Tensor> rows_of_pools(std::span<const Tensor> inputs) const {
    std::vector<Tensor> rows(features_.size());
    for (std::size_t p = 0; p < pools_.size(); ++p) {
      const PlannedPool& plan = plan_->pools()[p];
      std::vector<IdsOfTable> ids;
      std::vector<std::size_t> numbers;
      std::size_t at = 0;
      for (std::size_t i = 0; i < features_.size(); at += num_inputs(features_[i]), ++i) {
        const auto place =
            std::ranges::find(plan.places, features_[i].table.name, &cornu::detail::PooledTable::name);
        if (place == plan.places.end()) continue;
        ids.push_back({ids_of(features_[i], inputs[at]), &*place});
        numbers.push_back(i);
      }
      const std::vector<Tensor> found = rows_of_pool(pools_[p], plan, ids);
      for (std::size_t k = 0; k < found.size(); ++k) rows[numbers[k]] = found[k];
    }
    return rows;
  }

  Tensor rows_of(const TableConfig& table, const Tensor& ids) const {
    const Variable& variable = variables_.at(table.name);
    const detail::VariableStorage* const storage = detail::storage_of(variable);
    if (storage != nullptr && storage->initializes_rows()) return lookup_in_file(variable, *storage, ids);
    return table_rows(variable, ids, [&] { return variable.value(); });
  }

  static Tensor integers(const Tensor& ids) {
    return ir::is_integer(ids.dtype()) ? ids : ops::cast(ids, DType::kI32);
  }

  static Tensor ids_of(const FeatureConfig& feature, const Tensor& given) {
    const std::int64_t length = feature.max_sequence_length;
    return length > 0 ? with_length(integers(given), length) : integers(given);
  }

  void check_feature(const FeatureConfig& feature) const {
    const auto demand = [&](bool holds, const std::string& what) {
      if (!holds) option_error(fmt::format("{} of feature \"{}\"", what, printable(feature.name)));
    };
    const TableConfig& table = feature.table;
    const std::string& combiner = table.combiner;
    demand(!table.name.empty(), "a name must be given to the table");
    demand(table.name.find('/') == std::string::npos,
           fmt::format("\"/\" must not occur in the name \"{}\" of the table", printable(table.name)));
    demand(table.vocabulary_size > 0,
           fmt::format("vocabulary_size must be positive; got vocabulary_size = {} in table \"{}\"",
                       table.vocabulary_size, printable(table.name)));
    demand(table.dim > 0, fmt::format("dim must be positive; got dim = {} in table \"{}\"", table.dim,
                                      printable(table.name)));
    demand(combiner == "sum" || combiner == "mean" || combiner == "sqrtn",
           fmt::format("combiner must be \"sum\", \"mean\" or \"sqrtn\"; got \"{}\" in table \"{}\"",
                       printable(combiner), printable(table.name)));
    if (const std::string problem = sharding_problem(table.sharding); !problem.empty())
      demand(false, fmt::format("{} in table \"{}\"", problem, printable(table.name)));
    demand(feature.max_sequence_length >= 0,
           fmt::format("max_sequence_length must not be negative; got {}", feature.max_sequence_length));
    demand(feature.max_sequence_length == 0 || !feature.weighted,
           "a sequence has no weights: max_sequence_length must be 0 or weighted false");
    demand(feature.max_sequence_length == 0 || !feature.packed,
           "a sequence is not packed: max_sequence_length must be 0 or packed false");
    if (table.initializer.is_set()) check_initializer("initializer", table.initializer);
    if (table.file.empty()) return;
    demand(!is_sharded(table.sharding),
           fmt::format("a table in a file is whole: give table \"{}\" sharding = \"replicated\" or no file",
                       printable(table.name)));
    const std::shared_ptr<Initializer> initializer = initializer_of(table).get();
    demand(
        TableFileInitializer::accepts(*initializer),
        fmt::format("rows of a table in a file are made one by one, so its initializer must be a constant or "
                    "uniform, normal or truncated normal, or scale the variance; got {} in table \"{}\"",
                    printable(initializer->class_name()), printable(table.name)));
  }

  /// Finds an existing table by its name, or adds a new one.
  void add_table(const TableConfig& table) {
    for (const TableConfig& known : tables_) {
      if (known.name != table.name) continue;
      if (!have_one_form(known, table))
        option_error(
            fmt::format("features that share a table must describe it alike; \"{}\" has {} x {}, \"{}\", "
                        "and {} x {}, \"{}\"",
                        printable(table.name), known.vocabulary_size, known.dim, known.combiner,
                        table.vocabulary_size, table.dim, table.combiner));
      if (known.sharding != table.sharding)
        option_error(fmt::format(
            "features that share a table must describe it alike; \"{}\" has sharding \"{}\", and \"{}\"",
            printable(table.name), known.sharding, table.sharding));
      if (known.file != table.file)
        option_error(fmt::format(
            "features that share a table must describe it alike; \"{}\" has the files \"{}\" and \"{}\"",
            printable(table.name), printable(known.file), printable(table.file)));
      if (!have_one_initializer(known.initializer, table.initializer))
        option_error(
            fmt::format("features that share a table must describe it alike; \"{}\" has two initializers",
                        printable(table.name)));
      return;
    }
    tables_.push_back(table);
  }

  void check_shapes(std::span<const Dims> shapes) const {
    const std::vector<std::string> names = input_names();
    if (shapes.size() != names.size())
      invalid_argument("[distributed_embedding] expected {} inputs ({}); got {}", names.size(),
                       printable(fmt::format("{}", fmt::join(names, ", "))), shapes.size());
    std::size_t at = 0;
    for (const FeatureConfig& feature : features_) {
      const Dims& ids = shapes[at++];
      const bool is_sequence = feature.max_sequence_length > 0;
      const bool has_two_axes = is_sequence || feature.packed;
      if (ids.size() != 2 && (has_two_axes || ids.size() != 1))
        invalid_argument("[distributed_embedding] ids of feature \"{}\" must be {}; got the shape {}",
                         printable(feature.name), has_two_axes ? "(batch, n)" : "(batch,) or (batch, n)",
                         shape_with_none_str(ids));
      if (feature.packed) check_shape_of(feature, "rows", ids, shapes[at++]);
      if (feature.weighted) check_shape_of(feature, "weights", ids, shapes[at++]);
    }
  }

  /// Refuses weights or rows whose shape differs from that of the ids.
  static void check_shape_of(const FeatureConfig& feature, const char* what, const Dims& ids,
                             const Dims& found) {
    const auto fits = [](std::int64_t a, std::int64_t b) { return a == b || a == kUnknown || b == kUnknown; };
    if (!std::equal(ids.begin(), ids.end(), found.begin(), found.end(), fits))
      invalid_argument(
          "[distributed_embedding] {} of feature \"{}\" must have the shape {} of its ids; got {}", what,
          printable(feature.name), shape_with_none_str(ids), shape_with_none_str(found));
  }

  /// Packed ids: adds the vectors and the weights of each row of the batch.
  Tensor packed_output(const TableConfig& table, const Tensor& vectors, const Tensor& factors,
                       const Tensor& rows) const {
    if (Trace* const trace = Trace::current(); trace != nullptr && trace->num_replicas_with_parts() > 1)
      fail(ErrorCode::kUnimplemented,
           "[distributed_embedding] packed ids cannot be divided among replicas: use data::dense_rows and "
           "features without packed in layer \"{}\"",
           printable(name()));
    const Tensor numbers = ops::reshape(rows, {-1});
    const auto add = [&, batch = rows.shape()[0]](const Tensor& values, std::int64_t width) {
      return ops::segment_sum(ops::reshape(values, {-1, width}), numbers, {.num_segments = batch});
    };
    return combined(add(vectors, table.dim), factors, table.combiner,
                    [&](const Tensor& weights) { return add(weights, 1); });
  }

  /// `vectors`: the rows of the table by the ids, also by absent ones.
  Tensor output_of(const FeatureConfig& feature, const Tensor& ids, const Tensor& vectors,
                   const Tensor& batch_rows, const Tensor& weights) const {
    const TableConfig& table = feature.table;
    const bool is_sequence = feature.max_sequence_length > 0;
    if (looks_for_faults(FaultKind::kIdOutOfRange))
      check_ids(ops::maximum(ids, 0), {.num_ids = table.vocabulary_size,
                                       .subject = fmt::format("feature \"{}\": id", printable(feature.name)),
                                       .layer = name()});
    const Tensor is_there = ops::greater_equal(ids, 0);
    Tensor rows = ops::where(ops::expand_dims(is_there, -1), vectors, 0);
    if (is_sequence || (ids.rank() == 1 && !feature.weighted)) return rows;
    Tensor factors;
    if (feature.weighted) {
      factors = ops::where(is_there, ops::cast(weights, rows.dtype()), 0);
      rows = rows * ops::expand_dims(factors, -1);
    } else {
      factors = ops::cast(is_there, rows.dtype());  // the rows of absent ids are already zero
    }
    if (feature.packed) return packed_output(table, rows, factors, batch_rows);
    if (ids.rank() == 1) {
      rows = ops::expand_dims(rows, 1);
      factors = ops::expand_dims(factors, 1);
    }
    return combined(ops::sum(rows, {.axis = 1}), factors, table.combiner,
                    [](const Tensor& values) { return ops::sum(values, {.axis = 1, .keepdims = true}); });
  }

  std::vector<FeatureConfig> features_;
  std::vector<TableConfig> tables_;                      // in the order of their first use by features
  std::unordered_map<std::string, Variable> variables_;  // of the tables that are in no pool
  std::unique_ptr<TablePlan> plan_;
  std::vector<Variable> pools_;  // of the plan
};

}  // namespace

DistributedEmbedding::DistributedEmbedding(DistributedEmbeddingOptions options)
    : LayerHandle(std::make_shared<DistributedEmbeddingLayer>(std::move(options))) {}

}  // namespace cornu::inline v0::keras::layers
