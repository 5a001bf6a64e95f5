// Rows of embedding tables that have no gradient in a step, with and without lazy_rows.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <functional>
#include <random>
#include <string>
#include <utility>

#include "cornu/base/tier_test_support.h"
#include "cornu/keras/config/serialize.h"
#include "cornu/keras/keras.h"
#include "cornu/keras/testing/golden_test_support.h"
#include "cornu/tensor/ops.h"

namespace cornu::inline v0::keras {
namespace {

using optimizers::AdamOptions;
using optimizers::SGDOptions;

/// An optimizer with and without lazy_rows.
struct LazyCase {
  std::string name;
  std::function<OptimizerHandle(bool lazy_rows)> make;
};

template <typename Handle, typename Options>
LazyCase lazy_case(std::string name, Options options = {}) {
  return {std::move(name), [options](bool lazy_rows) {
            Options chosen = options;
            chosen.lazy_rows = lazy_rows;
            return OptimizerHandle(Handle(chosen));
          }};
}

std::vector<LazyCase> lazy_cases() {
  using namespace optimizers;
  return {
      lazy_case<SGD, SGDOptions>("SGD", {.learning_rate = 0.1}),
      lazy_case<SGD, SGDOptions>("momentum", {.learning_rate = 0.1, .momentum = 0.9}),
      lazy_case<SGD, SGDOptions>("Nesterov", {.learning_rate = 0.1, .momentum = 0.9, .nesterov = true}),
      lazy_case<SGD, SGDOptions>("weight_decay",
                                 {.learning_rate = 0.1, .momentum = 0.9, .weight_decay = 0.01}),
      lazy_case<SGD, SGDOptions>("clipvalue", {.learning_rate = 0.1, .momentum = 0.9, .clipvalue = 0.2}),
      lazy_case<SGD, SGDOptions>("loss scale",
                                 {.learning_rate = 0.1, .momentum = 0.9, .loss_scale_factor = 8}),
      lazy_case<Adam, AdamOptions>("Adam"),
      lazy_case<Adam, AdamOptions>("AMSGrad", {.amsgrad = true, .weight_decay = 0.01}),
      lazy_case<AdamW, AdamWOptions>("AdamW"),
      lazy_case<RMSprop, RMSpropOptions>("RMSprop"),
      lazy_case<RMSprop, RMSpropOptions>("centered RMSprop", {.momentum = 0.5, .centered = true}),
      lazy_case<Adagrad, AdagradOptions>("Adagrad", {.learning_rate = 0.1}),
      lazy_case<Adadelta, AdadeltaOptions>("Adadelta", {.learning_rate = 1}),
      lazy_case<Adamax, AdamaxOptions>("Adamax"),
      lazy_case<Nadam, NadamOptions>("Nadam"),
      lazy_case<Lion, LionOptions>("Lion"),
      lazy_case<Ftrl, FtrlOptions>("Ftrl", {.learning_rate = 0.1, .l1_regularization_strength = 0.01}),
  };
}

/// Cases with sums over whole gradients, which an update by rows adds in another order.
std::vector<LazyCase> lazy_cases_with_norms() {
  using namespace optimizers;
  return {
      lazy_case<SGD, SGDOptions>("clipnorm", {.learning_rate = 0.1, .momentum = 0.9, .clipnorm = 0.1}),
      lazy_case<Adam, AdamOptions>("global_clipnorm", {.global_clipnorm = 0.1}),
      lazy_case<Lamb, LambOptions>("Lamb"),
  };
}

std::vector<LazyCase> all_lazy_cases() {
  std::vector<LazyCase> all = lazy_cases();
  for (LazyCase& each : lazy_cases_with_norms()) all.push_back(std::move(each));
  return all;
}

/// The slots of the first variable named "table", in their order.
std::vector<Variable> slots_of_table(const OptimizerHandle& optimizer) {
  std::vector<Variable> slots;
  for (const Variable& each : optimizer.variables())
    if (each.path().find("table") != std::string::npos) slots.push_back(each);
  return slots;
}

// One step at a time, compared with an obvious version

constexpr std::int64_t kSmallRows = 6, kSmallWidth = 3;
const TensorType kSmallTable{DType::kF32, {kSmallRows, kSmallWidth}};

ir::Literal random_numbers(const TensorType& type, int seed) {
  ir::Literal literal(type);
  std::mt19937 generator(static_cast<std::uint32_t>(seed));
  std::normal_distribution<float> normal;
  for (float& x : literal.mutable_data<float>()) x = normal(generator);
  return literal;
}

bool is_touched(std::int64_t row, int step) { return (row + step) % 3 == 0; }

/// A gradient that has rows of zeros.
ir::Literal gradient_of_step(int step) {
  ir::Literal gradient = random_numbers(kSmallTable, 100 + step);
  const std::span<float> numbers = gradient.mutable_data<float>();
  for (std::size_t i = 0; i < numbers.size(); ++i)
    if (!is_touched(static_cast<std::int64_t>(i) / kSmallWidth, step)) numbers[i] = 0;
  return gradient;
}

/// A table and a kernel of the same shape.
struct SmallModel {
  explicit SmallModel(OptimizerHandle chosen) : optimizer(std::move(chosen)) { optimizer->build(variables); }
  void apply(const ir::Literal& gradient) const {
    optimizer.apply(std::vector<Tensor>{Tensor(gradient), Tensor(gradient)}, variables);
  }
  /// The plain step on a table whose other rows, and their slots, are zero; then these are as before.
  void apply_by_hand(const ir::Literal& gradient, int step) const {
    std::vector<Variable> tables = slots_of_table(optimizer);
    tables.push_back(variables[0]);
    std::vector<ir::Literal> before;
    for (const Variable& each : tables) {
      before.push_back(each.read());
      each.load(with_other_rows(before.back(), ir::Literal(kSmallTable), step));
    }
    apply(gradient);
    for (std::size_t i = 0; i < tables.size(); ++i)
      tables[i].load(with_other_rows(tables[i].read(), before[i], step));
  }

