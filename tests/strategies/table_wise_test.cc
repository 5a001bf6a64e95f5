#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <string>
#include <vector>

#include "cornu/base/tier_test_support.h"
#include "cornu/distribute/connect.h"
#include "cornu/distribute/strategy/strategy.h"
#include "cornu/keras/trainer/model_test_support.h"
#include "cornu/tensor/trace/variable_parts.h"
#include "tests/strategies/sharded_tables_test_support.h"
#include "tests/strategies/strategies_test_support.h"
#include "tests/strategies/training_cases_test_support.h"

// Embedding tables that are each whole on one device of a strategy train as on one device.
namespace cornu::inline v0::keras {
namespace {

using distribute::mirrored;

Sequential table_wise_model() { return several_tables_model("table_wise"); }

TEST(TableWiseTest, TablesTrainAsOnOneDevice) {
  distribute::first_devices(1);
  for (const std::size_t i :
       is_full_tier() ? std::vector<std::size_t>{3, 0, 2} : std::vector<std::size_t>{3}) {
    const Case it = table_case(several_tables_model, "table_wise", optimizer_cases()[i]);
    const Trained expected = run(it, nullptr, 1);
    for (const int num_replicas : i == 0 ? std::vector{1, 2, 8} : std::vector{3}) {
      SCOPED_TRACE(std::string(optimizer_cases()[i].name) + ", replicas: " + std::to_string(num_replicas));
      const Strategy strategy = mirrored(num_replicas);
      const Trained found = run(it, &strategy, 3);
      expect_near(found, expected, it.tolerance);
      for (std::size_t k = 0; k < expected.weights.size(); ++k)
        EXPECT_EQ(found.weights[k].path(), expected.weights[k].path());
    }
  }
}

TEST(TableWiseTest, ShardsGiveTheSameBitsAtAnyNumberOfReplicas) {
  if (!is_full_tier()) GTEST_SKIP() << "of the full tier";
  const Case it{.name = "tables", .make = table_wise_model, .options = [] { return compiled_with("adam"); }};
  std::optional<Trained> first;
  for (const int num_replicas : {1, 2, 4}) {
    SCOPED_TRACE(num_replicas);
    const distribute::MirroredStrategy strategy(
        {.devices = distribute::first_devices(num_replicas), .shards = 4});
    Trained found = run(it, &strategy, 2);
    if (!first.has_value()) first = found;
    EXPECT_EQ(found.losses, first->losses);
    EXPECT_TRUE(same_bits(found.weights, first->weights));
  }
}

/// A layer whose tables of 8 columns have these numbers of rows.
layers::DistributedEmbedding layer_of(const std::vector<std::int64_t>& rows,
                                      const std::string& sharding = "table_wise") {
  std::vector<layers::FeatureConfig> features;
  for (std::size_t i = 0; i < rows.size(); ++i)
    features.push_back({.table = {.vocabulary_size = rows[i],
                                  .dim = 8,
                                  .sharding = sharding,
                                  .name = "table_" + std::to_string(i)}});
  return layers::DistributedEmbedding({.feature_configs = features, .name = "lookup"});
}

void build(const layers::DistributedEmbedding& layer, std::size_t num_features) {
  const Input ids({.shape = {2}, .dtype = DType::kI32});
  layer.call_many(std::vector<KerasTensor>(num_features, ids));
}

TEST(TableWiseTest, TheLargestTablesGoFirstToTheLeastFilledDevice) {
  const Strategy strategy = mirrored(3);
  const auto scope = strategy.scope();
  const layers::DistributedEmbedding layer = layer_of({100, 300, 200, 250, 60});
  build(layer, 5);
  std::vector<std::pair<std::int64_t, std::int64_t>> places;
  for (const Variable& table : layer.weights()) {
    const auto& place = *cornu::detail::parts_of(table)->place;
    places.emplace_back(place.part, place.begin);
  }
  using Places = decltype(places);
  EXPECT_EQ(places, (Places{{2, 200}, {0, 0}, {2, 0}, {1, 0}, {1, 250}}));
  ASSERT_EQ(layer.trainable_weights().size(), 1U);
  const Variable pool = layer.trainable_weights()[0];
  EXPECT_EQ(pool.name(), "tables_8");
  for (const Variable& part : cornu::detail::parts_of(pool)->here) EXPECT_EQ(part.shape(), (Dims{310, 8}));
}

TEST(TableWiseTest, EachTableIsReadAndWrittenUnderItsOwnName) {
  const Strategy strategy = mirrored(4);
  clear_session();
  set_random_seed(9);
  std::optional<Strategy::Scope> scope(strategy);
  const layers::DistributedEmbedding layer = layer_of({5, 3, 4, 6, 2});
  build(layer, 5);
  scope.reset();
  clear_session();
  set_random_seed(9);
  const layers::DistributedEmbedding whole = layer_of({5, 3, 4, 6, 2});  // without a strategy
  build(whole, 5);
  std::vector<Tensor> expected = whole.get_weights();
  const auto expect_equal = [&] {
    const std::vector<Tensor> found = layer.get_weights();
    ASSERT_EQ(found.size(), 5U);
    for (std::size_t i = 0; i < found.size(); ++i)
      EXPECT_EQ(found[i].to_vector<float>(), expected[i].to_vector<float>()) << i;
  };
  expect_equal();  // the same initial values
  const Variable table = layer.weight("table_3");
  EXPECT_EQ(table.path(), whole.weight("table_3").path());
  expected[3] = expected[3] * 2;
  table.assign(expected[3]);
  expect_equal();
  for (Tensor& value : expected) value = value + 1.0f;
  layer.set_weights(expected);
  expect_equal();
  const auto step = function([&] {
    const Tensor before = table.value();
    table.assign(before * 3.0f);
    return before + table.value();
  });
  EXPECT_EQ(step().to_vector<float>(), (expected[3] * 4.0f).to_vector<float>());
  expected[3] = expected[3] * 3.0f;
  expect_equal();
  EXPECT_EQ(layer.count_params(), whole.count_params());
}

std::string bytes_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

TEST(TableWiseTest, WeightFilesAndSlotsAreThoseOfWholeTables) {
  const std::string folder = testing::TempDir() + "/table_wise_files";
  std::filesystem::create_directories(folder);
  const Flowers data(32);
  std::vector<std::string> files;
  std::vector<std::vector<std::string>> slots;
  for (const char* sharding : {"table_wise", "replicated"}) {
    clear_session();
    set_random_seed(9);
    std::optional<Strategy::Scope> scope;
    if (files.empty()) scope.emplace(mirrored(3));
    Sequential model = several_tables_model(sharding);
    model.compile(compiled_with(optimizers::Adam({.use_ema = true})));
    model.build({kUnknown, 4});
    model.save_weights(folder + "/" + sharding + ".weights.h5");
    files.push_back(bytes_of(folder + "/" + sharding + ".weights.h5"));
    model.fit(data.x, data.class_id, {.verbose = 0});
    std::vector<std::string>& names = slots.emplace_back();
    for (const Variable& slot : model.optimizer()->variables())
      names.push_back(slot.path() + " " + ir::shape_str(slot.shape()));
  }
  EXPECT_GT(files[0].size(), 1000U);
  EXPECT_TRUE(files[0] == files[1]);
  EXPECT_EQ(slots[0], slots[1]);
  std::filesystem::remove_all(folder);
}

TEST(TableWiseTest, FilesRestoreIntoAnyNumberOfDevices) {
  if (!is_full_tier()) GTEST_SKIP() << "of the full tier";
  const std::vector<Strategy> others = {mirrored(1), mirrored(2)}, back = {mirrored(3), mirrored(1)};
  expect_files_restore(mirrored(4), others, "table_wise_restore", table_wise_model);
  expect_files_restore(mirrored(1), back, "table_wise_restore", table_wise_model);
}

TEST(TableWiseTest, BackupsResumeOnAnyNumberOfDevices) {
  if (!is_full_tier()) GTEST_SKIP() << "of the full tier";
  expect_backups_resume(mirrored(4), mirrored(3), "table_wise_backup", table_wise_model);
  expect_backups_resume(mirrored(2), mirrored(1), "table_wise_backup", table_wise_model);
}

TEST(TableWiseTest, ABatchSmallerThanTheReplicasAndEagerStepsUseTheWholePool) {
  if (!is_full_tier()) GTEST_SKIP() << "of the full tier";
  expect_small_and_eager_steps_alike(mirrored(4), table_wise_model);
}

TEST(TableWiseTest, ExplainNamesTheDeviceOfEachTable) {
  const Strategy strategy = mirrored(2);
  const auto scope = strategy.scope();
  const layers::DistributedEmbedding lookup = layer_of({100, 300, 200});
  const Input ids({.shape = {4}, .dtype = DType::kI32});
  const std::vector<KerasTensor> vectors = lookup.call_many({ids, ids, ids});
  Model model(
      {.inputs = ids, .outputs = layers::Dense({.units = 1})(layers::Concatenate().call_many(vectors)[0])});
  model.compile({.optimizer = "adagrad", .loss = "mse"});
  const std::string text =
      model.train_program(Tensor::zeros({16, 4}, DType::kI32), Tensor::zeros({16, 1}), {.batch_size = 16})
          .explain;
  // One lookup of 3 * 8 * 4 ids: the ids and the rows to the other replica, forward and backward.
  EXPECT_NE(
      text.find("/tables_8\": (600, 8) float32, 19200 bytes, by rows, 9600 bytes on each device, a pool of 3 "
                "tables; each replica sends 6912 bytes in 4 messages a step"),
      std::string::npos)
      << text;
  EXPECT_NE(text.find("/table_0\": (100, 8) float32, 3200 bytes, whole on device 1\n"), std::string::npos)
      << text;
  EXPECT_NE(text.find("/table_1\": (300, 8) float32, 9600 bytes, whole on device 0\n"), std::string::npos)
      << text;
}

TEST(TableWiseTest, TablesOf25MegabytesTrainOnEightCoresOfFour) {
  if (!is_full_tier()) GTEST_SKIP() << "of the full tier";
  distribute::first_devices(1);
  const distribute::TPUClusterResolver resolver("sim:tpu_8_cores,clock=virtual,memory_bytes=4e6");
  distribute::initialize_tpu_system(resolver);
  const Flowers data(64);
  const auto losses_of = [&](const Strategy* strategy, std::int64_t rows, std::size_t num_tables) {
    clear_session();
    set_random_seed(5);
    std::optional<Strategy::Scope> scope;
    if (strategy != nullptr) scope.emplace(*strategy);
    const layers::DistributedEmbedding lookup = layer_of(std::vector<std::int64_t>(num_tables, rows));
    const Input x({.shape = {4}});
    const KerasTensor ids = layers::Rescaling({.scale = 1000.0})(x);
    const KerasTensor all =
        layers::Concatenate().call_many(lookup.call_many(std::vector<KerasTensor>(num_tables, ids)))[0];
    Model model({.inputs = x,
                 .outputs = layers::Dense(
                     {.units = 3, .activation = "softmax", .kernel_initializer = seeded(2)})(all)});
    model.compile(
        {.optimizer = optimizers::SGD({.learning_rate = 1.0}), .loss = "sparse_categorical_crossentropy"});
    return model.fit(data.x, data.class_id, {.batch_size = 32, .epochs = 2, .verbose = 0})["loss"];
  };
  {
    const distribute::TPUStrategy strategy(resolver);
    const Strategy tpu = strategy;
    expect_near(losses_of(&tpu, 48829, 16), losses_of(nullptr, 48829, 16), 1e-5);
  }
  distribute::shutdown_tpu_system(resolver);
}

TEST(TableWiseErrorTest, NamesATableThatNoDeviceCanHold) {
  distribute::first_devices(1);
  const distribute::TPUClusterResolver resolver("sim:tpu_8_cores,clock=virtual,memory_bytes=4e6");
  distribute::initialize_tpu_system(resolver);
  {
    const distribute::TPUStrategy strategy(resolver);
    const auto scope = strategy.scope();
    expect_contains(error_of([] { build(layer_of({130000}), 1); }), ErrorCode::kResourceExhausted,
                    {"[TPUStrategy]", "/table_0", "sharding = \"table_wise\"", "takes 4160000 bytes on one",
                     "which has 4000000", "160000 bytes are missing",
                     "sharding = \"row_wise\" would take 520000 on each of the 8 devices"});
    expect_contains(error_of([] { build(layer_of(std::vector<std::int64_t>(9, 70000)), 9); }),
                    ErrorCode::kResourceExhausted,
                    {"the 9 tables", "take 4480000 bytes", "480000 bytes are missing", "row_wise",
                     "would take 2520000 on each of the 8 devices"});
  }
  distribute::shutdown_tpu_system(resolver);
}

TEST(TableWiseErrorTest, SayWhatAndWhere) {
  expect_contains(
      error_of([] { layers::Embedding({.input_dim = 3, .output_dim = 2, .sharding = "table_wise"}); }),
      ErrorCode::kInvalidArgument, {"[embedding]", "table_wise", "DistributedEmbedding", "row_wise"});
  const Strategy strategy = mirrored(2);
  const auto scope = strategy.scope();
  const layers::DistributedEmbedding layer = layer_of({5, 3});
  build(layer, 2);
  const Variable table = layer.weight("table_0");
  expect_contains(error_of([&] { optimizers::Adam()->build({{table}}); }), ErrorCode::kInvalidArgument,
                  {"[adam", "lookup/table_0", "trainable_weights()"});
  expect_contains(error_of([&] { strategy.run([&] { return table.value() + 1.0f; }); }),
                  ErrorCode::kUnimplemented, {"lookup/table_0", "a replica", "row_wise"});
  expect_contains(error_of([&] {
                    GradientTape tape;
                    tape.gradient(ops::sum(table.value()), layer.trainable_weights());
                  }),
                  ErrorCode::kUnimplemented, {"lookup/table_0", "gradients", "trainable_weights()"});
  expect_contains(error_of([&] { optimizers::SGD({.clipnorm = 0.5})->build(layer.trainable_weights()); }),
                  ErrorCode::kUnimplemented, {"clipnorm", "lookup/tables_8", "global_clipnorm", "row_wise"});
  const optimizers::AdamW decayed;
  decayed->exclude_from_weight_decay({.var_names = {"table_0"}});
  expect_contains(error_of([&] {
                    decayed.apply({Tensor::zeros(layer.trainable_weights()[0].shape())},
                                  {layer.trainable_weights()[0]});
                  }),
                  ErrorCode::kUnimplemented, {"exclude_from_weight_decay", "table_0", "table_1"});
  table.set_trainable(false);
  expect_contains(error_of([&] { layer.trainable_weights(); }), ErrorCode::kInvalidArgument,
                  {"lookup/tables_8", "frozen", "row_wise"});
  layer->set_trainable(false);
  EXPECT_TRUE(layer.trainable_weights().empty());
  layer->set_trainable(true);
  EXPECT_EQ(layer.trainable_weights().size(), 1U);
}

}  // namespace
}  // namespace cornu::inline v0::keras
