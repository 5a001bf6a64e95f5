/// Runs that are killed go on to the bit; checkpoints of loops of one's own.
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "cornu/io/file.h"
#include "tests/model_files/model_files_test_support.h"

namespace cornu::inline v0::keras {
namespace {

std::vector<std::string> files_in(const std::string& folder) {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(folder))
    names.push_back(entry.path().filename().string());
  std::sort(names.begin(), names.end());
  return names;
}

/// Runs tests/model_files/killed_run; true when it came to its end, false when it was killed.
bool run_to_the_end(const std::string& folder, const std::string& result, int kill_at) {
  const std::string command =
      std::string("'") + CORNU_KILLED_RUN + "' '" + folder + "' '" + result + "' " + std::to_string(kill_at);
  const int status = std::system(("exec " + command).c_str());
  const bool was_killed = WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL;
  EXPECT_TRUE(was_killed || (WIFEXITED(status) && WEXITSTATUS(status) == 0)) << status;
  return !was_killed;
}

TEST(BackupTest, ARunThatIsKilledWhileItSavesGoesOnToTheBit) {
  const TestFolder folder;
  ASSERT_TRUE(run_to_the_end(folder / "whole", folder / "whole.safetensors", 0));
  const std::vector<std::byte> expected = io::read_file(folder / "whole.safetensors");
  EXPECT_TRUE(files_in(folder / "whole").empty()) << "the backup is removed at the end";
  int kills = 0;
  for (int kill_at = 3; kill_at <= 27; kill_at += 6) {
    const std::string backup = folder / ("killed" + std::to_string(kill_at)),
                      result = backup + ".safetensors";
    kills += run_to_the_end(backup, result, kill_at) ? 0 : 1;
    kills += run_to_the_end(backup, result, kill_at + 1) ? 0 : 1;
    std::filesystem::remove(result);
    ASSERT_TRUE(run_to_the_end(backup, result, 0));
    EXPECT_EQ(io::read_file(result), expected) << "killed at step " << kill_at;
    EXPECT_TRUE(files_in(backup).empty()) << "a half file was left";
  }
  EXPECT_GE(kills, 6);
}

TEST(BackupTest, SigtermSavesEndsTheProcessAndTheNextOneGoesOnToTheBit) {
  const TestFolder folder;
  ASSERT_TRUE(run_to_the_end(folder / "whole", folder / "whole.safetensors", 0));
  const std::vector<std::byte> expected = io::read_file(folder / "whole.safetensors");
  for (const int execution : {1, 2, 5}) {
    const std::string backup = folder / ("ended" + std::to_string(execution)),
                      result = backup + ".safetensors";
    const std::string command = std::string("exec '") + CORNU_KILLED_RUN + "' '" + backup + "' '" + result +
                                "' -" + std::to_string(execution);
    const int status = std::system(command.c_str());
    ASSERT_TRUE(WIFEXITED(status)) << status;
    EXPECT_EQ(WEXITSTATUS(status), callbacks::kRestartExitCode);
    EXPECT_EQ(files_in(backup), std::vector<std::string>{"backup.state"});
    ASSERT_TRUE(run_to_the_end(backup, result, 0));
    EXPECT_EQ(io::read_file(result), expected) << "ended in execution " << execution;
  }
}

TEST(BackupTest, ABackupOfAnotherModelIsRefused) {
  const TestFolder folder;
  const Tensor x = Tensor::from({4, 3}, std::span<const float>(std::vector<float>(12, 0.5F)));
  const auto fit_with = [&](std::int64_t units, bool deletes) {
    Sequential model({layers::Input({.shape = {3}}), layers::Dense({.units = units})});
    model.compile({.loss = "mse"});
    model.fit(x, ops::zeros({4, units}),
              {.verbose = 0,
               .callbacks = {
                   callbacks::BackupAndRestore({.backup_dir = folder / "b", .delete_checkpoint = deletes})}});
  };
  fit_with(2, false);
  EXPECT_EQ(files_in(folder / "b"), std::vector<std::string>{"backup.state"});
  const std::string error = error_text_of([&] { fit_with(5, false); });
  EXPECT_NE(error.find("model/dense/kernel"), std::string::npos) << error;
  EXPECT_NE(error_text_of([] { callbacks::BackupAndRestore({}); }).find("backup_dir must be"),
            std::string::npos);
}

TEST(BackupTest, ADoubleBackupOutlivesADamagedOne) {
  const TestFolder folder;
  const Tensor x = ops::ones({4, 3}), y = ops::zeros({4, 1});
  const auto num_steps = [&](std::int64_t epochs, bool is_double) {
    Sequential model({layers::Input({.shape = {3}}), layers::Dense({.units = 1})});
    model.compile({.loss = "mse"});
    return model
        .fit(x, y,
             {.epochs = epochs,
              .verbose = 0,
              .callbacks = {callbacks::BackupAndRestore(
                  {.backup_dir = folder / "b", .double_checkpoint = is_double, .delete_checkpoint = false})}})
        .num_steps;
  };
  EXPECT_EQ(num_steps(3, true), 3);
  EXPECT_EQ(files_in(folder / "b"), (std::vector<std::string>{"backup.state", "previous.state"}));
  std::filesystem::resize_file(folder / "b/backup.state", 100);
  EXPECT_NE(error_text_of([&] { num_steps(5, false); }), "no error");
  EXPECT_EQ(num_steps(5, true), 3) << "from the end of the second epoch";
}

TEST(BackupTest, AKeptBackupOfARunThatWasStoppedGoesOn) {
  const TestFolder folder;
  const Tensor x = ops::ones({4, 3}), y = ops::zeros({4, 1});
  const auto num_steps = [&](bool stops) {
    Sequential model({layers::Input({.shape = {3}}), layers::Dense({.units = 1})});
    model.compile({.loss = "mse"});
    const auto stop_at_two = [&](std::int64_t epoch, Logs&) {
      if (stops && epoch == 1) model.set_stop_training(true);
    };
    return model
        .fit(x, y,
             {.epochs = 9,
              .verbose = 0,
              .callbacks = {callbacks::LambdaCallback({.on_epoch_end = stop_at_two}),
                            callbacks::BackupAndRestore(
                                {.backup_dir = folder / "b", .delete_checkpoint = false})}})
        .num_steps;
  };
  EXPECT_EQ(num_steps(true), 2);
  EXPECT_EQ(num_steps(false), 7);
  EXPECT_EQ(num_steps(false), 0) << "all epochs are done";
}

TEST(CheckpointTest, ALoopOfOnesOwnGoesOn) {
  const TestFolder folder;
  const Tensor x = Tensor::of<float>({2, 2}, {1, 2, 3, 4});
  const auto make = [] {
    Sequential model({layers::Input({.shape = {2}}),
                      layers::Dense({.units = 2, .kernel_initializer = "ones"}),
                      layers::Dropout({.rate = 0.5})});
    return model;
  };
  std::int64_t step = 0;
  Sequential model = make();
  const optimizers::Adam optimizer({.learning_rate = 0.1});
  optimizer->build(model.trainable_variables());
  const Variable counter(Tensor(7.0F).literal(), {.name = "counter"});
  Checkpoint checkpoint;
  checkpoint.add("model", model).add("optimizer", optimizer).add("step", step).add("counter", counter);
  CheckpointManager manager(checkpoint, {.directory = folder / "run", .max_to_keep = 2});
  EXPECT_FALSE(manager.restore_or_initialize().has_value());
  std::vector<Tensor> drawn;
  for (step = 1; step <= 4; ++step) {
    drawn.push_back(model(x, {.training = true}));
    manager.save(step);
  }
  EXPECT_EQ(files_in(folder / "run"), (std::vector<std::string>{"ckpt-3.state", "ckpt-4.state"}));
  counter.load(Tensor(0.0F).literal());
  const Tensor next = model(x, {.training = true});
  step = 0;
  {  // The newest is damaged: the one before is taken.
    std::fstream file(*manager.latest_checkpoint(), std::ios::in | std::ios::out | std::ios::binary);
    file.seekp(-1, std::ios::end);
    file.put('\x55');
  }
  EXPECT_EQ(manager.restore_or_initialize(), manager.checkpoints()[0]);
  EXPECT_EQ(step, 3);
  EXPECT_EQ(counter.read().at(0), 7.0);
  EXPECT_TRUE(model(x, {.training = true}).literal() == drawn[3].literal());
  EXPECT_TRUE(model(x, {.training = true}).literal() == next.literal());
  {  // The newest has extents that no array has.
    const std::string description =
        R"({"__metadata__": {"format": "cornu training state 1"},
            "step": {"dtype": "F32", "shape": [0, 9223372036854775807], "data_offsets": [0, 0]}})";
    std::ofstream file(folder / "run/ckpt-9.state", std::ios::binary);
    for (std::size_t i = 0; i < 8; ++i) file.put(static_cast<char>(description.size() >> (8 * i)));
    file << description;
  }
  const std::string extents = error_text_of([&] { checkpoint.restore(folder / "run/ckpt-9.state"); });
  EXPECT_NE(extents.find("ckpt-9.state"), std::string::npos) << extents;
  EXPECT_EQ(manager.restore_or_initialize(), manager.checkpoints()[0]);

  Sequential other({layers::Input({.shape = {2}}), layers::Dense({.units = 3})});
  Checkpoint of_other;
  of_other.add("model", other);
  const std::string error = error_text_of([&] { of_other.restore(manager.checkpoints()[0]); });
  EXPECT_NE(error.find("model/"), std::string::npos) << error;
  EXPECT_NE(error_text_of([&] { checkpoint.add("step", step); }).find("a part \"step\" already"),
            std::string::npos);
}

