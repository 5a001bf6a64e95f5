#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cornu/base/tier_test_support.h"
#include "cornu/runtime/collective.h"
#include "cornu/tensor/trace/variable_parts.h"
#include "tests/strategies/sharded_tables_test_support.h"
#include "tests/strategies/strategies_test_support.h"

// Embedding tables that several processes hold in parts: each rank compares with what it computes alone.
namespace cornu::inline v0::keras {
namespace {

using distribute::MultiWorkerMirroredStrategy;

MultiWorkerMirroredStrategy workers(int devices, std::int64_t shards = 0) {
  set_random_seed(1);
  return MultiWorkerMirroredStrategy({.devices = distribute::first_devices(devices), .shards = shards});
}

/// A folder that all ranks use.
std::string common_folder(const std::string& name) {
  runtime::Collective& processes = *runtime::joined_processes();
  const std::string folder = testing::TempDir() + "/" + name +
                             std::to_string(processes.broadcast(static_cast<std::int64_t>(getpid())));
  if (processes.is_chief()) {
    std::filesystem::remove_all(folder);
    std::filesystem::create_directories(folder);
  }
  processes.gather(0);
  return folder;
}

void remove_together(const std::string& folder) {
  runtime::joined_processes()->gather(0);
  if (runtime::is_chief()) std::filesystem::remove_all(folder);
}

void expect_alike(const TableModels& make, const std::string& sharding, const OptimizerCase& optimizer,
                  std::initializer_list<int> devices) {
  const Case it = table_case(make, sharding, optimizer);
  distribute::first_devices(1);
  const Trained expected = run(it, nullptr, 1);
  for (const int count : devices) {
    SCOPED_TRACE(sharding + ", " + optimizer.name + ", devices of each process: " + std::to_string(count));
    const MultiWorkerMirroredStrategy strategy = workers(count);
    expect_near(run(it, &strategy, 2), expected, it.tolerance);
  }
}

TEST(ProcessTablesTest, RowsTrainAsOnOneDevice) {
  for (const OptimizerCase& optimizer : optimizer_cases())
    expect_alike(table_model, "row_wise", optimizer, {1});
  expect_alike(table_model, "row_wise", optimizer_cases()[0], {2});
  expect_alike(table_model, "row_wise_modulo", optimizer_cases()[0], {1});
  if (is_full_tier()) expect_alike(table_model, "row_wise_modulo", optimizer_cases()[0], {2});
  expect_alike(embedding_model, "row_wise", optimizer_cases()[3], {1});
}

TEST(ProcessTablesTest, UpdatesByRowsTouchTheRowsOfTheBatchOnly) {
  const OptimizerCase lazy{"lazy",
                           [] { return optimizers::Adam({.weight_decay = 0.01, .lazy_rows = true}); }};
  for (const char* sharding : {"row_wise", "column_wise"})
    expect_alike(large_embedding_model, sharding, lazy, {1, 2});
  for (const std::size_t i : {0, 2})  // descent, and a norm of all rows
    expect_alike(large_embedding_model, "row_wise", optimizer_cases()[i], {1});
}

TEST(ProcessTablesTest, RowsInCommonMemoryTrainAsOnOneDevice) {
  if (!is_full_tier()) GTEST_SKIP() << "of the full tier";
  for (const std::size_t i : {0, 2})
    expect_alike(huge_embedding_model, "row_wise", optimizer_cases()[i], {1});
}

/// The bytes that this process sends in a prediction.
double bytes_of_prediction(Sequential& model, const Tensor& x) {
  const auto sent = [] { return runtime::joined_processes()->counts().sent_bytes; };
  const double before = sent();
  model.predict(x, {.batch_size = x.shape()[0], .verbose = 0});
  return sent() - before;
}

TEST(ProcessTablesTest, RowsInCommonMemoryAreNotSent) {
  const MultiWorkerMirroredStrategy strategy = workers(1);
  if (strategy.num_workers() == 1) GTEST_SKIP() << "one process";
  const auto scope = strategy.scope();
  const Flowers data(240);
  const auto model_of = [&](const char* sharding) {
    Sequential model = huge_embedding_model(sharding);
    model.compile(compiled_with("sgd"));
    model.fit(data.x, data.class_id, {.batch_size = 240, .verbose = 0});
    return model;
  };
  Sequential rows = model_of("row_wise"), columns = model_of("column_wise");
  const std::vector<float> before =
      rows.predict(data.x, {.batch_size = 240, .verbose = 0}).to_vector<float>();
  // Columns are sent: 32 floats for each of a process's ids, less what it has itself.
  EXPECT_LT(bytes_of_prediction(rows, data.x), bytes_of_prediction(columns, data.x) / 2);
  // All processes see a table that is replaced as a whole.
  std::vector<Tensor> weights = rows.get_weights();
  weights[0] = weights[0] * 0;
  rows.set_weights(weights);
  EXPECT_NE(rows.predict(data.x, {.batch_size = 240, .verbose = 0}).to_vector<float>(), before);
  EXPECT_EQ(rows.predict(data.x, {.batch_size = 240, .verbose = 0}).to_vector<float>(),
            rows.predict(data.x, {.batch_size = 120, .verbose = 0}).to_vector<float>());
}

TEST(ProcessTablesTest, ColumnsTrainAsOnOneDevice) {
  expect_alike(table_model, "column_wise", optimizer_cases()[0], {1, 2});
  expect_alike(table_model, "column_wise", optimizer_cases()[3], {1});
  expect_alike(embedding_model, "column_wise", optimizer_cases()[0], {1});
}

/// Training with that many shards on one process and on all.
void expect_same_bits(const TableModels& make, const std::string& optimizer, std::int64_t shards) {
  SCOPED_TRACE(shards);
  const Case it{.name = "table",
                .make = [&] { return make("row_wise"); },
                .options = [&] { return compiled_with(optimizer); }};
  const distribute::MirroredStrategy one({.devices = distribute::first_devices(1), .shards = shards});
  const Trained expected = run(it, &one, 2);
  const MultiWorkerMirroredStrategy several = workers(1, shards);
  const Trained found = run(it, &several, 2);
  EXPECT_EQ(found.losses, expected.losses);
  EXPECT_EQ(found.validation, expected.validation);
  EXPECT_EQ(found.predictions, expected.predictions);
  EXPECT_TRUE(same_bits(found.weights, expected.weights));
}

TEST(ProcessTablesTest, ShardsGiveTheBitsOfOneProcess) {
  for (const std::int64_t shards : {4, 8})  // 4: of four processes each has one part
    expect_same_bits(table_model, "adam", shards);
}

TEST(ProcessTablesTest, RowsInCommonMemoryGiveTheBitsOfOneProcess) {
  const std::int64_t count = workers(1).num_workers();
  if (count == 1) GTEST_SKIP() << "one process";
  expect_same_bits(huge_embedding_model, "sgd", count);
}

TEST(ProcessTablesTest, EachProcessStoresItsRowsAndTheirSlotsOnly) {
  const MultiWorkerMirroredStrategy strategy = workers(1);
  const auto scope = strategy.scope();
  const layers::TableConfig table{.vocabulary_size = 1001, .dim = 8, .sharding = "row_wise", .name = "table"};
  const layers::DistributedEmbedding layer({.feature_configs = {{.table = table}}});
  Sequential model({layer, layers::Dense({.units = 1})});
  const optimizers::Adam adam({.use_ema = true});
  model.compile({.optimizer = adam, .loss = "mse"});
  model.fit(Tensor::zeros({8, 2}, DType::kI32), Tensor::zeros({8, 1}), {.verbose = 0});
  std::vector<Variable> all = adam.variables();
  all.push_back(layer.weight("table"));
  int num_cut = 0;
  for (const Variable& variable : all) {
    if (variable.shape() != layer.weight("table").shape()) continue;
    std::size_t here = 0;
    for (const Variable& stored : cornu::detail::stored_here({&variable, 1}))
      here += stored.type().size_bytes();
    EXPECT_LE(static_cast<double>(here),
              1.05 / strategy.num_workers() * static_cast<double>(variable.type().size_bytes()))
        << variable.path();
    ++num_cut;
  }
  EXPECT_EQ(num_cut, 4);  // two moments, the average and the table
}

TEST(ProcessTablesTest, ExplainNamesTablesAndTheirParts) {
  const MultiWorkerMirroredStrategy strategy = workers(1);
  if (strategy.num_workers() == 1) GTEST_SKIP() << "one process";
  const auto scope = strategy.scope();
  Sequential model = table_model("row_wise");
  model.compile(compiled_with("adam"));
  const Flowers data(32);
  const std::string text = model.train_program(data.x, data.class_id, {.batch_size = 16}).explain;
  EXPECT_NE(text.find("in parts over " + std::to_string(strategy.num_workers()) + " devices"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("cornu.sharded_rows"), std::string::npos) << text;
}

TEST(ProcessTablesTest, SmallBatchesAndEagerStepsUseTheWholeTable) {
  const Flowers data(20);
  const MultiWorkerMirroredStrategy strategy = workers(1);
  for (const char* sharding : {"row_wise", "row_wise_modulo", "column_wise"})
    for (const bool run_eagerly : {false, true}) {
      if (std::string_view(sharding) == "row_wise_modulo" && !is_full_tier()) continue;
      expect_one_device_alike(
          strategy, [&] { return table_model(sharding); },
          {.optimizer = "sgd", .loss = "sparse_categorical_crossentropy", .run_eagerly = run_eagerly},
          [&](Sequential& model) {
            std::vector<double> all =
                model.fit(data.x, data.class_id, {.batch_size = 9, .epochs = 2, .verbose = 0})["loss"];
            all.push_back(model.evaluate(data.x, data.class_id, {.batch_size = 1, .verbose = 0})["loss"]);
            return all;
          });
    }
}

void expect_weights_read_and_set_whole(const std::string& sharding) {
  SCOPED_TRACE(sharding);
  const Flowers data(32);
  const MultiWorkerMirroredStrategy strategy = workers(1);
  const Sequential model = trained_table_model(strategy, data, [&] { return table_model(sharding); });
  std::vector<Tensor> weights = model.get_weights();
  EXPECT_EQ(weights[0].shape(), (Dims{5, 24}));
  std::vector<float> numbers(5 * 24);
  for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = static_cast<float>(i);
  weights[0] = Tensor::adopt({5, 24}, std::vector<float>(numbers));
  model.set_weights(weights);
  EXPECT_EQ(model.weights()[0].value().to_vector<float>(), numbers);
  model.weights()[0].assign(weights[0] * 2);
  for (float& number : numbers) number *= 2;
  EXPECT_EQ(model.get_weights()[0].to_vector<float>(), numbers);
}

TEST(ProcessTablesTest, WeightsAreReadAndSetWhole) {
  for (const char* sharding : {"row_wise", "row_wise_modulo"}) expect_weights_read_and_set_whole(sharding);
}

TEST(ProcessTablesTest, FilesRestoreIntoAnotherNumberOfProcesses) {
  const Flowers data(48);
  const MultiWorkerMirroredStrategy strategy = workers(1);
  const std::string folder = common_folder("process_tables");
  const std::string weights = folder + "/table.weights.h5", whole = folder + "/table.keras",
                    checkpoint = folder + "/table.state";
  const Sequential saved = trained_table_model(strategy, data);
  saved.save_weights(weights);
  saved.save(whole);
  Checkpoint().add("model", saved).save(checkpoint);
  const std::vector<float> expected = saved.get_weights()[0].to_vector<float>();
  runtime::joined_processes()->gather(0);  // rank 0 has written
  const auto losses_after = [&](Model model) {
    return model.fit(data.x, data.class_id,
                     {.batch_size = 16, .epochs = 2, .verbose = 0, .shuffle = false})["loss"];
  };
  std::vector<double> losses;
  for (const bool is_alone : {true, false}) {
    SCOPED_TRACE(is_alone);
    clear_session();
    std::optional<Strategy::Scope> scope;
    if (!is_alone) scope.emplace(strategy);
    Sequential model = table_model("row_wise");
    model.build({kUnknown, 4});
    model.load_weights(weights);
    EXPECT_EQ(model.get_weights()[0].to_vector<float>(), expected);
    model.set_weights({Tensor::zeros({5, 24}), Tensor::zeros({24, 3}), Tensor::zeros({3})});
    Checkpoint().add("model", model).restore(checkpoint);
    EXPECT_EQ(model.get_weights()[0].to_vector<float>(), expected);
    const Model loaded = load_model(whole);  // with the optimizer's slots
    EXPECT_EQ(loaded.get_weights()[0].to_vector<float>(), expected);
    const std::vector<double> found = losses_after(loaded);
    if (losses.empty()) losses = found;
    expect_near(found, losses, 2e-5);
  }
  remove_together(folder);
}

TEST(ProcessTablesTest, CallbacksReadAndWriteWholeWeights) {
  const Flowers data(48);
  const MultiWorkerMirroredStrategy strategy = workers(1);
  const std::string folder = common_folder("process_tables_callbacks");
  const std::string best = folder + "/{epoch}.weights.h5";
  std::optional<Strategy::Scope> scope(strategy);
  Sequential model = table_model("row_wise");
  model.compile(compiled_with("adam"));
  scope.reset();
  model.fit(data.x, data.class_id,
            {.batch_size = 16,
             .epochs = 2,
             .verbose = 0,
             .callbacks = {callbacks::ModelCheckpoint({.filepath = best, .save_weights_only = true}),
                           callbacks::TensorBoard({.log_dir = folder + "/logs", .histogram_freq = 1}),
                           callbacks::EarlyStopping({.monitor = "loss", .restore_best_weights = true})}});
  const std::vector<float> expected = model.get_weights()[0].to_vector<float>();
  runtime::joined_processes()->gather(0);
  model.set_weights({Tensor::zeros({5, 24}), Tensor::zeros({24, 3}), Tensor::zeros({3})});
  model.load_weights(folder + "/2.weights.h5");
  EXPECT_EQ(model.get_weights()[0].to_vector<float>(), expected);
  EXPECT_TRUE(std::filesystem::exists(folder + "/1.weights.h5"));
  remove_together(folder);
}

void expect_backups_resume(const std::string& sharding) {
  SCOPED_TRACE(sharding);
  const Flowers data(48);
  const MultiWorkerMirroredStrategy several = workers(1);
  const distribute::MirroredStrategy one({.devices = distribute::first_devices(1)});
  const std::string folder = common_folder("process_tables_backup");
  const auto losses_of = [&](const Strategy& strategy, int epochs, const std::string& backup) {
    clear_session();
    set_random_seed(9);
    std::optional<Strategy::Scope> scope(strategy);
    Sequential model = table_model(sharding);
    model.compile(compiled_with("adam"));
    scope.reset();
    FitOptions options{.batch_size = 16, .epochs = epochs, .verbose = 0};
    if (!backup.empty())
      options.callbacks = {callbacks::BackupAndRestore({.backup_dir = backup, .delete_checkpoint = false})};
    return model.fit(data.x, data.class_id, options)["loss"];
  };
  const std::vector<double> expected = losses_of(one, 4, "");
  losses_of(several, 2, folder);
  runtime::joined_processes()->gather(0);
  int num_files = 0;
  for ([[maybe_unused]] const auto& entry : std::filesystem::directory_iterator(folder)) ++num_files;
  EXPECT_EQ(num_files, several.num_workers());  // a file of each process
  runtime::joined_processes()->gather(0);
  // Each rank resumes a copy alone, then all together.
  const std::string own = folder + "/of_" + std::to_string(several.rank());
  std::filesystem::create_directories(own);
  for (const auto& entry : std::filesystem::directory_iterator(folder))
    if (entry.is_regular_file()) std::filesystem::copy(entry.path(), own / entry.path().filename());
  const std::vector<double> alone = losses_of(one, 4, own);
  ASSERT_EQ(alone.size(), 2U);
  expect_near(alone, {expected[2], expected[3]}, 2e-5);
  const std::vector<double> together = losses_of(several, 4, folder);
  ASSERT_EQ(together.size(), 2U);
  expect_near(together, {expected[2], expected[3]}, 2e-5);
  remove_together(folder);
}

TEST(ProcessTablesTest, BackupsResumeOnAnotherNumberOfProcesses) {
  for (const char* sharding : {"row_wise", "row_wise_modulo"}) expect_backups_resume(sharding);
}

TEST(ProcessTablesTest, AMissingFileOfARankIsNamed) {
  const Flowers data(32);
  const MultiWorkerMirroredStrategy strategy = workers(1);
  if (strategy.num_workers() == 1) GTEST_SKIP() << "one process";
  const std::string folder = common_folder("process_tables_missing");
  std::optional<Strategy::Scope> scope(strategy);
  Sequential model = table_model("row_wise");
  model.compile(compiled_with("adam"));
  scope.reset();
  model.fit(data.x, data.class_id,
            {.verbose = 0,
             .callbacks = {callbacks::BackupAndRestore({.backup_dir = folder, .delete_checkpoint = false})}});
  runtime::joined_processes()->gather(0);
  if (runtime::is_chief()) {
    for (const auto& entry : std::filesystem::directory_iterator(folder))
      if (entry.path().filename().string().find("-1of") != std::string::npos)
        std::filesystem::remove(entry.path());
    expect_contains(error_of([&] { load_training_state(folder + "/backup.state"); }), ErrorCode::kDataLoss,
                    {"[load_training_state]", "backup.state", ".rows-", "is missing", "one folder"});
  }
  remove_together(folder);
}

TEST(ProcessTablesTest, ReadingDifferentTablesIsRefusedByAll) {
  const MultiWorkerMirroredStrategy strategy = workers(1);
  if (strategy.num_workers() == 1) GTEST_SKIP() << "one process";
  const auto scope = strategy.scope();
  std::vector<Variable> tables;
  for (const char* name : {"films", "users"}) {
    tables.emplace_back(Tensor::zeros({6, 2}), VariableOptions{.name = name});
    cornu::detail::cut(tables.back(), 0, "the test");
  }
  expect_contains(error_of([&] { tables[strategy.rank() == 0 ? 0 : 1].read(); }),
                  ErrorCode::kFailedPrecondition,
                  {"rank 1 and rank 0 differ in the sharded variable that they read"});
}

}  // namespace
}  // namespace cornu::inline v0::keras
