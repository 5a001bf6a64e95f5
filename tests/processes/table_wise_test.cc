#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "cornu/base/tier_test_support.h"
#include "cornu/runtime/collective.h"
#include "cornu/tensor/trace/variable_parts.h"
#include "tests/strategies/sharded_tables_test_support.h"
#include "tests/strategies/strategies_test_support.h"

// Embedding tables that are each whole in one of several processes: each rank compares with what it computes
// alone.
namespace cornu::inline v0::keras {
namespace {

using distribute::MultiWorkerMirroredStrategy;

MultiWorkerMirroredStrategy workers(int devices) {
  set_random_seed(1);
  return MultiWorkerMirroredStrategy({.devices = distribute::first_devices(devices)});
}

Sequential table_wise_model() { return several_tables_model("table_wise"); }

TEST(ProcessTableWiseTest, TablesTrainAsOnOneDevice) {
  if (workers(1).num_workers() != 2 && !is_full_tier()) GTEST_SKIP() << "of the full tier";
  for (const std::size_t i : is_full_tier() ? std::vector<std::size_t>{3, 0} : std::vector<std::size_t>{3}) {
    const Case it = table_case(several_tables_model, "table_wise", optimizer_cases()[i]);
    distribute::first_devices(1);
    const Trained expected = run(it, nullptr, 1);
    const MultiWorkerMirroredStrategy strategy = workers(i == 0 ? 2 : 1);
    expect_near(run(it, &strategy, 2), expected, it.tolerance);
  }
}

TEST(ProcessTableWiseTest, EachProcessStoresItsPartOfThePoolOnly) {
  const MultiWorkerMirroredStrategy strategy = workers(1);
  if (strategy.num_workers() == 1) GTEST_SKIP() << "one process";
  const auto scope = strategy.scope();
  std::vector<layers::FeatureConfig> features;
  for (const char* name : {"a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l"})
    features.push_back({.table = {.vocabulary_size = 100, .dim = 8, .sharding = "table_wise", .name = name}});
  const layers::DistributedEmbedding layer({.feature_configs = features});
  layer.call_many(std::vector<KerasTensor>(features.size(), Input({.shape = {2}, .dtype = DType::kI32})));
  std::size_t here = 0;
  for (const Variable& stored : cornu::detail::stored_here(layer.trainable_weights()))
    here += stored.type().size_bytes();
  EXPECT_EQ(here, 12U / static_cast<std::size_t>(strategy.num_workers()) * 3200U);
  std::int64_t owned = 0;
  for (const Variable& table : layer.weights()) owned += cornu::detail::own_range(table).end / 100;
  EXPECT_EQ(owned, 12 / strategy.num_workers());
}

TEST(ProcessTableWiseTest, FilesAndBackupsRestoreInOneProcessAndInAll) {
  if (!is_full_tier()) GTEST_SKIP() << "of the full tier";
  const Flowers data(48);
  const MultiWorkerMirroredStrategy several = workers(1);
  const distribute::MirroredStrategy one({.devices = distribute::first_devices(1)});
  runtime::Collective& processes = *runtime::joined_processes();
  const std::string folder =
      testing::TempDir() + "/table_wise" + std::to_string(processes.broadcast(std::int64_t{getpid()}));
  const auto losses_of = [&](const Strategy& strategy, int epochs, const std::string& backup) {
    clear_session();
    set_random_seed(9);
    std::optional<Strategy::Scope> scope(strategy);
    Sequential model = table_wise_model();
    model.compile(compiled_with("adam"));
    scope.reset();
    FitOptions options{.batch_size = 16, .epochs = epochs, .verbose = 0};
    if (!backup.empty())
      options.callbacks = {callbacks::BackupAndRestore({.backup_dir = backup, .delete_checkpoint = false})};
    return model.fit(data.x, data.class_id, options)["loss"];
  };
  const std::vector<double> expected = losses_of(one, 4, "");
  losses_of(several, 2, folder);
  processes.gather(0);
  const std::string own = folder + "/of_" + std::to_string(several.rank());  // each rank resumes a copy alone
  std::filesystem::create_directories(own);
  for (const auto& entry : std::filesystem::directory_iterator(folder))
    if (entry.is_regular_file()) std::filesystem::copy(entry.path(), own / entry.path().filename());
  expect_near(losses_of(one, 4, own), {expected[2], expected[3]}, 2e-5);
  expect_near(losses_of(several, 4, folder), {expected[2], expected[3]}, 2e-5);

  const Sequential saved = trained_table_model(several, data, table_wise_model);
  saved.save(folder + "/model.keras");
  std::vector<Tensor> weights = saved.get_weights();
  processes.gather(0);  // rank 0 has written
  for (const bool is_alone : {true, false}) {
    SCOPED_TRACE(is_alone);
    clear_session();
    std::optional<Strategy::Scope> scope;
    if (!is_alone) scope.emplace(several);
    const Model loaded = load_model(folder + "/model.keras");
    const std::vector<Tensor> found = loaded.get_weights();
    ASSERT_EQ(found.size(), weights.size());
    for (std::size_t i = 0; i < found.size(); ++i)
      EXPECT_EQ(found[i].to_vector<float>(), weights[i].to_vector<float>()) << i;
    loaded.weights()[2].assign(weights[2] * 2);
    EXPECT_EQ(loaded.get_weights()[2].to_vector<float>(), (weights[2] * 2).to_vector<float>());
    EXPECT_EQ(loaded.get_weights()[0].to_vector<float>(), weights[0].to_vector<float>());
  }
  processes.gather(0);
  if (runtime::is_chief()) std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace cornu::inline v0::keras