Sequential dense_model(std::int64_t units) {
  return Sequential(
      {layers::Input({.shape = {2}}),
       layers::Dense({.units = units, .kernel_initializer = initializers::GlorotUniform({.seed = 1})})});
}

/// Steps of training with a loop of one's own. Nothing is built, as in a program that is started again.
std::vector<Tensor> trained_weights(const std::string& folder, std::int64_t num_steps, bool saves = true) {
  const Tensor x = Tensor::of<float>({2, 2}, {1, 2, 3, 4}), y = Tensor::of<float>({2, 1}, {1, -1});
  Sequential model = dense_model(1);
  const optimizers::Adam optimizer({.learning_rate = 0.1});
  std::int64_t step = 0;
  Checkpoint checkpoint;
  checkpoint.add("model", model).add("optimizer", optimizer).add("step", step);
  CheckpointManager manager(checkpoint, {.directory = folder});
  if (saves) manager.restore_or_initialize();
  while (step < num_steps) {
    GradientTape tape;
    const Tensor loss = ops::mean(ops::square(model(x, {.training = true}) - y));
    optimizer.apply(tape.gradient(loss, model.trainable_variables()), model.trainable_variables());
    ++step;
    if (saves) manager.save(step);
  }
  return model.get_weights();
}

TEST(CheckpointTest, ALoopGoesOnWhenTheProgramStartsAgainWithoutBuildingTheOptimizer) {
  const TestFolder folder;
  const std::vector<Tensor> whole = trained_weights(folder / "none", 7, false);
  trained_weights(folder / "run", 4);
  const std::vector<Tensor> resumed = trained_weights(folder / "run", 7);
  ASSERT_EQ(whole.size(), resumed.size());
  for (std::size_t i = 0; i < whole.size(); ++i)
    EXPECT_TRUE(whole[i].literal() == resumed[i].literal()) << "weight " << i << " to the bit";
}

