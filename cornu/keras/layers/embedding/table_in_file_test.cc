// Tables of DistributedEmbedding that are kept in files.
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <functional>
#include <random>

#include "cornu/base/error_test_support.h"
#include "cornu/base/sanitizer_test_support.h"
#include "cornu/io/crc32c.h"
#include "cornu/keras/keras.h"
#include "cornu/keras/layers/embedding/distributed_embedding.h"
#include "cornu/tensor/gradient_tape.h"

namespace cornu::inline v0::keras {
namespace {

using layers::TableConfig;

constexpr std::int64_t kNumItems = 50'000, kItemWidth = 8, kNumVisits = 96;

/// Visitors with up to five items each, and another one that is offered.
struct Visits {
  Tensor seen, offered, bought;

  Visits() {
    std::mt19937 generator(3);
    const auto some_item = [&] { return static_cast<std::int64_t>(generator() % kNumItems); };
    std::vector<std::int64_t> ids, others;
    std::vector<float> labels;
    for (std::int64_t i = 0; i < kNumVisits; ++i) {
      for (int k = 0; k < 5; ++k)
        ids.push_back(generator() % 4 == 0 ? -1 : some_item() % (k == 0 ? 40 : kNumItems));
      others.push_back(some_item());
      labels.push_back(static_cast<float>(generator() % 2));
    }
    seen = Tensor::adopt({kNumVisits, 5}, std::move(ids));
    offered = Tensor::adopt({kNumVisits, 1}, std::move(others));
    bought = Tensor::adopt({kNumVisits, 1}, std::move(labels));
  }
  std::vector<Tensor> inputs() const { return {seen, offered}; }
};

Model visits_model(const TableConfig& items) {
  const layers::DistributedEmbedding lookup(
      {.feature_configs = {{.table = items, .name = "seen"}, {.table = items, .name = "offered"}},
       .name = "lookup"});
  const Input seen({.shape = {5}, .dtype = DType::kI64, .name = "seen"});
  const Input offered({.shape = {1}, .dtype = DType::kI64, .name = "offered"});
  const std::vector<KerasTensor> vectors = lookup.call_many({seen, offered});
  const KerasTensor all = layers::concatenate({vectors[0], vectors[1]});
  return Model({.inputs = {seen, offered},
                .outputs = layers::Dense({.units = 1, .activation = "sigmoid", .name = "choice"})(all)});
}

class TableInFileTest : public ::testing::Test {
 protected:
  TableInFileTest() { std::filesystem::create_directories(folder_); }
  ~TableInFileTest() override { std::filesystem::remove_all(folder_); }

  std::string path(const std::string& name = "items.table") const { return (folder_ / name).string(); }
  TableConfig items(const std::string& file = "") const {
    return {
        .vocabulary_size = kNumItems, .dim = kItemWidth, .combiner = "sum", .name = "items", .file = file};
  }
  TableConfig items_in_file() const { return items(path()); }
  Model trained(const TableConfig& table, const OptimizerSpec& optimizer, std::int64_t epochs) const {
    set_random_seed(7);
    Model model = visits_model(table);
    model.compile({.optimizer = optimizer, .loss = "binary_crossentropy"});
    fit(model, epochs);
    return model;
  }
  void fit(Model& model, std::int64_t epochs) const {
    model.fit(visits_.inputs(), visits_.bought,
              {.batch_size = 40, .epochs = epochs, .verbose = 0, .shuffle = false});
  }
  static std::vector<std::vector<float>> values(const Model& model) {
    std::vector<std::vector<float>> all;
    for (const Tensor& value : model.get_weights()) all.push_back(value.to_vector<float>());
    return all;
  }
  static std::int64_t disk_bytes(const std::string& path) {
    struct stat status = {};
    EXPECT_EQ(stat(path.c_str(), &status), 0) << path;
    return static_cast<std::int64_t>(status.st_blocks) * 512;
  }

