#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cornu/distribute/connect.h"
#include "cornu/distribute/strategy/strategy.h"
#include "cornu/keras/trainer/model_test_support.h"
#include "cornu/tensor/trace/variable_parts.h"
#include "tests/strategies/sharded_tables_test_support.h"
#include "tests/strategies/strategies_test_support.h"
#include "tests/strategies/training_cases_test_support.h"

// Embedding tables that the replicas of a strategy hold in parts train as whole ones do.
namespace cornu::inline v0::keras {
namespace {

using distribute::mirrored;

void expect_alike(const TableModels& make, const std::string& sharding, const OptimizerCase& optimizer,
                  std::initializer_list<int> counts) {
  const Case it = table_case(make, sharding, optimizer);
  const Trained expected = run(it, nullptr, 1);
  for (const int num_replicas : counts) {
    SCOPED_TRACE(sharding + ", " + optimizer.name + ", replicas: " + std::to_string(num_replicas));
    const Strategy strategy = mirrored(num_replicas);
    expect_near(run(it, &strategy, num_replicas == 4 ? 3 : 1), expected, it.tolerance);
  }
}

TEST(ShardedTablesTest, RowsOfATableTrainAsOnOneDevice) {
  distribute::first_devices(1);
  for (const OptimizerCase& optimizer : optimizer_cases())
    expect_alike(table_model, "row_wise", optimizer, {2, 4});
  expect_alike(table_model, "row_wise", optimizer_cases()[0], {1, 3, 8});
  expect_alike(table_model, "row_wise_modulo", optimizer_cases()[0], {3, 8});
}

TEST(ShardedTablesTest, UpdatesByRowsTouchTheRowsOfTheBatchOnly) {
  distribute::first_devices(1);
  const OptimizerCase lazy{"lazy",
                           [] { return optimizers::Adam({.weight_decay = 0.01, .lazy_rows = true}); }};
  for (const char* sharding : {"row_wise", "column_wise"})
    expect_alike(large_embedding_model, sharding, lazy, {2, 4});
}

TEST(ShardedTablesTest, ColumnsOfATableTrainAsOnOneDevice) {
  distribute::first_devices(1);
  for (const OptimizerCase& optimizer : optimizer_cases())
    expect_alike(table_model, "column_wise", optimizer, {4});
  expect_alike(table_model, "column_wise", optimizer_cases()[0], {1, 3, 8});
}

TEST(ShardedTablesTest, TheWeightOfAnEmbeddingIsCutToo) {
  distribute::first_devices(1);
  for (const char* sharding : {"row_wise", "column_wise"})
    expect_alike(embedding_model, sharding, optimizer_cases()[0], {2, 8});
}

TEST(ShardedTablesTest, ShardsGiveTheSameBitsAtAnyNumberOfReplicas) {
  std::optional<Trained> first;
  const auto expect_bits = [&](const char* sharding, int num_replicas) {
    SCOPED_TRACE(sharding + std::to_string(num_replicas));
    const Case it{.name = "table",
                  .make = [&] { return table_model(sharding); },
                  .options = [] { return compiled_with("adam"); }};
    const distribute::MirroredStrategy strategy(
        {.devices = distribute::first_devices(num_replicas), .shards = 8});
    Trained found = run(it, &strategy, 2);
    if (!first.has_value()) first = found;
    EXPECT_EQ(found.losses, first->losses);
    EXPECT_TRUE(same_bits(found.weights, first->weights));
  };
  for (const int num_replicas : {1, 2, 4, 8}) expect_bits("row_wise", num_replicas);
  for (const int num_replicas : {2, 8}) expect_bits("row_wise_modulo", num_replicas);
}

/// The bytes of the largest part, and of the whole.
std::pair<std::size_t, std::size_t> bytes_of(const Variable& variable) {
  std::size_t largest = 0;
  if (const detail::VariableParts* const parts = detail::parts_of(variable))
    for (const Variable& part : parts->here) largest = std::max(largest, part.type().size_bytes());
  return {largest, variable.type().size_bytes()};
}

TEST(ShardedTablesTest, SlotsAreCutLikeTheirRows) {
  const Strategy strategy = mirrored(4);
  const auto scope = strategy.scope();
  const layers::TableConfig table{.vocabulary_size = 1001, .dim = 8, .sharding = "row_wise", .name = "table"};
  const layers::DistributedEmbedding layer({.feature_configs = {{.table = table}}});
  Sequential model({layer, layers::Dense({.units = 1})});
  const optimizers::Adam adam({.use_ema = true});
  model.compile({.optimizer = adam, .loss = "mse"});
  model.fit(Tensor::zeros({8, 2}, DType::kI32), Tensor::zeros({8, 1}), {.verbose = 0});
  int num_cut = 0;
  for (const Variable& variable : adam.variables()) {
    if (variable.shape() != layer.weight("table").shape()) continue;
    const auto [part, whole] = bytes_of(variable);
    EXPECT_LE(static_cast<double>(part), 1.05 / 4 * static_cast<double>(whole)) << variable.path();
    EXPECT_GT(part, 0U);
    ++num_cut;
  }
  EXPECT_EQ(num_cut, 3);  // two moments and the average
}

/// Ids [n, 4] of a table of 25 MB, and classes that follow from them.
constexpr std::int64_t kManyRows = 390625;
std::pair<Tensor, Tensor> many_ids(std::int64_t n) {
  std::vector<std::int32_t> ids, classes;
  const RandomStream random(3);
  for (std::int64_t i = 0; i < n * 4; ++i)
    ids.push_back(static_cast<std::int32_t>(random.bits(static_cast<std::uint64_t>(i)) % kManyRows));
  for (std::int64_t i = 0; i < n; ++i) classes.push_back(ids[static_cast<std::size_t>(i) * 4] % 3);
  return {Tensor::adopt({n, 4}, std::move(ids)), Tensor::adopt({n}, std::move(classes))};
}

std::vector<double> losses_of_large_table(const Strategy* strategy, const std::string& sharding) {
  clear_session();
  set_random_seed(5);
  std::optional<Strategy::Scope> scope;
  if (strategy != nullptr) scope.emplace(*strategy);
  const layers::TableConfig table{.vocabulary_size = kManyRows,
                                  .dim = 16,
                                  .initializer = initializers::RandomUniform({.seed = 1}),
                                  .combiner = "sum",
                                  .sharding = sharding,
                                  .name = "table"};
  Sequential model({layers::DistributedEmbedding({.feature_configs = {{.table = table}}}),
                    layers::Dense({.units = 3, .activation = "softmax", .kernel_initializer = seeded(2)})});
  model.compile({.optimizer = optimizers::SGD({.learning_rate = 1.0}),
                 .loss = "sparse_categorical_crossentropy",
                 .steps_per_execution = 2});
  scope.reset();
  const auto [ids, classes] = many_ids(70);
  std::vector<double> losses = model.fit(ids, classes, {.batch_size = 32, .epochs = 3, .verbose = 0})["loss"];
  losses.push_back(model.evaluate(ids, classes, {.batch_size = 32, .verbose = 0})["loss"]);
  return losses;
}

TEST(ShardedTablesTest, ATableOf25MegabytesTrainsOnEightCoresOfFour) {
  distribute::first_devices(1);
  const distribute::TPUClusterResolver resolver("sim:tpu_8_cores,clock=virtual,memory_bytes=4e6");
  distribute::initialize_tpu_system(resolver);
  const distribute::TPUStrategy strategy(resolver);
  const std::vector<double> expected = losses_of_large_table(nullptr, "replicated");
  EXPECT_LT(expected[2], expected[0]);
  for (const char* sharding : {"row_wise", "column_wise", "auto"}) {
    SCOPED_TRACE(sharding);
    expect_near(losses_of_large_table(&strategy, sharding), expected, 1e-5);
  }
  const Error error = error_of([&] { losses_of_large_table(&strategy, "replicated"); });
  expect_contains(error, ErrorCode::kResourceExhausted,
                  {"[TPUStrategy]", "/table", "takes 25000000 bytes", "which has 4000000",
                   "sharding = \"row_wise\" would take 3125056 on each of the 8 devices"});
  distribute::shutdown_tpu_system(resolver);
}

TEST(ShardedTablesTest, WeightsAreReadAndSetWhole) {
  expect_weights_are_whole(mirrored(4));
  const Sequential model = trained_table_model(mirrored(4), Flowers(32));
  const Variable last_part = detail::parts_of(model.weights()[0])->here[2];  // the last row and padding
  EXPECT_EQ(last_part.shape(), (Dims{2, 24}));
}

TEST(ShardedTablesTest, FilesRestoreIntoAnotherNumberOfShards) {
  const std::vector<Strategy> others = {mirrored(1), mirrored(2), mirrored(8)};
  expect_files_restore(mirrored(4), others, "sharded_tables");
}

TEST(ShardedTablesTest, BackupsResumeOnAnotherNumberOfShards) {
  expect_backups_resume(mirrored(8), mirrored(2), "sharded_backup");
}

TEST(ShardedTablesTest, AFunctionAndItsReplicasSeeWholeTablesAndParts) {
  expect_functions_see_wholes_and_parts(mirrored(4));
  expect_functions_see_wholes_and_parts(mirrored(4), cornu::detail::PartIndices::kDealt);
}

TEST(ShardedTablesTest, ABatchSmallerThanTheReplicasAndEagerStepsUseTheWholeTable) {
  expect_small_and_eager_steps_alike(mirrored(4));
}

TEST(ShardedTablesTest, ExplainShowsTablesTheirPartsAndTheirMessages) {
  const Strategy strategy = mirrored(4);
  const auto scope = strategy.scope();
  Sequential model = table_model("row_wise");
  model.compile(compiled_with("adam"));
  const Flowers data(32);
  const std::string text = model.train_program(data.x, data.class_id, {.batch_size = 16}).explain;
  EXPECT_NE(text.find("in parts over 4 devices"), std::string::npos) << text;
  EXPECT_NE(text.find("480 bytes, by rows, 192 bytes on each device"), std::string::npos) << text;
  // The table's line: 16 ids of 4 bytes and their 16 rows of 96 bytes, forward and backward, to the three
  // other replicas.
  EXPECT_NE(text.find("each replica sends 9600 bytes in 12 messages a step"), std::string::npos) << text;
}

TEST(ShardedTablesTest, ExplainHasALineForEachTable) {
  const Strategy strategy = mirrored(4);
  const auto scope = strategy.scope();
  const auto table = [](const char* name, const std::string& sharding) {
    return layers::TableConfig{.vocabulary_size = 1000, .dim = 16, .sharding = sharding, .name = name};
  };
  const layers::DistributedEmbedding lookup({.feature_configs = {{.table = table("films", "row_wise")},
                                                                 {.table = table("users", "row_wise")},
                                                                 {.table = table("days", "replicated")}}});
  const Input ids({.shape = {4}, .dtype = DType::kI32});
  const std::vector<KerasTensor> vectors = lookup.call_many({ids, ids, ids});  // all by the same ids
  Model model(
      {.inputs = ids, .outputs = layers::Dense({.units = 1})(layers::Concatenate().call_many(vectors)[0])});
  model.compile({.optimizer = "adagrad", .loss = "mse"});
  const std::string text =
      model.train_program(Tensor::zeros({16, 4}, DType::kI32), Tensor::zeros({16, 1}), {.batch_size = 16})
          .explain;
  // 16 ids of 4 bytes and 16 rows of 64, forward and backward, to the three other replicas.
  const std::string messages = "16000 bytes on each device; each replica sends 6528 bytes in 12 messages";
  for (const char* name : {"films", "users"}) {
    const std::size_t line = text.find("/" + std::string(name) + "\": ");
    ASSERT_NE(line, std::string::npos) << text;
    EXPECT_NE(text.substr(line, text.find('\n', line) - line).find(messages), std::string::npos) << text;
  }
  const std::size_t whole = text.find("tables that are whole on each device:\n");
  ASSERT_NE(whole, std::string::npos) << text;
  EXPECT_NE(text.find("/days\": ", whole), std::string::npos) << text;
  EXPECT_NE(text.find("64000 bytes; its gradient is summed over all\n", whole), std::string::npos) << text;
}

/// The layer's tables, built for ids of one feature of `films`, four ids a row, and one of `users`.
layers::DistributedEmbedding two_tables(const std::string& sharding, std::int64_t num_films,
                                        std::int64_t num_users) {
  const layers::TableConfig films{
      .vocabulary_size = num_films, .dim = 16, .sharding = sharding, .name = "films"},
      users{.vocabulary_size = num_users, .dim = 16, .sharding = sharding, .name = "users"};
  const layers::DistributedEmbedding layer(
      {.feature_configs = {{.table = films, .name = "seen"}, {.table = users, .name = "user"}}});
  const Input seen({.shape = {4}, .dtype = DType::kI32}), user({.shape = {1}, .dtype = DType::kI32});
  layer.call_many({seen, user});
  return layer;
}

TEST(ShardedTablesTest, AutoCutsTheTableThatFreesMostMemoryForItsExchange) {
  distribute::first_devices(1);
  const distribute::TPUClusterResolver resolver("sim:tpu_8_cores,clock=virtual,memory_bytes=4e6");
  distribute::initialize_tpu_system(resolver);
  {
    const distribute::TPUStrategy strategy(resolver);
    const auto scope = strategy.scope();
    const auto is_cut = [](const layers::DistributedEmbedding& layer, const char* table) {
      return detail::parts_of(layer.weight(table)) != nullptr;
    };
    // A quarter of the memory is 1,000,000 bytes, a row has 64.
    {
      const auto small = two_tables("auto", 5000, 5000);
      EXPECT_FALSE(is_cut(small, "films"));
      EXPECT_FALSE(is_cut(small, "users"));
    }
    {
      const auto similar = two_tables("auto", 12000, 10000);  // looked up four times as often
      EXPECT_FALSE(is_cut(similar, "films"));
      EXPECT_TRUE(is_cut(similar, "users"));
    }
    {
      const auto large = two_tables("auto", 60000, 8000);
      EXPECT_TRUE(is_cut(large, "films"));
      EXPECT_FALSE(is_cut(large, "users"));
    }
    EXPECT_TRUE(is_cut(two_tables("auto", 200000, 100000), "users"));
    expect_contains(error_of([] { two_tables("replicated", 40000, 40000); }), ErrorCode::kResourceExhausted,
                    {"[TPUStrategy]", "the 2 tables", "/films", "take 5120000 bytes", "which has 4000000",
                     "1120000 bytes are missing", "/users", "would take 640000 on each of the 8 devices"});
    expect_contains(error_of([] { two_tables("auto", 300000, 300000); }), ErrorCode::kResourceExhausted,
                    {"take 4800000 bytes", "800000 bytes are missing", "over at least 10 devices would fit"});
  }
  distribute::shutdown_tpu_system(resolver);
}

TEST(ShardedTablesTest, AutoPlansTheTablesOfAllLayers) {
  distribute::first_devices(1);
  const distribute::TPUClusterResolver resolver("sim:tpu_8_cores,clock=virtual,memory_bytes=4e6");
  distribute::initialize_tpu_system(resolver);
  {
    const distribute::TPUStrategy strategy(resolver);
    const auto scope = strategy.scope();
    const auto embedding = [](std::int64_t rows, const char* name) {
      return layers::Embedding({.input_dim = rows, .output_dim = 16, .sharding = "auto", .name = name});
    };
    const auto is_cut = [](const layers::Embedding& layer) {
      return cornu::detail::parts_of(layer.weight("embeddings")) != nullptr;
    };
    // A quarter of the memory is 1,000,000 bytes, a row has 64.
    const Input one({.shape = {1}, .dtype = DType::kI32}), many({.shape = {50}, .dtype = DType::kI32});
    const layers::Embedding rare = embedding(10000, "rare"), frequent = embedding(12000, "frequent");
    rare(one);
    EXPECT_FALSE(is_cut(rare));
    const std::vector<float> before = rare.get_weights()[0].to_vector<float>();
    frequent(many);  // together they are too large; the rows of the first are exchanged less often
    EXPECT_TRUE(is_cut(rare));
    EXPECT_FALSE(is_cut(frequent));
    EXPECT_EQ(rare.get_weights()[0].to_vector<float>(), before);
    const layers::Embedding used = embedding(2000, "used"), last = embedding(500, "last");
    used(one);
    const optimizers::Adagrad adagrad;
    adagrad->build(used.weights());
    last(many);
    EXPECT_FALSE(is_cut(used)) << "its slot is whole";
    EXPECT_TRUE(is_cut(frequent));
    EXPECT_FALSE(is_cut(last));
  }
  distribute::shutdown_tpu_system(resolver);
}

TEST(ShardedTablesTest, IdsOfAnyTypeReadTheirRows) {
  const Strategy strategy = mirrored(2);
  const auto scope = strategy.scope();
  const layers::Embedding layer({.input_dim = 7, .output_dim = 3, .sharding = "row_wise"});
  layer(Tensor::zeros({1}, DType::kI32));
  const std::vector<float> rows = layer.get_weights()[0].to_vector<float>();
  for (const DType dtype : {DType::kI8, DType::kU8, DType::kI32, DType::kI64, DType::kU64, DType::kF32}) {
    SCOPED_TRACE(ir::numpy_name(dtype));
    const bool has_sign = dtype != DType::kU8 && dtype != DType::kU64;
    const Tensor ids = ops::cast(Tensor::of<std::int32_t>({3}, {has_sign ? -1 : 0, 5, 100}), dtype);
    for (const Tensor& found : strategy.run([&] { return layer(ids); }).values) {
      std::vector<float> expected(rows.begin(), rows.begin() + 3);  // below the table: its first row
      expected.insert(expected.end(), rows.begin() + 15, rows.begin() + 18);
      expected.insert(expected.end(), rows.begin() + 18, rows.begin() + 21);  // beyond: its last
      EXPECT_EQ(found.to_vector<float>(), expected);
    }
  }
}

TEST(ShardedTablesTest, CheckIdsNamesAnIdBeyondTheTable) {
  const Flowers data(32);
  std::vector<std::int32_t> numbers(32 * 2, 1);
  numbers[29 * 2 + 1] = 77;
  const Tensor ids = Tensor::adopt({32, 2}, std::move(numbers));
  const Strategy strategy = mirrored(2);
  std::optional<Strategy::Scope> scope(strategy);
  Sequential model({layers::Embedding({.input_dim = 10, .output_dim = 3, .sharding = "row_wise"}),
                    layers::Flatten(), layers::Dense({.units = 3, .activation = "softmax"})});
  model.compile({.optimizer = "sgd", .loss = "sparse_categorical_crossentropy", .check_ids = true});
  scope.reset();
  expect_contains(
      error_of([&] { model.fit(ids, data.class_id, {.batch_size = 16, .verbose = 0, .shuffle = false}); }),
      ErrorCode::kOutOfRange, {"id 77 at (13, 1)", "step 2 of 2", "row 29"});
}

TEST(ShardedTablesTest, FilesOfOtherSizesOrTablesChangeNothing) {
  const Flowers data(32);
  const std::string folder = testing::TempDir() + "/sharded_other_sizes";
  std::filesystem::create_directories(folder);
  const std::string weights = folder + "/table.weights.h5", state = folder + "/table.state";
  const Strategy strategy = mirrored(4);
  const Sequential saved = trained_table_model(strategy, data);
  saved.save_weights(weights);
  Checkpoint().add("model", saved).save(state);
  const auto scope = strategy.scope();
  const auto made = [](std::int64_t rows, const char* name) {
    const layers::TableConfig table{.vocabulary_size = rows, .dim = 24, .sharding = "row_wise", .name = name};
    Sequential model(
        {layers::DistributedEmbedding({.feature_configs = {{.table = table}}}), layers::Dense({.units = 3})});
    model.build({kUnknown, 4});
    return model;
  };
  const auto expect_refused = [&](const Sequential& other, const std::vector<std::string>& parts,
                                  const std::function<void()>& restore) {
    const std::vector<Tensor> before = other.get_weights();
    expect_error_text(parts, restore);
    for (std::size_t i = 0; i < before.size(); ++i)
      EXPECT_EQ(other.get_weights()[i].to_vector<float>(), before[i].to_vector<float>());
  };
  Sequential longer = made(6, "table");
  expect_refused(longer, {"table", "(5, 24)", "(6, 24)"}, [&] { longer.load_weights(weights); });
  expect_refused(longer, {"(5, 24)", "(6, 24)"}, [&] { longer.set_weights(saved.get_weights()); });
  expect_refused(longer, {"table", "(5, 24)", "(6, 24)"},
                 [&] { Checkpoint().add("model", longer).restore(state); });
  Sequential other = made(5, "films");
  expect_refused(other, {"films"}, [&] { Checkpoint().add("model", other).restore(state); });
  std::filesystem::remove_all(folder);
}

TEST(ShardedTablesTest, PackedIdsAreRefusedInReplicas) {
  const Strategy strategy = mirrored(2);
  const auto scope = strategy.scope();
  const layers::TableConfig table{.vocabulary_size = 4, .dim = 2, .name = "table"};
  const layers::DistributedEmbedding layer({.feature_configs = {{.table = table, .packed = true}}});
  const Tensor ids = Tensor::zeros({2, 2}, DType::kI32);
  layer.call_many({ids, ids});
  expect_contains(error_of([&] { strategy.run([&] { return layer.call_many({ids, ids})[0]; }); }),
                  ErrorCode::kUnimplemented,
                  {"packed ids cannot be divided among replicas", "data::dense_rows"});
}

TEST(ShardedTablesTest, SummaryNamesTheParts) {
  const Strategy strategy = mirrored(4);
  const auto scope = strategy.scope();
  Sequential model = table_model("row_wise");
  model.build({kUnknown, 4});
  std::string text;
  model.summary({.print = [&](std::string_view piece) { text += piece; }});
  EXPECT_NE(text.find("/table: 4 parts by rows of 192.00 B each"), std::string::npos) << text;
}

TEST(ShardedTablesErrorTest, SayWhatAndWhere) {
  const auto table = [](const std::string& sharding, std::int64_t dim = 6) {
    return layers::TableConfig{.vocabulary_size = 5, .dim = dim, .sharding = sharding, .name = "films"};
  };
  const auto layer_of = [&](const std::vector<layers::TableConfig>& tables) {
    std::vector<layers::FeatureConfig> features;
    for (const layers::TableConfig& one : tables) features.push_back({.table = one});
    return layers::DistributedEmbedding({.feature_configs = features});
  };
  expect_contains(error_of([&] { layer_of({table("rows")}); }), ErrorCode::kInvalidArgument,
                  {"\"row_wise\"", "got \"rows\"", "\"films\""});
  expect_contains(error_of([&] { layer_of({table("row_wise"), table("replicated")}); }),
                  ErrorCode::kInvalidArgument, {"describe it alike", "\"row_wise\"", "\"replicated\""});
  expect_contains(
      error_of([] { layers::Embedding({.input_dim = 3, .output_dim = 2, .sharding = "column"}); }),
      ErrorCode::kInvalidArgument, {"\"column_wise\"", "got \"column\""});
  expect_contains(
      error_of([] {
        layers::Embedding(
            {.input_dim = 3, .output_dim = 2, .embeddings_regularizer = "l2", .sharding = "row_wise"});
      }),
      ErrorCode::kInvalidArgument, {"embeddings_regularizer", "whole table"});
  expect_contains(
      error_of([] {
        layers::Embedding({.input_dim = 3, .output_dim = 2, .lora_rank = 1, .sharding = "row_wise"});
      }),
      ErrorCode::kInvalidArgument, {"LoRA", "whole table"});
  {
    ReplicaSet group{.strategy = "MirroredStrategy",
                     .num_replicas = 2,
                     .devices = distribute::first_devices(2),
                     .num_processes = 2,
                     .has_device_group = true};
    const cornu::detail::ReplicaSetScope scope(std::make_shared<const ReplicaSet>(group));
    expect_contains(
        error_of([&] { layer_of({table("row_wise")}).call_many({Tensor::zeros({2, 2}, DType::kI32)}); }),
        ErrorCode::kUnimplemented,
        {"[MirroredStrategy]", "sharding = \"row_wise\"", "films",
         "devices of a plug-in in several processes"});
  }
  const Strategy strategy = mirrored(4);
  const auto scope = strategy.scope();
  const Tensor ids = Tensor::zeros({2, 2}, DType::kI32);
  expect_contains(error_of([&] { layer_of({table("column_wise")}).call_many({ids}); }),
                  ErrorCode::kInvalidArgument, {"films", "6 columns", "4 replicas", "row_wise"});
  const layers::DistributedEmbedding layer = layer_of({table("row_wise")});
  layer.call_many({ids});
  expect_contains(error_of([&] { optimizers::Lamb()->build({{layer.weight("films")}}); }),
                  ErrorCode::kUnimplemented, {"Lamb", "films", "in parts"});
}

}  // namespace
}  // namespace cornu::inline v0::keras