TEST(CheckpointTest, AnOptimizerThatCannotBeBuiltIsNamedWithTheCause) {
  const TestFolder folder;
  const std::string path = folder / "gan.state", early = folder / "early.state";
  Sequential a = dense_model(1), b = dense_model(3);
  const optimizers::Adam optimizer({.learning_rate = 0.1});
  Checkpoint checkpoint;
  checkpoint.add("a", a).add("b", b).add("b_optimizer", optimizer);
  checkpoint.save(early);
  optimizer->build(b.trainable_variables());
  checkpoint.save(path);
  const std::string unbuilt = error_text_of([&] { checkpoint.restore(early); });
  EXPECT_NE(unbuilt.find("\"b_optimizer\" has slots"), std::string::npos) << unbuilt;
  EXPECT_NE(unbuilt.find("was not built when it was saved"), std::string::npos) << unbuilt;

  const optimizers::Adam again({.learning_rate = 0.1});
  Checkpoint two;
  two.add("a", a).add("b", b).add("b_optimizer", again);
  const std::string error = error_text_of([&] { two.restore(path); });
  EXPECT_NE(error.find("\"b_optimizer\" is not built"), std::string::npos) << error;
  EXPECT_NE(error.find("call optimizer->build("), std::string::npos) << error;
  again->build(b.trainable_variables());
  EXPECT_EQ(error_text_of([&] { two.restore(path); }), "no error");
}

