/// Links that delay, stall, break in the middle of a message and are half open.
#include "tests/remote/link.h"

#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "cornu/backends/remote/backend.h"
#include "cornu/keras/keras.h"
#include "cornu/runtime/distant_client.h"
#include "tests/remote/worker_process.h"

namespace cornu::inline v0 {
namespace {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

struct Rows {
  Tensor x, y;
  Rows() {
    std::vector<float> values(240), labels(80);
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = 0.1F * static_cast<float>(i * 7 % 19);
    for (std::size_t i = 0; i < labels.size(); ++i) labels[i] = values[3 * i] - values[3 * i + 1];
    x = Tensor::from<float>({80, 3}, values);
    y = Tensor::from<float>({80, 1}, labels);
  }
};

struct Result {
  keras::callbacks::History history;
  std::vector<std::vector<float>> weights;
};

Result train(const keras::FitOptions& options, const keras::StepsPerExecution& steps = 2) {
  const Rows rows;
  set_random_seed(11);
  keras::Sequential model({keras::layers::Dense({.units = 8, .activation = "tanh"}),
                           keras::layers::BatchNormalization(), keras::layers::Dropout({.rate = 0.25}),
                           keras::layers::Dense({.units = 1})});
  model.build({keras::kUnknown, 3});
  model.compile(
      {.optimizer = "adam", .loss = "mse", .metrics = {"mae"}, .steps_per_execution = steps, .seed = 5});
  Result result{.history = model.fit(rows.x, rows.y, options)};
  for (const Variable& weight : model.weights()) result.weights.push_back(weight.value().to_vector<float>());
  return result;
}

keras::FitOptions fit_options() {
  return {.batch_size = 8, .epochs = 4, .verbose = 0, .validation_split = 0.2};
}

void expect_equal(const Result& a, const Result& b) {
  EXPECT_EQ(a.weights, b.weights);
  for (const char* name : {"loss", "mae", "val_loss", "val_mae"})
    EXPECT_EQ(a.history[name], b.history[name]) << name;
}

/// Calls something behind so many steps of the run.
class After : public keras::callbacks::Callback {
 public:
  After(std::vector<std::int64_t> steps, std::function<void()> work)
      : steps_(std::move(steps)), work_(std::move(work)) {}
  void on_train_batch_end(const keras::callbacks::BatchRange& batches, keras::LazyLogs&) override {
    steps_run_ += batches.count;
    if (steps_.empty() || steps_run_ < steps_.front()) return;
    steps_.erase(steps_.begin());
    work_();
  }