  OptimizerHandle optimizer;
  std::vector<Variable> variables = {
      Variable(random_numbers(kSmallTable, 1), {.name = "table", .is_table = true}),
      Variable(random_numbers(kSmallTable, 2), {.name = "kernel"})};

 private:
  static ir::Literal with_other_rows(const ir::Literal& of, const ir::Literal& others, int step) {
    ir::Literal joined(of.type());
    const std::span<float> numbers = joined.mutable_data<float>();
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      const bool is_own = is_touched(static_cast<std::int64_t>(i) / kSmallWidth, step);
      numbers[i] = (is_own ? of : others).data<float>()[i];
    }
    return joined;
  }
};

void expect_same_state(const SmallModel& got, const SmallModel& want, const std::string& what) {
  for (std::size_t i = 0; i < got.variables.size(); ++i)
    testing::expect_close(got.variables[i], want.variables[i], 1e-6, what + " " + got.variables[i].name());
  const std::vector<Variable> got_slots = got.optimizer.variables(), want_slots = want.optimizer.variables();
  ASSERT_EQ(got_slots.size(), want_slots.size());
  for (std::size_t i = 0; i < got_slots.size(); ++i)
    testing::expect_close(got_slots[i], want_slots[i], 1e-6, what + " " + got_slots[i].path());
}

class LazyRowsTest : public testing::OnEachPlatform {};
INSTANTIATE_TEST_SUITE_P(On, LazyRowsTest, testing::platforms(), testing::PlatformName());

TEST_P(LazyRowsTest, RowsWithoutGradientKeepValuesAndSlots) {
  for (const LazyCase& each : all_lazy_cases()) {
    const SmallModel got(each.make(true)), want(each.make(false));
    for (int step = 0; step < 10; ++step) {
      got.apply(gradient_of_step(step));
      want.apply_by_hand(gradient_of_step(step), step);
    }
    expect_same_state(got, want, each.name);
  }
}

TEST_P(LazyRowsTest, ATracedStepFollowsTheEagerOne) {
  for (const LazyCase& each : all_lazy_cases()) {
    const SmallModel got(each.make(true)), want(each.make(true));
    const Variable gradient(ir::Literal(kSmallTable), {.name = "g"});
    testing::TracedStep traced([&](Trace&) -> std::vector<Tensor> {
      got.optimizer.apply(std::vector<Tensor>{gradient, gradient}, got.variables);
      return {};
    });
    for (int step = 0; step < 10; ++step) {
      gradient.load(gradient_of_step(step));
      traced.run();
      want.apply(gradient_of_step(step));
    }
    expect_same_state(got, want, each.name);
  }
}

TEST_P(LazyRowsTest, SparseAdamOfPyTorchGivesTheSameTable) {
  const nlohmann::json golden = testing::load_golden("sparse_optimizers");
  for (const nlohmann::json& row : golden.at("cases")) {
    const Variable table(testing::golden_tensor(golden.at("start")).literal(),
                         {.name = "table", .is_table = true});
    const optimizers::Adam adam({.learning_rate = row.at("learning_rate").get<double>(),
                                 .beta_1 = row.at("beta_1").get<double>(),
                                 .beta_2 = row.at("beta_2").get<double>(),
                                 .epsilon = row.at("epsilon").get<double>(),
                                 .lazy_rows = true});
    for (const nlohmann::json& gradient : golden.at("gradients"))
      adam.apply({testing::golden_tensor(gradient)}, {table});
    testing::expect_close(table, testing::golden_tensor(row.at("table")), 3e-6, "table");
    const std::vector<Variable> slots = slots_of_table(adam);
    ASSERT_EQ(slots.size(), 2U);
    testing::expect_close(slots[0], testing::golden_tensor(row.at("momentum")), 3e-6, "momentum");
    testing::expect_close(slots[1], testing::golden_tensor(row.at("velocity")), 3e-6, "velocity");
  }
}

// Options that concern whole tables

/// The table after three steps of Adam.
ir::Literal table_after(const AdamOptions& options, VariableOptions variable) {
  variable.name = "table";
  variable.is_table = true;
  const Variable table(random_numbers(kSmallTable, 1), variable);
  const optimizers::Adam adam(options);
  for (int step = 0; step < 3; ++step) adam.apply({Tensor(gradient_of_step(step))}, {table});
  adam->finalize_variable_values(std::vector<Variable>{table});
  return table.read();
}

TEST_P(LazyRowsTest, ConstraintsHoldForAllRows) {
  const ir::Literal table = table_after({.lazy_rows = true}, {.constraint = constraints::NonNeg()});
  for (const float x : table.data<float>()) EXPECT_GE(x, 0);
}

TEST_P(LazyRowsTest, MovingAveragesAreThoseOfAllRows) {
  // An average that keeps nothing is the table itself, rows without gradient included.
  EXPECT_TRUE(table_after({.use_ema = true, .ema_momentum = 0, .lazy_rows = true}, {}) ==
              table_after({.lazy_rows = true}, {}));
}

TEST_P(LazyRowsTest, AccumulatedGradientsTouchTheRowsOfAllTheirSteps) {
  const Variable table(random_numbers(kSmallTable, 1), {.name = "table", .is_table = true});
  const ir::Literal before = table.read();
  const optimizers::Adam adam({.gradient_accumulation_steps = 2, .lazy_rows = true});
  for (const int step : {0, 1}) adam.apply({Tensor(gradient_of_step(step))}, {table});
  const ir::Literal after = table.read();
  for (std::int64_t i = 0; i < kSmallTable.num_elements(); ++i) {
    const std::int64_t row = i / kSmallWidth;
    EXPECT_EQ(after.at(i) != before.at(i), is_touched(row, 0) || is_touched(row, 1)) << i;
  }
}

TEST(LazyRowsConfigTest, IsWrittenOnlyIfItIsSet) {
  EXPECT_FALSE(optimizers::Adam().get_config().contains("lazy_rows"));
  EXPECT_FALSE(optimizers::AdamW().get_config().contains("lazy_rows"));
  for (const LazyCase& each : all_lazy_cases()) {
    const OptimizerHandle lazy = each.make(true);
    EXPECT_EQ(lazy.get_config().at("lazy_rows"), Config(true)) << each.name;
    const auto read = saving::from_config<Optimizer>(lazy->class_name(), lazy.get_config());
    EXPECT_EQ(read->get_config().at("lazy_rows"), Config(true)) << each.name;
  }
}

// Training a large table, of which the engine updates the named rows, and a small one, which it updates whole

constexpr std::int64_t kLargeRows = 4100, kWholeRows = 2000, kWidth = 64;  // 1025 KiB, 500 KiB
constexpr std::int64_t kBatch = 4, kNumIds = 3;

/// A thousand in the full tier. After 200, each row has been named about 40 times.
std::int64_t num_steps() { return is_full_tier() ? 1000 : 200; }

/// Rows that both tables name have equal values, and so have the last rows, which ids outside read.
Tensor start_of_table(std::int64_t rows) {
  ir::Literal numbers = random_numbers({DType::kF32, {rows, kWidth}}, 7);
  const std::span<float> all = numbers.mutable_data<float>();
  for (std::int64_t i = 0; i < kWidth; ++i)
    all[static_cast<std::size_t>((rows - 1) * kWidth + i)] = 0.1F * static_cast<float>(i % 7);
  return Tensor(numbers) * 0.1;
}

/// Ids of 60 rows, some absent and some outside of the table.
Tensor some_ids(int seed) {
  ir::Literal ids(TensorType{DType::kI32, {num_steps() * kBatch, kNumIds}});
  std::mt19937 generator(static_cast<std::uint32_t>(seed));
  for (std::int32_t& id : ids.mutable_data<std::int32_t>()) {
    const auto drawn = static_cast<std::int32_t>(generator() % 64);
    id = drawn < 60 ? drawn * 31 : drawn < 62 ? -1 : 99999;
  }
  return Tensor(ids);
}

Model table_model(std::int64_t rows, const OptimizerHandle& optimizer, std::int64_t steps_per_execution) {
  clear_session();
  const layers::TableConfig table{.vocabulary_size = rows, .dim = kWidth, .name = "table"};
  const layers::DistributedEmbedding lookup(
      {.feature_configs = {{.table = table, .name = "seen"}, {.table = table, .name = "offered"}}});
  const Input seen({.shape = {kNumIds}, .dtype = DType::kI32, .name = "seen"});
  const Input offered({.shape = {kNumIds}, .dtype = DType::kI32, .name = "offered"});
  const KerasTensor likeness = layers::dot(lookup.call_many({seen, offered}), {.axes = 1});
  Model model({.inputs = {seen, offered}, .outputs = layers::Dense({.units = 1})(likeness)});
  model.set_weights({start_of_table(rows), ops::ones({1, 1}), ops::zeros({1})});
  model.compile({.optimizer = optimizer, .loss = "mse", .steps_per_execution = steps_per_execution});
  return model;
}

struct TableData {
  std::vector<Tensor> x = {some_ids(1), some_ids(2)};
  Tensor y = Tensor(random_numbers({DType::kF32, {num_steps() * kBatch, 1}}, 3));
};

bool updates_named_rows(Model& model, const TableData& data) {
  const std::string step = model.train_executable(data.x, data.y, {.batch_size = kBatch}).dump("plan");
  return step.find("first_occurrence") != std::string::npos;
}

/// The table and its slots after training.
std::vector<Tensor> trained_tables(Model& model, const TableData& data) {
  model.fit(data.x, data.y, {.batch_size = kBatch, .epochs = 1, .verbose = 0, .shuffle = false});
  std::vector<Tensor> tables = {model.get_weights()[0]};
  for (const Variable& slot : slots_of_table(model.optimizer())) tables.push_back(slot.value());
  return tables;
}

/// The rows that both tables name.
Tensor named_part(const Tensor& table) {
  const std::int64_t rows = table.shape()[0];
  return ops::concatenate({table.rows(0, kWholeRows - 1), table.rows(rows - 1, rows)}, 0);
}

void expect_same_training(const LazyCase& each, std::int64_t steps_per_execution, double tolerance) {
  const TableData data;
  Model large = table_model(kLargeRows, each.make(true), steps_per_execution);
  Model whole = table_model(kWholeRows, each.make(true), steps_per_execution);
  EXPECT_TRUE(updates_named_rows(large, data)) << each.name;
  EXPECT_FALSE(updates_named_rows(whole, data)) << each.name;
  const std::vector<Tensor> got = trained_tables(large, data), want = trained_tables(whole, data);
  ASSERT_EQ(got.size(), want.size());
  for (std::size_t i = 0; i < got.size(); ++i) {
    const std::string what = each.name + ", tensor " + std::to_string(i);
    const Tensor part = named_part(got[i]), wanted = named_part(want[i]);
    if (tolerance == 0) {
      const auto bytes = static_cast<std::size_t>(part.num_elements()) * sizeof(float);
      EXPECT_EQ(std::memcmp(part.bytes(), wanted.bytes(), bytes), 0) << what;
    } else {
      testing::expect_close(part, wanted, tolerance, what);
    }
  }
  const Tensor start = start_of_table(kLargeRows).rows(kWholeRows, kLargeRows - 1);
  testing::expect_close(got[0].rows(kWholeRows, kLargeRows - 1), start, 0, each.name + ", rows of no id");
}

TEST(LazyRowsTrainingTest, StepsByRowsHaveTheBitsOfWholeUpdates) {
  for (const LazyCase& each : lazy_cases()) expect_same_training(each, 10, 0);
}

TEST(LazyRowsTrainingTest, StepsWithNormsAreWithinRounding) {
  for (const LazyCase& each : lazy_cases_with_norms()) expect_same_training(each, 10, 1e-4);
}

TEST(LazyRowsTrainingTest, StepsInSingleExecutionsAreTheSame) {
  expect_same_training(lazy_case<optimizers::Adam, optimizers::AdamOptions>("Adam"), 1, 0);
}

TEST(LazyRowsTrainingTest, ALossScaleOptimizerUpdatesNamedRows) {
  const LazyCase scaled = {"LossScaleOptimizer", [](bool lazy_rows) {
                             const optimizers::Adam inner({.lazy_rows = lazy_rows});
                             return OptimizerHandle(optimizers::LossScaleOptimizer(
                                 {.inner_optimizer = inner, .initial_scale = 1024}));
                           }};
  expect_same_training(scaled, 10, 0);
}

TEST(LazyRowsTrainingTest, OtherOptimizersUpdateTheWholeTable) {
  const TableData data;
  for (const bool lazy_rows : {false, true}) {
    Model model = table_model(kLargeRows, optimizers::Adam({.lazy_rows = lazy_rows}), 1);
    EXPECT_EQ(updates_named_rows(model, data), lazy_rows);
  }
}

}  // namespace
}  // namespace cornu::inline v0::keras
