/// Links that delay, stall, break in the middle of a message and are half open.
#include "tests/remote/link.h"

#include <gtest/gtest.h>

#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "cornu/backends/remote/backend.h"
#include "cornu/base/error_test_support.h"
#include "cornu/keras/keras.h"
#include "cornu/runtime/distant_client.h"
#include "tests/remote/training_test_support.h"
#include "tests/remote/worker_process.h"

namespace cornu::inline v0 {
namespace {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

bool wait_for(const std::function<bool()>& is_so) {
  for (int i = 0; i < 200 && !is_so(); ++i) std::this_thread::sleep_for(50ms);
  return is_so();
}

void expect_lost_within(const std::function<void()>& work, std::chrono::milliseconds most) {
  const auto start = Clock::now();
  const std::string text = error_text_of(work);
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
  const runtime::TransferStatistics before = remote.client->counts();
  const auto start = Clock::now();
  expect_equal(train(fit_options(), "auto"), here);
  const double seconds = std::chrono::duration<double>(Clock::now() - start).count();
  const runtime::TransferStatistics counts = remote.client->counts().since(before);
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
    remote.client->distant()->reconnect(remote.client->distant()->generation());
    buffer->copy_from_host(values.data());
    link.cut_after(at);
    expect_lost_within([&] { buffer->copy_to_host(back.data()); }, 4s);
    remote.client->distant()->reconnect(remote.client->distant()->generation());
    EXPECT_NE(error_text_of([&] { buffer->copy_to_host(back.data()); }).find("was lost with the link"),
              std::string::npos);
    buffer->copy_from_host(values.data());
    buffer->copy_to_host(back.data());
    EXPECT_TRUE(back == values);
  }
  EXPECT_EQ(link.num_cuts(), 4);
}

TEST(LinkTest, ASessionOutlivesAConnectionThatTakesNoNewCalls) {
  const WorkerProcess worker;
  Link link(worker.port());
  const Connected remote(link.url());
  const std::uint64_t generation = remote.client->distant()->generation();
  std::vector<float> values(400, 1.0F), back(values.size());
  const auto buffer = remote.client->allocate({DType::kF32, {400}});
  buffer->copy_from_host(values.data());
  EXPECT_EQ(link.num_connections(), 1);
  for (int i = 1; i <= 3; ++i) {
    link.say_go_away();
    std::this_thread::sleep_for(200ms);
    buffer->copy_to_host(back.data());
    EXPECT_TRUE(back == values) << "what it held is there";
    for (float& value : values) value += 1;
    buffer->copy_from_host(values.data());
    EXPECT_EQ(link.num_connections(), 1 + i) << "calls go by a new connection, the session by the first";
  }
  EXPECT_FALSE(remote.client->has_lost_devices());
  EXPECT_EQ(remote.client->distant()->generation(), generation);
}

TEST(LinkTest, OfTwoThatFindTheSameLossOneConnectsAgain) {
  ReturningWorker returning;
  const Connected remote(returning.worker->url(",keep_alive=2"));
  runtime::DistantClient& distant = *remote.client->distant();
  const std::uint64_t lost = distant.generation();
  const std::vector<float> values(400, 1.0F);
  std::vector<float> back(values.size());
  const auto buffer = remote.client->allocate({DType::kF32, {400}});
  buffer->copy_from_host(values.data());
  returning.kill_and_start_again();
  distant.reconnect(lost);
  buffer->copy_from_host(values.data());
  distant.reconnect(lost);
  EXPECT_EQ(distant.generation(), lost + 1);
  buffer->copy_to_host(back.data());
  EXPECT_TRUE(back == values) << "the first one's session is still there";
  returning.kill_and_start_again();
  EXPECT_TRUE(wait_for([&] { return remote.client->has_lost_devices(); }));
  distant.reconnect(lost);
  EXPECT_EQ(distant.generation(), lost + 2) << "that session was lost, too";
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

/// Cuts the link in step 6 of a training with backups, and again after 500 kB of the bytes that then come back:
/// the losses are those of an undisturbed training.
void expect_losses_after_two_cuts(
    const std::function<std::vector<double>(const keras::FitOptions& options)>& losses_of) {
  keras::FitOptions options{.batch_size = 1, .epochs = 3, .verbose = 0};
  const std::vector<double> undisturbed = losses_of(options);
  const WorkerProcess worker;
  Link link(worker.port());
  const Connected remote(link.url(",keep_alive=2"));
  const DeviceScope scope(remote.name);
  options.backup = {.every_steps = 2, .first_wait_seconds = 0.2, .longest_wait_seconds = 0.2};
  std::jthread again;
  After cutter({6}, [&] {
    link.cut_after(1);
    again = std::jthread([&] {
      EXPECT_TRUE(wait_for([&] { return link.num_cuts() == 1; }));
      link.cut_after(500'000);
    });
  });
  options.callbacks = {&cutter};
  EXPECT_EQ(losses_of(options), undisturbed);
  again.join();
  EXPECT_EQ(link.num_cuts(), 2);
}

TEST(LinkTest, FitWithABackupGoesOnWhenTheLinkIsCutAgainWhileWeightsThatDoNotTrainAreBroughtBack) {
  const auto train_on_frozen = [](const keras::FitOptions& options) {
    set_random_seed(11);
    keras::Sequential model({keras::layers::Dense({.units = 300'000}), keras::layers::Dense({.units = 1})});
    model.layers()[0]->set_trainable(false);
    model.compile({.optimizer = "sgd", .loss = "mse"});
    const Tensor x = Tensor::of<float>({4, 1}, {1, 2, 3, 4}), y = Tensor::of<float>({4, 1}, {1, 3, 5, 7});
    return model.fit(x, y, options)["loss"];
  };
  expect_losses_after_two_cuts(train_on_frozen);  // 2.4 MB
}

TEST(LinkTest, FitWithABackupGoesOnWhenTheLinkIsCutAgainWhileAUsersVariableIsBroughtBack) {
  const auto train_with_table = [](const keras::FitOptions& options) {
    set_random_seed(11);
    keras::Sequential model({keras::layers::Dense({.units = 1})});
    const Variable table(ops::ones({500'000}) * 0.5, {.name = "table", .trainable = false});
    model.compile({.optimizer = "sgd", .loss = [&](const Tensor& y_true, const Tensor& y_pred) {
                     return ops::mean(ops::square(y_true - y_pred), {.axis = {-1}}) *
                            ops::mean(table.value());
                   }});
    const Tensor x = Tensor::of<float>({4, 1}, {1, 2, 3, 4}), y = Tensor::of<float>({4, 1}, {1, 3, 5, 7});
    return model.fit(x, y, options)["loss"];
  };
  expect_losses_after_two_cuts(train_with_table);  // 2 MB
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