 private:
  std::vector<std::int64_t> steps_;
  std::function<void()> work_;
  std::int64_t steps_run_ = 0;
};

bool wait_for(const std::function<bool()>& is_so) {
  for (int i = 0; i < 200 && !is_so(); ++i) std::this_thread::sleep_for(50ms);
  return is_so();
}

void expect_lost_within(const std::function<void()>& work, std::chrono::milliseconds most) {
  const auto start = Clock::now();
  const std::string text = error_of(work);
  EXPECT_NE(text.find("does not answer"), std::string::npos) << text;
  EXPECT_LT(Clock::now() - start, most);
}

TEST(LinkTest, ADelayChangesNoBitAndFewCallsPayIt) {
  const WorkerProcess worker;
  Link link(worker.port());
  const Connected remote(link.url());
  const Result here = train(fit_options(), 8);
  link.set_delay(10ms);
  const DeviceScope scope(remote.name);
  const runtime::CallCounts before = remote.client->counts();
  const auto start = Clock::now();
  expect_equal(train(fit_options(), "auto"), here);
  const double seconds = std::chrono::duration<double>(Clock::now() - start).count();
  const runtime::CallCounts counts = remote.client->counts().since(before);
  const std::int64_t calls =
      counts.executions.calls + counts.reads.calls + counts.writes.calls + counts.compiles.calls;
  EXPECT_LE(calls, 3 * 4 + 12) << counts.str();
  EXPECT_GE(seconds, 0.02 * static_cast<double>(counts.executions.calls)) << "the link does delay";
}

TEST(LinkTest, AStalledLinkIsAnErrorWithinTheKeepAliveAndTheSessionEnds) {
  const WorkerProcess worker;
  Link link(worker.port());
  const Connected remote(link.url(",keep_alive=1"));
  const auto buffer = remote.client->allocate({DType::kF32, {400}});
  const std::vector<float> values(400);
  buffer->copy_from_host(values.data());
  link.set_stalled(true);
  expect_lost_within([&] { buffer->copy_from_host(values.data()); }, 3s);
  const auto status = [&] { return backends::remote::worker_status("//" + worker.address()); };
  EXPECT_TRUE(wait_for([&] {
    return status().find("0 of 64 clients, 0 buffers, 0 bytes") != std::string::npos;
  })) << status();
}

TEST(LinkTest, ALargeTransferThatIsCutInTheMiddleIsAnErrorAndTheLinkCanBeMadeAgain) {
  const WorkerProcess worker;
  Link link(worker.port());
  const Connected remote(link.url(",keep_alive=2"));
  const std::size_t count = 8 << 20;
  std::vector<float> values(count, 1.0F), back(count);
  const auto buffer = remote.client->allocate({DType::kF32, {static_cast<std::int64_t>(count)}});
  for (const std::int64_t at : {10'000'000, 33'333'333}) {
    link.cut_after(at);
    expect_lost_within([&] { buffer->copy_from_host(values.data()); }, 4s);
    remote.client->distant()->reconnect();
    buffer->copy_from_host(values.data());
    link.cut_after(at);
    expect_lost_within([&] { buffer->copy_to_host(back.data()); }, 4s);
    remote.client->distant()->reconnect();
    EXPECT_NE(error_of([&] { buffer->copy_to_host(back.data()); }).find("was lost with the link"),
              std::string::npos);
    buffer->copy_from_host(values.data());
    buffer->copy_to_host(back.data());
    EXPECT_TRUE(back == values);
  }
  EXPECT_EQ(link.num_cuts(), 4);
}

TEST(LinkTest, ALinkThatIsHalfOpenIsNoticedOnBothSides) {
  const WorkerProcess worker;
  Link link(worker.port());
  const auto status = [&] { return backends::remote::worker_status("//" + worker.address()); };
  const std::vector<float> values(400);
  {
    const Connected remote(link.url(",keep_alive=1"));
    const auto buffer = remote.client->allocate({DType::kF32, {400}});
    buffer->copy_from_host(values.data());
    link.forget_worker_side();
    expect_lost_within([&] { buffer->copy_from_host(values.data()); }, 3s);
  }
  const Connected remote(link.url(",keep_alive=1"));
  const auto buffer = remote.client->allocate({DType::kF32, {400}});
  buffer->copy_from_host(values.data());
  EXPECT_NE(status().find("1 of 64 clients, 1 buffers"), std::string::npos) << status();
  link.forget_client_side();
  EXPECT_TRUE(wait_for([&] {
    return status().find("0 of 64 clients, 0 buffers, 0 bytes") != std::string::npos;
  })) << status();
}

TEST(LinkTest, FitWithABackupGoesOnToTheBitWhereverTheLinkIsCut) {
  const Result undisturbed = train(fit_options());
  const WorkerProcess worker;
  int num_cuts = 0;
  for (const std::int64_t at : {1, 137, 1500, 9000}) {
    Link link(worker.port());
    const Connected remote(link.url(",keep_alive=2"));
    const DeviceScope scope(remote.name);
    keras::FitOptions options = fit_options();
    options.backup = {.every_steps = 3, .first_wait_seconds = 0.02, .longest_wait_seconds = 0.2};
    After cutter({2, 6, 20}, [&] { link.cut_after(at); });
    options.callbacks = {&cutter};
    expect_equal(train(options), undisturbed);
    num_cuts += link.num_cuts();
  }
  EXPECT_GE(num_cuts, 8);
}

TEST(LinkTest, FitWithABackupGoesOnAfterAStall) {
  const Result undisturbed = train(fit_options());
  const WorkerProcess worker;
  Link link(worker.port());
  const Connected remote(link.url(",keep_alive=0.5"));
  const DeviceScope scope(remote.name);
  keras::FitOptions options = fit_options();
  options.backup = {.every_steps = 3, .first_wait_seconds = 0.1, .longest_wait_seconds = 0.5};
  std::thread relief;
  After stall({6}, [&] {
    link.set_stalled(true);
    relief = std::thread([&] {
      std::this_thread::sleep_for(2s);
      link.set_stalled(false);
    });
  });
  options.callbacks = {&stall};
  expect_equal(train(options), undisturbed);
  relief.join();
  EXPECT_GE(link.num_connections(), 2);
}

}  // namespace
}  // namespace cornu::inline v0