  std::filesystem::path folder_ =
      std::filesystem::path(::testing::TempDir()) / ("cornu_table_in_file_" + std::to_string(::getpid()));
  Visits visits_;
};

TEST_F(TableInFileTest, TrainingEqualsTrainingInMemoryToTheBit) {
  Model in_memory = trained(items(), optimizers::SGD({.learning_rate = 0.5}), 3);
  Model in_file = trained(items_in_file(), optimizers::SGD({.learning_rate = 0.5}), 3);
  EXPECT_TRUE(values(in_memory) == values(in_file));
  EXPECT_TRUE(in_memory.predict(visits_.inputs(), {.verbose = 0}).to_vector<float>() ==
              in_file.predict(visits_.inputs(), {.verbose = 0}).to_vector<float>());
}

TEST_F(TableInFileTest, SlotsThatBeginWithAConstantEqualThoseInMemory) {
  const auto adagrad = [] { return optimizers::Adagrad({.learning_rate = 0.5}); };
  const auto in_memory_optimizer = adagrad(), in_file_optimizer = adagrad();
  const Model in_memory = trained(items(), in_memory_optimizer, 3);
  const Model in_file = trained(items_in_file(), in_file_optimizer, 3);
  EXPECT_TRUE(values(in_memory) == values(in_file));
  const std::vector<Variable> want = in_memory_optimizer.variables(), got = in_file_optimizer.variables();
  ASSERT_EQ(want.size(), got.size());
  for (std::size_t i = 0; i < want.size(); ++i)
    EXPECT_TRUE(want[i].read() == got[i].read()) << want[i].path();
  EXPECT_TRUE(std::filesystem::exists(path("items.table.accumulator")));
}

TEST_F(TableInFileTest, OptimizersWithLazyRowsTrainAsInMemory) {
  const auto expect_same = [&](const std::string& name, const std::function<OptimizerSpec()>& make) {
    EXPECT_TRUE(values(trained(items(), make(), 3)) == values(trained(items(path(name)), make(), 3))) << name;
  };
  expect_same("adam.table", [] { return optimizers::Adam({.lazy_rows = true}); });
  expect_same("momentum.table",
              [] { return optimizers::SGD({.learning_rate = 0.1, .momentum = 0.9, .lazy_rows = true}); });
  expect_same("rmsprop.table", [] { return optimizers::RMSprop({.lazy_rows = true}); });
}

TEST_F(TableInFileTest, InitializersAndSeedsGiveTheValuesOfMemory) {
  const InitializerSpec initializers[] = {"zeros", initializers::Constant(0.25),
                                          initializers::RandomUniform({.seed = 5}), "glorot_normal",
                                          "he_uniform"};
  for (const InitializerSpec& initializer : initializers) {
    TableConfig table = items();
    table.initializer = initializer;
    const Model in_memory = trained(table, "sgd", 1);
    table.file = path();
    EXPECT_TRUE(values(in_memory) == values(trained(table, "sgd", 1)));
    std::filesystem::remove(path());
  }
}

TEST_F(TableInFileTest, DiskSpaceFollowsFromTheRowsThatBatchesName) {
  TableConfig large = items_in_file();
  large.vocabulary_size = 1'000'000;  // of which the batches name rows among the first 50,000
  const Model model = trained(large, optimizers::Adagrad({}), 1);
  const std::int64_t most = kNumItems * kItemWidth * 4 + (64 << 10);
  const std::int64_t table = disk_bytes(path()), slot = disk_bytes(path("items.table.accumulator"));
  EXPECT_LT(table, most) << "of 32 MB";
  EXPECT_LT(slot, most) << "of 32 MB";
  (void)values(model);
  EXPECT_EQ(disk_bytes(path()), table) << "reading all weights";
}

TEST_F(TableInFileTest, ALaterRunGoesOnWithTheFile) {
  const Model whole = trained(items(), "sgd", 4);
  Tensor kernel, bias;
  {
    const Model first = trained(items_in_file(), "sgd", 2);
    kernel = first.get_layer("choice").weight("kernel").value();
    bias = first.get_layer("choice").weight("bias").value();
  }
  set_random_seed(99);
  Model second = visits_model(items_in_file());
  second.compile({.optimizer = "sgd", .loss = "binary_crossentropy"});
  second.get_layer("choice").set_weights({kernel, bias});
  fit(second, 2);
  EXPECT_TRUE(values(whole) == values(second));
}

TEST_F(TableInFileTest, WeightsAreReplacedInTheFile) {
  const Model in_memory = trained(items(), "sgd", 2);
  {
    Model in_file = visits_model(items_in_file());
    in_file.set_weights(in_memory.get_weights());
    EXPECT_TRUE(values(in_memory) == values(in_file));
    in_memory.save_weights(path("all.weights.h5"));
    in_file.load_weights(path("all.weights.h5"));
    EXPECT_TRUE(values(in_memory) == values(in_file));
  }
  const Model reopened = visits_model(items_in_file());
  EXPECT_TRUE(values(in_memory)[0] == values(reopened)[0]);
}

TEST_F(TableInFileTest, ASavedModelHasTheTableAndNoPath) {
  const Model in_file = trained(items_in_file(), "sgd", 1);
  in_file.save(path("model.keras"));
  EXPECT_EQ(in_file.to_json().find("items.table"), std::string::npos);
  const Model loaded = load_model(path("model.keras"));
  EXPECT_TRUE(values(in_file) == values(loaded));

  Config config = in_file.get_layer("lookup").get_config();
  EXPECT_EQ(config.json().find("\"file\""), std::string::npos);
}

TEST_F(TableInFileTest, ABackupIsRestoredIntoTheFile) {
  const auto model_of = [&](const TableConfig& table) {
    set_random_seed(7);
    Model model = visits_model(table);
    model.compile({.optimizer = optimizers::Adagrad({}), .loss = "binary_crossentropy"});
    return model;
  };
  Model whole = model_of(items());
  fit(whole, 4);
  int batches_left = 8;  // 2 epochs and 2 batches: the file is ahead of the backup
  callbacks::LambdaCallback power({.on_train_batch_end = [&](const callbacks::BatchRange&, LazyLogs&) {
    if (--batches_left == 0) throw std::runtime_error("the power is off");
  }});
  const auto options = [&](bool fails) {
    FitOptions call{.batch_size = 40, .epochs = 4, .verbose = 0, .shuffle = false};
    call.callbacks = {callbacks::BackupAndRestore({.backup_dir = path("backup")})};
    if (fails) call.callbacks = {callbacks::BackupAndRestore({.backup_dir = path("backup")}), &power};
    return call;
  };
  {
    Model model = model_of(items_in_file());
    EXPECT_THROW(model.fit(visits_.inputs(), visits_.bought, options(true)), std::exception);
  }
  Model resumed = model_of(items_in_file());
  resumed.fit(visits_.inputs(), visits_.bought, options(false));
  EXPECT_TRUE(values(whole) == values(resumed));
}

/// Leaves this process little more memory of its own than it has; mapped files do not count.
class LittleMemory {
 public:
  explicit LittleMemory(std::size_t more_bytes) {
    getrlimit(RLIMIT_DATA, &before_);
    const rlimit little = {.rlim_cur = own_bytes() + more_bytes, .rlim_max = before_.rlim_max};
    setrlimit(RLIMIT_DATA, &little);
  }
  ~LittleMemory() { setrlimit(RLIMIT_DATA, &before_); }