TEST(CheckpointTest, ARestoreThatFailsLeavesTheOptimizerUnbuilt) {
  const TestFolder folder;
  const std::string path = folder / "run.state";
  const auto checkpoint_of = [](const Model& model, const OptimizerHandle& optimizer) {
    Checkpoint checkpoint;
    checkpoint.add("model", model).add("optimizer", optimizer);
    return checkpoint;
  };
  Sequential one = dense_model(1), three = dense_model(3);
  const optimizers::Adam optimizer({.learning_rate = 0.1}), other({.learning_rate = 0.1});
  optimizer->build(one.trainable_variables());
  checkpoint_of(one, optimizer).save(path);
  EXPECT_NE(error_text_of([&] { checkpoint_of(three, other).restore(path); }), "no error");
  EXPECT_FALSE(other->built());
  checkpoint_of(one, other).restore(path);
  EXPECT_TRUE(other->built());
}

TEST(CheckpointTest, TheOneJustWrittenIsNeverRemoved) {
  const TestFolder folder;
  std::int64_t step = 0;
  Checkpoint checkpoint;
  checkpoint.add("step", step);
  CheckpointManager manager(checkpoint, {.directory = folder / "run", .max_to_keep = 3});
  for (step = 300; step <= 500; step += 100) manager.save(step);
  // Larger numbers are of a run that was given up: they go first, the largest before the others.
  step = 100;
  EXPECT_TRUE(std::filesystem::exists(manager.save(100)));
  EXPECT_EQ(files_in(folder / "run"),
            (std::vector<std::string>{"ckpt-100.state", "ckpt-300.state", "ckpt-400.state"}));
  manager.save(350);
  EXPECT_EQ(files_in(folder / "run"),
            (std::vector<std::string>{"ckpt-100.state", "ckpt-300.state", "ckpt-350.state"}));
  manager.save(360);
  EXPECT_EQ(files_in(folder / "run"),
            (std::vector<std::string>{"ckpt-300.state", "ckpt-350.state", "ckpt-360.state"}));
}

TEST(CheckpointTest, ARunThatSkippedADamagedOneMakesProgressHoweverOftenItIsEnded) {
  const TestFolder folder;
  std::int64_t step = 0;
  Checkpoint checkpoint;
  checkpoint.add("step", step);
  CheckpointManager manager(checkpoint, {.directory = folder / "run", .max_to_keep = 1});
  std::filesystem::create_directories(folder / "run");
  std::ofstream(folder / "run/ckpt-500.state") << "damaged";
  for (const std::int64_t reached : {100, 200, 300}) {
    manager.restore_or_initialize();
    EXPECT_EQ(step, reached - 100);
    step = reached;
    manager.save(step);
    step = 0;
  }
  EXPECT_EQ(files_in(folder / "run"), (std::vector<std::string>{"ckpt-300.state"}));
}

TEST(CheckpointTest, TheLargestNumberHasNoNextOne) {
  const TestFolder folder;
  std::int64_t step = 0;
  Checkpoint checkpoint;
  checkpoint.add("step", step);
  CheckpointManager manager(checkpoint, {.directory = folder / "run"});
  manager.save(std::numeric_limits<std::int64_t>::max());
  EXPECT_NE(error_text_of([&] { manager.save(); }).find("there is no number after"), std::string::npos);
}

}  // namespace
}  // namespace cornu::inline v0::keras
