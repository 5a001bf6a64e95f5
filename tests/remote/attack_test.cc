/// Attacks on a worker by clients without its token (attacks.py), beside a client with the token that trains on.
/// CORNU_ATTACK_SECONDS is how long each attack is.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "cornu/backends/remote/backend.h"
#include "cornu/base/error_test_support.h"
#include "cornu/base/sanitizer_test_support.h"
#include "cornu/keras/keras.h"
#include "cornu/tensor/device.h"
#include "tests/remote/training_test_support.h"
#include "tests/remote/worker_process.h"

namespace cornu::inline v0 {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t kMib = std::size_t{1} << 20;
constexpr auto kGetsIn = std::chrono::seconds(2);

double attack_seconds() {
  const char* const text = std::getenv("CORNU_ATTACK_SECONDS");
  return text == nullptr ? 1.5 : std::stod(text);
}

/// A number of /proc/PID/status, as "VmRSS".
std::size_t status_of(const WorkerProcess& worker, const std::string& name) {
  std::ifstream status(fmt::format("/proc/{}/status", worker.id()));
  for (std::string line; std::getline(status, line);)
    if (line.starts_with(name + ":")) return std::stoul(line.substr(name.size() + 1));
  return 0;
}
std::size_t resident_bytes(const WorkerProcess& worker) { return 1024 * status_of(worker, "VmRSS"); }

std::size_t num_descriptors(const WorkerProcess& worker) {
  using Folder = std::filesystem::directory_iterator;
  return static_cast<std::size_t>(std::distance(Folder(fmt::format("/proc/{}/fd", worker.id())), Folder()));
}

/// A worker with a token, of one thread, so that an attacker has a core of his own.
struct WorkerWithToken {
  WorkerFiles folder;
  std::string token = folder.write("token", "0123456789abcdef0123456789abcdef\n");
  WorkerProcess worker{{"--token-file", token, "--threads", "1", "--memory-limit", "256MiB"}};

  std::string url() const { return worker.url(",token_file=" + token); }
  Clock::duration time_to_get_in() const {
    const auto start = Clock::now();
    EXPECT_EQ(error_text_of([&] { runtime::make_client(url()); }), "no error");
    return Clock::now() - start;
  }
};

/// Trains on a worker until it is told to end.
class HonestClient {
 public:
  explicit HonestClient(const std::string& url) : remote_(url) {
    thread_ = std::thread([this] { error_ = error_text_of([this] { train(); }); });
  }
  ~HonestClient() { (void)end(); }
  HonestClient(const HonestClient&) = delete;
  HonestClient& operator=(const HonestClient&) = delete;

  std::int64_t num_epochs() const { return num_epochs_; }
  void wait_for_epochs(std::int64_t count) const {
    for (int i = 0; i < 1000 && num_epochs_ < count; ++i)
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  /// What went wrong.
  std::string end() {
    is_over_ = true;
    if (thread_.joinable()) thread_.join();
    return error_;
  }

 private:
  struct Counts : keras::callbacks::Callback {
    explicit Counts(HonestClient& of) : client(of) {}
    void on_epoch_end(std::int64_t, keras::Logs& logs) override {
      EXPECT_TRUE(std::isfinite(logs["loss"]));
      ++client.num_epochs_;
      if (client.is_over_) model()->set_stop_training(true);
    }
    HonestClient& client;
  };
  void train() {
    const DeviceScope scope(remote_.name);
    keras::Sequential model = make_regression();
    const auto [x, y] = regression_rows();
    Counts counts(*this);
    model.fit(x, y, {.epochs = 1'000'000, .verbose = 0, .callbacks = {&counts}});
  }

  Connected remote_;
  std::atomic<std::int64_t> num_epochs_{0};
  std::atomic<bool> is_over_{false};
  std::string error_;
  std::thread thread_;  // works on the others
};

/// attacks.py for so long; returns what it says of itself, and gives the most memory that the worker took.
std::string attack(const std::string& name, const WorkerProcess& worker, std::size_t& most_bytes) {
  const std::string command =
      fmt::format("{} {} {} {} {} 2>&1", std::getenv("CORNU_PYTHON"), std::getenv("CORNU_ATTACKS"), name,
                  worker.port(), attack_seconds());
  std::atomic<bool> is_over{false};
  std::thread watch([&] {
    while (!is_over) {
      most_bytes = std::max(most_bytes, resident_bytes(worker));
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
    }
  });
  FILE* const process = popen(command.c_str(), "r");
  std::string text;
  char line[500];
  while (std::fgets(line, sizeof line, process) != nullptr) text += line;
  EXPECT_EQ(pclose(process), 0) << text;
  is_over = true;
  watch.join();
  return text;
}

class AttackTest : public testing::TestWithParam<const char*> {};

TEST_P(AttackTest, AnHonestClientTrainsOnAndTheNextOneGetsIn) {
  WorkerWithToken lent;
  HonestClient client(lent.url());
  client.wait_for_epochs(20);
  const std::size_t before = resident_bytes(lent.worker);
  const std::int64_t epochs_before = client.num_epochs();
  std::size_t most_bytes = before;
  const std::string said = attack(GetParam(), lent.worker, most_bytes);
  const std::int64_t epochs = client.num_epochs() - epochs_before;
  RecordProperty("attack", said);
  EXPECT_LT(lent.time_to_get_in(), kGetsIn) << said;
  EXPECT_GT(static_cast<double>(epochs), 3 * attack_seconds()) << said;
  if (!kIsSanitized) {
    EXPECT_LT(most_bytes, before + 64 * kMib) << said;
  }
  EXPECT_LT(status_of(lent.worker, "Threads"), 60U) << said;
  EXPECT_EQ(client.end(), "no error") << said;
  if (said.find("admitted") != std::string::npos) {
    EXPECT_NE(said.find(" 0 of them admitted"), std::string::npos) << said;
  }
  EXPECT_EQ(lent.worker.end(SIGTERM), 0) << said;
}

INSTANTIATE_TEST_SUITE_P(Strangers, AttackTest,
                         testing::Values("unfinished_writes", "silent_connections", "connect_flood",
                                         "rapid_reset", "hpack_literal", "hpack_integer", "slow_admission",
                                         "wrong_proofs", "no_protocol"),
                         [](const testing::TestParamInfo<const char*>& attack) { return attack.param; });

TEST(DescriptorsTest, WhereDescriptorsRunOutAcceptingRecovers) {
  WorkerWithToken lent;
  HonestClient client(lent.url());
  client.wait_for_epochs(20);
  rlimit before{};
  ASSERT_EQ(prlimit(lent.worker.id(), RLIMIT_NOFILE, nullptr, &before), 0);
  const rlimit few{.rlim_cur = num_descriptors(lent.worker) + 20, .rlim_max = before.rlim_max};
  ASSERT_EQ(prlimit(lent.worker.id(), RLIMIT_NOFILE, &few, nullptr), 0);
  std::size_t most_bytes = 0;
  const std::string said = attack("silent_connections", lent.worker, most_bytes);
  EXPECT_LT(lent.time_to_get_in(), kGetsIn) << said;
  EXPECT_EQ(client.end(), "no error") << said;
  EXPECT_EQ(lent.worker.end(SIGTERM), 0) << said;
}

}  // namespace
}  // namespace cornu::inline v0
