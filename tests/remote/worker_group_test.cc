/// Strategies over devices of several workers: what they compute, and what is said when one of the workers is
/// lost, hangs, or cannot be in the group.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "cornu/backends/remote/backend.h"
#include "cornu/base/error_test_support.h"
#include "cornu/base/tier_test_support.h"
#include "cornu/data/dataset.h"
#include "cornu/distribute/connect.h"
#include "cornu/runtime/device_group.h"
#include "cornu/runtime/distant_client.h"
#include "cornu/runtime/profiler.h"
#include "cornu/runtime/trace_test_support.h"
#include "cornu/tensor/ops.h"
#include "tests/remote/link.h"
#include "tests/remote/training_test_support.h"
#include "tests/remote/worker_process.h"
#include "tests/strategies/sharded_tables_test_support.h"
#include "tests/strategies/strategies_test_support.h"
#include "tests/strategies/training_cases_test_support.h"

namespace cornu::inline v0 {
namespace {

using distribute::get_replica_context;
using distribute::MirroredStrategy;
using distribute::PerReplica;
using distribute::ReduceOp;
using distribute::Strategy;
using Clock = std::chrono::steady_clock;
using Floats = std::vector<float>;

const std::vector<std::string> kOneThread = {"--threads", "1"};

/// Logical devices are made before anything is computed.
class LogicalDevices : public ::testing::Environment {
 public:
  void SetUp() override { distribute::first_devices(1); }
};
[[maybe_unused]] const auto* const kLogicalDevices = ::testing::AddGlobalTestEnvironment(new LogicalDevices);

/// Workers of one thread each, and the names of their devices here.
class Workers {
 public:
  explicit Workers(int count, const std::string& fields = "") {
    for (int i = 0; i < count; ++i) {
      workers_.push_back(std::make_unique<WorkerProcess>(kOneThread));
      devices_.push_back(std::make_unique<Connected>(workers_.back()->url(fields)));
    }
  }
  WorkerProcess& operator[](std::size_t i) { return *workers_[i]; }
  MirroredStrategy strategy() const {
    std::vector<std::string> names;
    for (const auto& device : devices_) names.push_back(device->name);
    return MirroredStrategy({.devices = names});
  }
  MirroredStrategy strategy_of(std::size_t first, std::size_t second) const {
    return MirroredStrategy({.devices = {devices_[first]->name, devices_[second]->name}});
  }