 private:
  static std::size_t own_bytes() {
    std::ifstream status("/proc/self/status");
    for (std::string word; status >> word;)
      if (std::size_t kib = 0; word == "VmData:" && status >> kib) return kib << 10;
    return 0;
  }
  rlimit before_ = {};
};

TEST_F(TableInFileTest, ATableLargerThanMemoryIsSavedAndRestored) {
  if (kIsSanitized) GTEST_SKIP() << "the sanitizer's allocator ends the program if memory is scarce";
  TableConfig large = items_in_file();
  large.vocabulary_size = 2'000'000;  // 64 MB, and as much for Adagrad's slot
  large.initializer = initializers::RandomUniform({.seed = 5});
  Model model = trained(large, optimizers::Adagrad({}), 1);
  const auto sum = [&] {
    const Tensor table = model.get_weights()[0];
    return io::crc32c({table.bytes(), table.type().size_bytes()});
  };
  Checkpoint checkpoint;
  checkpoint.add("model", model).add("optimizer", model.optimizer());

  const LittleMemory limit(std::size_t{56} << 20);
  const std::uint32_t saved = sum();
  model.save_weights(path("all.weights.h5"));
  checkpoint.save(path("run.state"));
  fit(model, 1);
  EXPECT_NE(sum(), saved);
  model.load_weights(path("all.weights.h5"));
  EXPECT_EQ(sum(), saved);
  fit(model, 1);
  checkpoint.restore(path("run.state"));
  EXPECT_EQ(sum(), saved);
  model.fit(visits_.inputs(), visits_.bought,
            {.batch_size = 40,
             .epochs = 1,
             .verbose = 0,
             .callbacks = {callbacks::BackupAndRestore({.backup_dir = path("b")})}});
}

TEST_F(TableInFileTest, BatchesThatNameMostRowsTrainAsInMemory) {
  TableConfig few = items();
  few.vocabulary_size = 400;  // of which 40 visitors name up to 240
  few.dim = 800;
  const Model in_memory = trained(few, "sgd", 2);
  few.file = path();
  EXPECT_TRUE(values(in_memory) == values(trained(few, "sgd", 2)));
}

TEST_F(TableInFileTest, EagerLookupsSeeInitialValuesAndTraining) {
  const Model in_memory = trained(items(), "sgd", 1), in_file = trained(items_in_file(), "sgd", 1);
  const std::vector<Tensor> visits = {Tensor::of<std::int64_t>({1, 5}, {49'999, -1, 3, 3, 20'000}),
                                      Tensor::of<std::int64_t>({1, 1}, {60'000})};
  EXPECT_EQ(in_memory(visits).to_vector<float>(), in_file(visits).to_vector<float>());
  GradientTape tape;
  const Tensor y = in_file(visits);
  const Variable table = in_file.get_layer("lookup").weight("items");
  const Tensor gradient = tape.gradient(y, std::vector<Variable>{table})[0];
  EXPECT_EQ(gradient.shape(), (Dims{kNumItems, kItemWidth}));
}

TEST_F(TableInFileTest, SmallTablesTrainWithAnyOptimizer) {
  TableConfig small = items();
  small.vocabulary_size = 4000;
  const Model in_memory = trained(small, "adam", 2);
  small.file = path();
  EXPECT_TRUE(values(in_memory) == values(trained(small, "adam", 2)));
}

TEST_F(TableInFileTest, UpdatesOfAllRowsAreRefused) {
  const auto error = [&](const OptimizerSpec& optimizer) {
    std::filesystem::remove_all(folder_);
    std::filesystem::create_directories(folder_);
    return error_text_of(ErrorCode::kUnimplemented, [&] { trained(items_in_file(), optimizer, 1); });
  };
  const std::vector<std::string> parts = {"table \"items\" is kept in a file", "all rows", "Adagrad"};
  expect_parts(error(optimizers::SGD({.momentum = 0.9})), parts);
  expect_parts(error(optimizers::SGD({.weight_decay = 0.01})), parts);
  expect_parts(error(optimizers::SGD({.use_ema = true})), parts);
  expect_parts(error(optimizers::SGD({.gradient_accumulation_steps = 2})), parts);
  expect_parts(error(optimizers::RMSprop({})), parts);
}

TEST_F(TableInFileTest, OptionsThatFilesCannotHaveAreRefused) {
  TableConfig table = items_in_file();
  table.initializer = "orthogonal";
  expect_error(ErrorCode::kInvalidArgument, {"Orthogonal", "table \"items\"", "one by one"},
               [&] { visits_model(table); });
  table = items_in_file();
  table.file = (folder_ / "missing" / "items.table").string();
  expect_error(ErrorCode::kNotFound, {table.file, "No such file"}, [&] { visits_model(table); });
  const Model model = visits_model(items_in_file());
  expect_error(ErrorCode::kFailedPrecondition, {"items.table", "in use"},
               [&] { visits_model(items_in_file()); });
  const layers::DistributedEmbedding lookup({.feature_configs = {{.table = items_in_file(), .name = "a"}}});
  const auto two_files = [&] {
    return layers::DistributedEmbedding(
        {.feature_configs = {{.table = items_in_file(), .name = "a"}, {.table = items(), .name = "b"}}});
  };
  expect_error(ErrorCode::kInvalidArgument, {"describe it alike", "the files", "items.table"}, two_files);
}

}  // namespace
}  // namespace cornu::inline v0::keras
