// What ends_test starts by mpirun: processes_child WHAT FOLDER [RANK [STEP]]. Prints what happened, a line a
// rank.
#include <signal.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <thread>
#include <utility>

#include "cornu/distribute/cluster_resolver/slurm_cluster_resolver.h"
#include "cornu/distribute/strategy/strategy.h"
#include "cornu/io/file.h"
#include "cornu/keras/keras.h"
#include "cornu/keras/trainer/model_test_support.h"

namespace {

using namespace cornu;

struct Wish {
  std::string what;    // "train", "killed", "returns", "throws", "hangs", "hangs_by_option", "goes_on" (until
                       // it is ended), "tables", "tables_killed_in_write", "tables_killed_in_step" or
                       // "tables_of_all_killed_in_step" (in memory that all processes read)
  std::string folder;  // of backups and files
  int rank = -1;       // whose
  int write_step = 0;  // "tables_killed_in_write": the step of writing files that it does not survive
};

/// Counts the steps of writing files, and kills this process at one of them.
int num_write_steps = 0, last_write_step = 0;
void count_write_step(const char*) {
  if (++num_write_steps == last_write_step) raise(SIGKILL);
}

/// Prints the first epoch of a run.
struct BeginOfRank : keras::callbacks::Callback {
  std::string name() const override { return "BeginOfRank"; }
  void on_epoch_begin(std::int64_t epoch) override {
    if (!std::exchange(has_begun, true)) std::printf("begins with epoch %d\n", static_cast<int>(epoch));
  }

  bool has_begun = false;
};

/// Trains a model with a table and its slots in parts, and prints the bits of its weights.
int train_tables(const Wish& wish) {
  const distribute::MultiWorkerMirroredStrategy strategy;
  const keras::Flowers data(60);
  keras::Sequential model;
  {
    const auto scope = strategy.scope();
    const bool is_of_all = wish.what == "tables_of_all_killed_in_step";
    const keras::layers::TableConfig table{.vocabulary_size = is_of_all ? 300'007 : 7,
                                           .dim = 8,
                                           .initializer = keras::initializers::RandomUniform({.seed = 1}),
                                           .sharding = "row_wise",
                                           .name = "table"};
    model = keras::Sequential({keras::layers::Rescaling({.scale = 4.0}),
                               keras::layers::DistributedEmbedding({.feature_configs = {{.table = table}}}),
                               keras::layers::Dense({.units = 3, .activation = "softmax"})});
    model.compile({.optimizer = "adam", .loss = "sparse_categorical_crossentropy", .seed = 5});
  }
  const bool is_killed = strategy.rank() == wish.rank;
  if (wish.what == "tables_killed_in_write" && is_killed) last_write_step = wish.write_step;
  io::whole_file_step_for_tests = count_write_step;
  std::thread killer;
  const bool ends_in_step = wish.what.ends_with("_killed_in_step");
  if (ends_in_step && is_killed)
    killer = std::thread([] {
      std::this_thread::sleep_for(std::chrono::milliseconds(1500));
      raise(SIGKILL);
    });
  keras::FitOptions options{.batch_size = 16, .epochs = 6, .verbose = 0};
  if (ends_in_step)
    options.epochs = 10'000'000;
  else
    options.callbacks = {BeginOfRank(), keras::callbacks::BackupAndRestore(
                                            {.backup_dir = wish.folder, .delete_checkpoint = false})};
  const auto history = model.fit(data.x, data.class_id, options);
  std::uint64_t bits = 0;
  for (const Tensor& weight : model.get_weights())
    for (std::size_t i = 0; i < weight.type().size_bytes(); ++i)
      bits = bits * 1099511628211u + static_cast<std::uint64_t>(weight.bytes()[i]);
  std::printf("rank %d of %d: loss %.6f bits %016llx write steps %d\n", strategy.rank(),
              strategy.num_workers(), history["loss"].back(), static_cast<unsigned long long>(bits),
              num_write_steps);
  if (killer.joinable()) killer.join();
  return 0;
}

/// Does to this process what is wished for, behind a number of epochs.
struct EndOfRank : keras::callbacks::Callback {
  EndOfRank(Wish of_test, int this_rank) : wish(std::move(of_test)), rank(this_rank) {}

  std::string name() const override { return "EndOfRank"; }
  void on_epoch_end(std::int64_t epoch, keras::Logs&) override {
    if (epoch == 2 && wish.what == "goes_on") {
      std::printf("rank %d goes on\n", rank);
      std::fflush(stdout);
    }
    if (epoch != 2 || rank != wish.rank) return;
    if (wish.what == "killed") {
      // The backup of the epoch before is being written by a thread of rank 0.
      std::this_thread::sleep_for(std::chrono::milliseconds(300));
      raise(SIGKILL);
    }
    if (wish.what == "returns") std::exit(0);
    if (wish.what.starts_with("hangs")) std::this_thread::sleep_for(std::chrono::seconds(60));
    if (wish.what == "throws") throw Error(ErrorCode::kDataLoss, "a row of this rank is bad");
  }

  Wish wish;
  int rank;
};

int train(const Wish& wish) {
  const distribute::MultiWorkerMirroredStrategy strategy(
      wish.what == "hangs_by_option" ? distribute::MultiWorkerMirroredStrategyOptions{.timeout_seconds = 1.5}
                                     : distribute::MultiWorkerMirroredStrategyOptions{});
  const int rank = strategy.rank();
  const keras::Flowers data(60);
  keras::Sequential model;
  {
    const auto scope = strategy.scope();
    model = keras::small_model(1, 0.2);
    model.compile({.optimizer = "adam", .loss = "sparse_categorical_crossentropy", .seed = 5});
  }
  const auto history = model.fit(
      data.x, data.class_id,
      {.batch_size = 16,
       .epochs = wish.what == "goes_on" ? 1'000'000 : 6,
       .verbose = wish.what == "goes_on" ? 0 : 2,
       .callbacks = {
           keras::callbacks::CSVLogger(wish.folder + "/log.csv"), EndOfRank(wish, rank),
           keras::callbacks::BackupAndRestore({.backup_dir = wish.folder, .delete_checkpoint = false})}});
  model.save(wish.folder + "/model.keras");
  std::printf("rank %d of %d: epochs %zu loss %.6f\n", rank, strategy.num_workers(), history["loss"].size(),
              history["loss"].back());
  return 0;
}

/// In one piece, so that lines of several tasks do not mix.
int say_step() {
  const distribute::SlurmClusterResolver resolver;
  std::string line = resolver.task_type() + " " + std::to_string(resolver.task_id().value_or(-1)) + " of";
  const distribute::ClusterSpec cluster = resolver.cluster_spec();
  for (const auto& [task, address] : cluster.as_map().at("worker")) line += " " + address;
  std::puts(line.c_str());
  return 0;
}

}  // namespace

int main(int count, char** arguments) {
  if (count < 3) return 2;
  set_random_seed(9);
  const Wish wish{arguments[1], arguments[2], count > 3 ? std::atoi(arguments[3]) : -1,
                  count > 4 ? std::atoi(arguments[4]) : 0};
  try {
    if (wish.what == "resolves") return say_step();
    return wish.what.starts_with("tables") ? train_tables(wish) : train(wish);
  } catch (const Error& error) {
    std::printf("error: %s\n", error.what());
    std::fflush(stdout);
    return 3;
  }
}