 private:
  std::vector<std::unique_ptr<WorkerProcess>> workers_;
  std::vector<std::unique_ptr<Connected>> devices_;
};

std::shared_ptr<runtime::Client> group_of(const std::vector<std::string>& urls) {
  std::vector<runtime::GroupMember> members;
  for (const std::string& url : urls) members.push_back({runtime::make_client(url), 0});
  return runtime::make_device_group(members);
}

bool wait_for(const std::function<bool()>& is_so) {
  for (int i = 0; i < 100 && !is_so(); ++i) std::this_thread::sleep_for(std::chrono::milliseconds(50));
  return is_so();
}

std::string status_of(const WorkerProcess& worker) {
  return backends::remote::worker_status("//" + worker.address());
}

Tensor row(Floats values) {
  const auto n = static_cast<std::int64_t>(values.size());
  return Tensor::adopt({n}, std::move(values));
}

class WorkersTrainingTest : public ::testing::TestWithParam<keras::Case> {
 protected:
  static const Strategy& strategy(int num_workers) {
    static auto& workers = *new std::map<int, std::pair<std::unique_ptr<Workers>, Strategy>>;
    const auto found = workers.find(num_workers);
    if (found != workers.end()) return found->second.second;
    auto made = std::make_unique<Workers>(num_workers);
    const Strategy group = made->strategy();
    return workers.emplace(num_workers, std::pair(std::move(made), group)).first->second.second;
  }
};

TEST_P(WorkersTrainingTest, EqualsOneDevice) {
  const keras::Case& it = GetParam();
  const keras::Trained expected = keras::run(it, nullptr, 1);
  // Of three replicas the last has four of sixteen rows, and a batch of thirteen leaves it three.
  const std::pair<int, std::int64_t> kinds[] = {{2, 1}, {3, 3}};
  for (const auto& [num_workers, steps_per_execution] : kinds) {
    SCOPED_TRACE(num_workers);
    keras::expect_near(keras::run(it, &strategy(num_workers), steps_per_execution), expected, it.tolerance);
  }
}

INSTANTIATE_TEST_SUITE_P(Models, WorkersTrainingTest, ::testing::ValuesIn(keras::cases()),
                         [](const auto& param) { return param.param.name; });

TEST(WorkersTest, TheBitsAreThoseOfAsManyReplicasInOneProcess) {
  const Workers workers(2);
  const Strategy group = workers.strategy();
  for (const keras::Case& it : keras::cases()) {
    if (it.name != "dropout" && it.name != "synchronized_batch_normalization" && it.name != "recurrent")
      continue;
    SCOPED_TRACE(it.name);
    const MirroredStrategy here({.devices = {"CPU:0", "CPU:1"}});
    const keras::Trained expected = keras::run(it, &here, 2);
    const keras::Trained found = keras::run(it, &group, 2);
    EXPECT_EQ(found.losses, expected.losses);
    EXPECT_EQ(found.validation, expected.validation);
    EXPECT_TRUE(keras::same_bits(found.weights, expected.weights));
  }
}

TEST(WorkersTest, BatchesOfFewerRowsThanReplicasAndDataSetsTrainToo) {
  const Workers workers(3);
  const Strategy group = workers.strategy();
  const keras::Flowers data(21);  // the last batch of four has one row: two replicas have none
  const auto losses = [&](const Strategy* strategy, bool from_dataset) {
    keras::clear_session();
    set_random_seed(5);
    std::optional<Strategy::Scope> scope;
    if (strategy != nullptr) scope.emplace(*strategy);
    keras::Sequential model = keras::small_model(2, 0.3);
    model.compile({.optimizer = "adam",
                   .loss = "sparse_categorical_crossentropy",
                   .steps_per_execution = 2,
                   .seed = 4});
    scope.reset();
    const auto dataset = data::Dataset::from_tensor_slices({data.x, data.class_id}).batch(4);
    std::vector<double> all =
        from_dataset ? model.fit(dataset, {.epochs = 2, .verbose = 0})["loss"]
                     : model.fit(data.x, data.class_id, {.batch_size = 4, .epochs = 4, .verbose = 0})["loss"];
    all.push_back(model.train_on_batch(data.x, data.class_id)["loss"]);
    all.push_back(model.evaluate(data.x, data.class_id, {.batch_size = 5, .verbose = 0})["loss"]);
    for (const float value : model.predict(data.x, {.batch_size = 5, .verbose = 0}).to_vector<float>())
      all.push_back(static_cast<double>(value));
    return all;
  };
  for (const bool from_dataset : {false, true})
    keras::expect_near(losses(&group, from_dataset), losses(nullptr, from_dataset), 2e-5);
  keras::expect_fault_is_named(group);
}

TEST(WorkersTest, RunGivesAndTakesValuesOfEachReplicaAndWorkersStayAlike) {
  const Workers workers(3);
  const Strategy strategy = workers.strategy();
  struct Seen {
    Tensor id, sum, all, doubled;
  };
  const auto seen = strategy.run(
      [](const Tensor& x) {
        const auto context = get_replica_context();
        const Tensor id = ops::cast(context.replica_id_in_sync_group(), DType::kF32);
        return Seen{id, context.all_reduce(ReduceOp::kSum, id), context.all_gather(ops::reshape(id, {1}), 0),
                    x * 2.0};
      },
      PerReplica<Tensor>{{row({1, 2}), row({3, 4}), row({5, 6})}});
  for (std::size_t i = 0; i < 3; ++i) {
    const auto number = static_cast<float>(i);
    EXPECT_EQ(seen.values[i].id.item<float>(), number);
    EXPECT_EQ(seen.values[i].sum.item<float>(), 3.0F);
    EXPECT_EQ(seen.values[i].all.to_vector<float>(), (Floats{0, 1, 2}));
    EXPECT_EQ(seen.values[i].doubled.to_vector<float>(), (Floats{4 * number + 2, 4 * number + 4}));
  }
  std::optional<Strategy::Scope> scope(strategy);
  const Variable total(Tensor(0.0F), {.name = "total", .aggregation = VariableAggregation::kSum});
  scope.reset();
  const auto steps = function([&](const Tensor& count) {
    fori_loop(0, count, [&](const Tensor&) {
      strategy.run([&](const Tensor& x) { total.assign_add(ops::sum(x)); },
                   PerReplica<Tensor>{{row({1}), row({2}), row({3})}});
    });
  });
  steps(Tensor(4).strong_scalar(DType::kI32));
  for (const Tensor& value : strategy.run([&] { return total * 1.0; }).values)
    EXPECT_EQ(value.item<float>(), 24.0F);
}

TEST(WorkersTest, LargeSumsGoByPiecesAndExplainSaysWhatTheyCost) {
  const Workers workers(2);
  const Strategy strategy = workers.strategy();
  const auto big = [](const Strategy* of) {
    keras::clear_session();
    set_random_seed(5);
    std::optional<Strategy::Scope> scope;
    if (of != nullptr) scope.emplace(*of);
    keras::Sequential model({keras::layers::Dense({.units = 1024, .activation = "tanh"}),
                             keras::layers::Dense({.units = 700}), keras::layers::Dense({.units = 3})});
    model.compile({.optimizer = keras::optimizers::SGD({.learning_rate = 1e-4}),
                   .loss = "mse",
                   .steps_per_execution = 2});
    return model;
  };
  Floats values(std::size_t{64} * 1024);  // of which each worker gets 128 KiB an execution
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = 0.01F * static_cast<float>(i % 97);
  const Tensor x = Tensor::adopt({64, 1024}, std::move(values));
  const Tensor y = Tensor::adopt({64, 3}, Floats(192, 0.5F));
  const keras::FitOptions options{.batch_size = 32, .epochs = 3, .verbose = 0, .shuffle = false};
  keras::Sequential one = big(nullptr);
  const auto expected = one.fit(x, y, options)["loss"];
  keras::Sequential two = big(&strategy);
  keras::expect_near(two.fit(x, y, options)["loss"], expected, 2e-5);
  const std::string text = two.train_program(x, y, {.batch_size = 32}).explain;
  EXPECT_NE(text.find("with other workers, so far"), std::string::npos) << text;
  EXPECT_NE(text.find("MB sent"), std::string::npos) << text;
}

TEST(WorkersTest, AProfileHasTheGroupsAndCollectivesOfEachWorker) {
  Workers workers(2);
  const Strategy strategy = workers.strategy();
  keras::clear_session();
  const keras::Flowers data(64);
  std::optional<Strategy::Scope> scope(strategy);
  keras::Sequential model = keras::small_model();
  model.compile({.optimizer = "adam", .loss = "sparse_categorical_crossentropy", .steps_per_execution = 2});
  scope.reset();
  const auto fit = [&] { model.fit(data.x, data.class_id, {.batch_size = 16, .epochs = 3, .verbose = 0}); };
  fit();
  runtime::Profiler profiler;
  profiler.start();
  fit();
  profiler.stop();
  const std::string report = profiler.report();
  const std::vector<runtime::ProgramProfile> programs = profiler.programs();
  ASSERT_EQ(programs.size(), 2U) << report;
  // A worker that is ready first waits in its first collective while the other one compiles the measuring
  // code, which wall_seconds() leaves out: only the other one's time is within it. Each counts cycles at a
  // rate it has measured itself.
  double least_in_executions = std::numeric_limits<double>::infinity();
  for (const std::size_t replica : {0U, 1U}) {
    const std::string said =
        fmt::format("train_step, replica {} of 2 on grpc://{}: ", replica, workers[replica].address());
    EXPECT_NE(report.find(said), std::string::npos) << report;
    const auto found =
        std::find_if(programs.begin(), programs.end(), [&](const runtime::ProgramProfile& program) {
          return program.member.has_value() && program.member->replica == static_cast<std::int64_t>(replica);
        });
    ASSERT_NE(found, programs.end()) << report;
    EXPECT_EQ(found->steps, 3 * 4);
    EXPECT_EQ(found->executions, 3 * 2);
    EXPECT_GE(found->collectives.calls, 3 * 4) << "each step adds gradients";
    EXPECT_GT(found->collectives.sent_bytes, 0);
    EXPECT_TRUE(found->facts->limits.has_value());
    least_in_executions = std::min(least_in_executions, found->seconds);
  }
  EXPECT_GT(least_in_executions, 0);
  EXPECT_LE(least_in_executions, profiler.wall_seconds() * 1.05);
  EXPECT_NE(report.find("with other processes: "), std::string::npos) << report;
  const runtime::ReadTrace trace = runtime::read_trace(profiler.trace());
  EXPECT_TRUE(trace.complete);
  EXPECT_EQ(trace.slices.at("step"), 2 * 3 * 4);
  EXPECT_EQ(trace.processes.size(), 3U);
  EXPECT_EQ(trace.processes.at(3), "replica 1 of 2 on grpc://" + workers[1].address());
}

/// Trains for long in small steps on the strategy; `meanwhile` is called once behind some of them.
std::string error_of_training(const Strategy& strategy, const std::function<void()>& meanwhile) {
  keras::clear_session();
  const keras::Flowers data(64);
  std::optional<Strategy::Scope> scope(strategy);
  keras::Sequential model = keras::small_model();
  model.compile({.optimizer = "adam", .loss = "sparse_categorical_crossentropy", .steps_per_execution = 4});
  scope.reset();
  return error_text_of([&] {
    model.fit(data.x, data.class_id,
              {.batch_size = 16,
               .epochs = 1'000'000,
               .verbose = 0,
               .callbacks = {std::make_shared<After>(std::vector<std::int64_t>{40}, meanwhile)}});
  });
}

TEST(WorkersTest, AWorkerThatIsKilledInAnExecutionIsNamedAndTheOtherServesOn) {
  Workers workers(2, ",keep_alive=2");
  const Strategy strategy = workers.strategy();
  std::thread killer;
  Clock::time_point killed;
  const std::string text = error_of_training(strategy, [&] {
    killer = std::thread([&] {
      std::this_thread::sleep_for(std::chrono::milliseconds(100));
      killed = Clock::now();
      workers[1].end(SIGKILL);
    });
  });
  const double seconds = std::chrono::duration<double>(Clock::now() - killed).count();
  killer.join();
  EXPECT_NE(text.find(workers[1].address()), std::string::npos) << text;
  EXPECT_LT(seconds, 4);
  const Connected other(workers[0].url());
  const Tensor sum = with_device(other.name, [] { return row({1, 2}) + row({3, 4}); });
  EXPECT_EQ(sum.to_vector<float>(), (Floats{4, 6}));
  // Two of devices that are connected here; the group's session is gone.
  EXPECT_TRUE(wait_for([&] { return status_of(workers[0]).find("  2 of ") != std::string::npos; }))
      << status_of(workers[0]);
}

TEST(WorkersTest, AWorkerThatHangsInAnExecutionIsNamedWithinTheKeepAlive) {
  for (const std::size_t hanging : {0U, 1U}) {
    SCOPED_TRACE(hanging);
    Workers workers(2, ",keep_alive=1");
    const Strategy strategy = workers.strategy();
    std::thread stopper;
    Clock::time_point stopped;
    const std::string text = error_of_training(strategy, [&] {
      stopper = std::thread([&] {
        std::this_thread::sleep_for(std::chrono::milliseconds(100));
        stopped = Clock::now();
        workers[hanging].freeze();
      });
    });
    const double seconds = std::chrono::duration<double>(Clock::now() - stopped).count();
    stopper.join();
    EXPECT_NE(text.find(workers[hanging].address()), std::string::npos) << text;
    EXPECT_LT(seconds, 4) << text;
    workers[hanging].signal(SIGCONT);
  }
}

TEST(WorkersTest, AGroupComesBackFromItsBackupBitForBit) {
  ReturningWorker first(kOneThread), second(kOneThread);
  const Connected a(first.worker->url(",keep_alive=2")), b(second.worker->url(",keep_alive=2"));
  const MirroredStrategy strategy({.devices = {a.name, b.name}});
  const auto trained = [&](const std::vector<std::int64_t>& kills) {
    keras::clear_session();
    const auto scope = strategy.scope();
    keras::FitOptions options = fit_options();
    options.backup = keras::BackupOptions{.every_steps = 4, .first_wait_seconds = 0.05};
    if (!kills.empty())
      options.callbacks = {std::make_shared<After>(kills, [&] { second.kill_and_start_again(); })};
    return train(options);
  };
  const Result expected = trained({});
  expect_equal(trained({9}), expected);
}

TEST(WorkersTest, TablesInPartsGiveTheBitsOfAsManyReplicasInOneProcess) {
  const Workers workers(2);
  const Strategy group = workers.strategy();
  const MirroredStrategy here({.devices = {"CPU:0", "CPU:1"}});
  const std::vector<keras::OptimizerCase> optimizers = keras::optimizer_cases();
  const auto expect_equal = [&](const keras::Case& it) {
    SCOPED_TRACE(it.name);
    const keras::Trained expected = keras::run(it, &here, 2), found = keras::run(it, &group, 2);
    EXPECT_EQ(found.losses, expected.losses);
    EXPECT_EQ(found.validation, expected.validation);
    EXPECT_TRUE(keras::same_bits(found.weights, expected.weights));
  };
  expect_equal(keras::table_case(keras::table_model, "row_wise", optimizers[3]));
  expect_equal(keras::table_case(keras::table_model, "column_wise", optimizers[0]));
  expect_equal(keras::table_case(keras::large_embedding_model, "row_wise", optimizers[2]));
  if (is_full_tier())
    expect_equal(keras::table_case(keras::several_tables_model, "table_wise", optimizers[3]));
}

TEST(WorkersTest, TablesInPartsAreReadSetSavedAndRestoredWhole) {
  const Workers workers(3);
  keras::expect_weights_are_whole(workers.strategy());
  keras::expect_functions_see_wholes_and_parts(workers.strategy());
  keras::expect_small_and_eager_steps_alike(workers.strategy());
  const std::vector<Strategy> others = {MirroredStrategy({.devices = {"CPU:0"}}), workers.strategy_of(0, 1)};
  keras::expect_files_restore(workers.strategy(), others, "workers_tables");
  keras::expect_backups_resume(workers.strategy(), workers.strategy_of(2, 1), "workers_tables_backup");
  if (!is_full_tier()) return;
  const auto make = [] { return keras::several_tables_model("table_wise"); };
  keras::expect_files_restore(workers.strategy(), others, "workers_tables", make);
  keras::expect_backups_resume(workers.strategy(), workers.strategy_of(2, 1), "workers_tables_backup", make);
}

TEST(WorkersTest, TablesInPartsComeBackFromABackupWithALostWorker) {
  ReturningWorker first(kOneThread), second(kOneThread);
  const Connected a(first.worker->url(",keep_alive=2")), b(second.worker->url(",keep_alive=2"));
  const MirroredStrategy strategy({.devices = {a.name, b.name}});
  const auto trained = [&](const std::vector<std::int64_t>& kills) {
    keras::clear_session();
    set_random_seed(9);
    const keras::Flowers data(48);
    std::optional<Strategy::Scope> scope(strategy);
    keras::Sequential model = keras::table_model("row_wise");
    model.compile(keras::compiled_with("adam"));
    scope.reset();
    keras::FitOptions options{.batch_size = 16, .epochs = 6, .verbose = 0};
    options.backup = keras::BackupOptions{.every_steps = 4, .first_wait_seconds = 0.05};
    if (!kills.empty())
      options.callbacks = {std::make_shared<After>(kills, [&] { second.kill_and_start_again(); })};
    Result result{.history = model.fit(data.x, data.class_id, options)};
    result.weights = weights_of(model);
    return result;
  };
  const Result expected = trained({});
  expect_equal(trained({9}), expected);
}

TEST(WorkersTest, AGroupThatWasConnectedAgainAfterALossIsNotConnectedOnceMore) {
  ReturningWorker first(kOneThread), second(kOneThread);
  const Connected a(first.worker->url(",keep_alive=2")), b(second.worker->url(",keep_alive=2"));
  const std::vector<std::shared_ptr<runtime::Client>> members = {a.client, b.client};
  const std::shared_ptr<runtime::Client> group = a.client->distant()->group(members);
  runtime::DistantClient& distant = *group->distant();
  const std::uint64_t lost = distant.generation();
  second.kill_and_start_again();
  {
    const std::jthread other([&] { distant.reconnect(lost); });
    distant.reconnect(lost);
  }
  EXPECT_EQ(distant.generation(), lost + 2) << "once a member";
  EXPECT_FALSE(group->has_lost_devices());
}

/// Built, so that fit draws on nothing that other threads change.
keras::Sequential make_regression_on(const Strategy& strategy) {
  const auto scope = strategy.scope();
  return make_regression();
}

keras::FitOptions long_fit_options() {
  keras::FitOptions options = fit_options();
  options.epochs = 40;
  return options;
}

TEST(WorkersTest, TwoGroupsThatShareWorkersTrainAtTheSameTimeToTheBitsOfEachAlone) {
  const Workers workers(3);
  // The first two workers in both orders; and one whose other worker is another.
  const std::vector<MirroredStrategy> groups = {workers.strategy_of(0, 1), workers.strategy_of(1, 0),
                                                workers.strategy_of(1, 2)};
  std::vector<Result> alone, together(groups.size());
  for (const MirroredStrategy& group : groups) {
    keras::Sequential model = make_regression_on(group);
    alone.push_back(fit_regression(model, long_fit_options()));
  }
  std::vector<keras::Sequential> models;
  for (const MirroredStrategy& group : groups) models.push_back(make_regression_on(group));
  {
    std::vector<std::jthread> threads;
    for (std::size_t i = 0; i < groups.size(); ++i)
      threads.emplace_back([&, i] {
        EXPECT_EQ(error_text_of([&] { together[i] = fit_regression(models[i], long_fit_options()); }),
                  "no error");
      });
  }
  for (std::size_t i = 0; i < groups.size(); ++i) {
    SCOPED_TRACE(i);
    expect_equal(together[i], alone[i]);
  }
}

TEST(WorkersTest, GroupsThatShareWorkersAreMadeAtTheSameTime) {
  const WorkerProcess first(kOneThread), second(kOneThread);
  std::vector<std::jthread> threads;
  for (int i = 0; i < 4; ++i)
    threads.emplace_back([&, i] {
      const std::vector<std::string> urls =
          i % 2 == 0 ? std::vector{first.url(), second.url()} : std::vector{second.url(), first.url()};
      EXPECT_EQ(error_text_of([&] { EXPECT_EQ(runtime::device_group(group_of(urls).get())->size(), 2); }),
                "no error");
    });
}

TEST(WorkersTest, AGroupThatLosesAWorkerLeavesOthersOfItsWorkersAlone) {
  Workers workers(3, ",keep_alive=2");
  const MirroredStrategy lasting = workers.strategy_of(0, 1), losing = workers.strategy_of(1, 2);
  keras::Sequential expected_model = make_regression_on(lasting), model = make_regression_on(lasting);
  const Result expected = fit_regression(expected_model, long_fit_options());
  Result found;
  std::jthread other;
  const std::string text = error_of_training(losing, [&] {
    other = std::jthread([&] {
      keras::FitOptions options = long_fit_options();
      // In the middle of both trainings.
      options.callbacks = {
          std::make_shared<After>(std::vector<std::int64_t>{100}, [&] { workers[2].end(SIGKILL); })};
      EXPECT_EQ(error_text_of([&] { found = fit_regression(model, options); }), "no error");
    });
  });
  other.join();
  EXPECT_NE(text.find(workers[2].address()), std::string::npos) << text;
  expect_equal(found, expected);
  // What the group had that was lost is gone there, too: two of devices that are connected, one of a group.
  EXPECT_TRUE(wait_for([&] { return status_of(workers[1]).find("  2 of ") != std::string::npos; }))
      << status_of(workers[1]);
}

TEST(WorkersTest, AClientThatGoesFreesItsGroupOnAllWorkers) {
  const WorkerProcess first(kOneThread), second(kOneThread);
  const auto has_clients = [](const WorkerProcess& worker, int count) {
    return status_of(worker).find("  " + std::to_string(count) + " of ") != std::string::npos;
  };
  auto group = group_of({first.url(), second.url()});
  EXPECT_TRUE(wait_for([&] { return has_clients(first, 1) && has_clients(second, 1); })) << status_of(first);
  group.reset();
  EXPECT_TRUE(wait_for([&] { return has_clients(first, 0) && has_clients(second, 0); })) << status_of(second);
}

TEST(WorkersTest, TheSameWorkerTwiceIsRefusedByWhateverNames) {
  const WorkerProcess worker(kOneThread);
  const Link link(worker.port());  // grpc:// and another address
  expect_error_text({worker.address(), "comes twice"},
                    [&] { group_of({worker.url("/0"), worker.url("/0"), link.url()}); });
  expect_error_text({"the group has this worker twice", link.url().substr(7)},
                    [&] { group_of({worker.url(), link.url()}); });
}

TEST(WorkersTest, AWorkerThatCannotReachAnotherSaysWhichAndHowToSayAnotherAddress) {
  const WorkerProcess first(kOneThread), second(kOneThread);
  const Clock::time_point start = Clock::now();
  // Nobody listens at port 1.
  expect_error_text(
      {"127.0.0.1:1 (rank 0)", second.address(), "nothing there takes connections", "peer=HOST:PORT"},
      [&] { group_of({first.url(",peer=127.0.0.1:1"), second.url()}); });
  // The address is that of the caller itself.
  expect_error_text({second.address(), "awaits no call"},
                    [&] { group_of({first.url(",peer=" + second.address()), second.url()}); });
  expect_error_text({"without TLS it calls workers on its own machine only", "10.0.0.2:8470"},
                    [&] { group_of({first.url(",peer=10.0.0.2:8470"), second.url()}); });
  EXPECT_LT(std::chrono::duration<double>(Clock::now() - start).count(), 15);
  // By another way than the client's.
  const Link link(first.port());
  const auto group = group_of({link.url(",peer=" + first.address()), second.url()});
  EXPECT_EQ(runtime::device_group(group.get())->size(), 2);
}

TEST(WorkersTest, DevicesOfOtherKindsAreRefused) {
  const WorkerProcess first(kOneThread), second({"--devices", "sim:ideal,clock=virtual"});
  expect_error_text({"sim:ideal", "CPU engines", "--devices cpu", second.address()},
                    [&] { group_of({first.url(), second.url()}); });
}

}  // namespace
}  // namespace cornu::inline v0
