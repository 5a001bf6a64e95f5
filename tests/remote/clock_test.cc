// The time of devices that a worker simulates.
#include <gtest/gtest.h>

#include <chrono>
#include <cstdint>
#include <thread>
#include <vector>

#include "cornu/keras/keras.h"
#include "cornu/runtime/distant_client.h"
#include "cornu/runtime/virtual_clock.h"
#include "cornu/tensor/device.h"
#include "tests/remote/training_test_support.h"
#include "tests/remote/worker_process.h"

namespace cornu::inline v0 {
namespace {

/// Everything is free but what is named.
constexpr const char* kDevice =
    "sim:ideal,clock=virtual,step_seconds=1,launch_seconds=0.25,compile_seconds=2,stream_seconds=5";

TEST(RemoteClockTest, AVirtualClockComesBackWithEachCall) {
  const WorkerProcess worker({"--devices", kDevice});
  const Connected remote(worker.url());
  EXPECT_TRUE(remote.client->is_simulated());
  EXPECT_EQ(runtime::virtual_now(*remote.client), 0.0);
  const DeviceScope scope(remote.name);
  keras::Sequential model = make_regression(4);  // 80 rows
  const double start = remote.client->now();
  const auto [x, y] = regression_rows();
  model.fit(x, y, {.batch_size = 8, .epochs = 1, .verbose = 0});
  const runtime::TransferStatistics counts = remote.client->counts();
  ASSERT_EQ(counts.executions.items, 10);
  ASSERT_EQ(counts.executions.calls, 3);
  // The worker makes the loop of steps with the first execution.
  EXPECT_NEAR(counts.executions.seconds + counts.compiles.seconds, 2 + 5 + 3 * 0.25 + 10, 1e-9)
      << "one program, one pass, three launches, ten steps";
  EXPECT_NEAR(remote.client->now() - start, counts.executions.seconds + counts.compiles.seconds, 1e-9);
}

TEST(RemoteClockTest, ARealClockIsTheHosts) {
  const WorkerProcess worker({"--devices", "sim:ideal,clock=real"});
  const Connected remote(worker.url());
  EXPECT_FALSE(runtime::virtual_now(*remote.client).has_value());
  const double start = remote.client->now();
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  EXPECT_GE(remote.client->now() - start, 0.02);
}

TEST(RemoteClockTest, TimeGoesOnWhereAWorkerWasStartedAgain) {
  ReturningWorker worker({"--devices", "sim:ideal,clock=virtual,link_latency_seconds=3"});
  const Connected remote(worker.worker->url());
  const std::vector<float> values(1024, 1.0F);
  const auto write = [&] { remote.client->allocate({DType::kF32, {1024}})->copy_from_host(values.data()); };
  write();
  EXPECT_NEAR(remote.client->now(), 3, 1e-9);
  const std::uint64_t generation = remote.client->distant()->generation();
  worker.kill_and_start_again();
  remote.client->distant()->reconnect(generation);
  EXPECT_NEAR(remote.client->now(), 3, 1e-9);
  write();
  EXPECT_NEAR(remote.client->now(), 6, 1e-9);
}

}  // namespace
}  // namespace cornu::inline v0
