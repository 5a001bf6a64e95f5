#include <gtest/gtest.h>
#include <malloc.h>
#include <unistd.h>

#include <atomic>
#include <fstream>
#include <map>
#include <string>
#include <thread>

#include "cornu/base/sanitizer_test_support.h"
#include "cornu/keras/trainer/model_test_support.h"

/// Many threads that predict at the same time, and many models one after the other.
namespace cornu::inline v0::keras {
namespace {

class ManyRunsTest : public ModelTest {};
CORNU_TEST_ON_EVERY_PLATFORM(ManyRunsTest);

TEST_P(ManyRunsTest, PredictFromManyThreadsGivesWhatOneGives) {
  const Flowers data(64);
  Sequential model = small_model(1, 0.25);
  // The first calls come at once: they build, compile and move weights.
  std::vector<Tensor> first(4);
  {
    std::vector<std::jthread> threads;
    for (std::size_t t = 0; t < first.size(); ++t)
      threads.emplace_back([&, t] { first[t] = model.predict(data.x, {.batch_size = 8, .verbose = 0}); });
  }
  EXPECT_EQ(model.num_compiles(), 1);
  const Tensor whole = model.predict(data.x, {.batch_size = 8, .verbose = 0});
  const Tensor alone = model.predict(data.x.rows(5, 6), {.verbose = 0});
  for (const Tensor& result : first) EXPECT_TRUE(result.literal() == whole.literal());
  std::atomic<int> different{0};
  {
    std::vector<std::jthread> threads;
    for (int t = 0; t < 4; ++t) {
      threads.emplace_back([&, t] {
        for (int i = 0; i < 50; ++i) {
          // Sizes that are known, sizes that must be compiled, one row.
          const std::int64_t batch_size = t % 2 == 0 ? 8 : 9 + i % 3;
          const Tensor some = model.predict(data.x, {.batch_size = batch_size, .verbose = 0});
          if (batch_size == 8 && !(some.literal() == whole.literal())) ++different;
          if (!(model.predict(data.x.rows(5, 6), {.verbose = 0}).literal() == alone.literal())) ++different;
          if (model.predict_on_batch(data.x.rows(0, 1 + i)).num_rows() != 1 + i) ++different;
        }
      });
    }
  }
  EXPECT_EQ(different.load(), 0);
}

std::int64_t resident_bytes() {
  std::ifstream file("/proc/self/statm");
  std::int64_t total = 0, resident = 0;
  file >> total >> resident;
  return resident * ::sysconf(_SC_PAGESIZE);
}

TEST_P(ManyRunsTest, BuildingFittingAndDestroyingKeepsMemoryFlat) {
  if (kIsSanitized) GTEST_SKIP() << "a sanitizer keeps what is freed";
  const bool on_reference = std::string(GetParam()) == "reference";
  const Flowers data(20);
  const auto cycles = [&](int count) {
    for (int i = 0; i < count; ++i) {
      Sequential model = small_model();
      model.compile({.optimizer = "adam", .loss = "mse", .metrics = {"accuracy"}, .steps_per_execution = 4});
      model.fit(data.x, data.one_hot, {.batch_size = 5, .verbose = 0});
      clear_session();
    }
    ::malloc_trim(0);
    return resident_bytes();
  };
  // On the CPU a cycle compiles for tens of milliseconds: fewer of them.
  const int count = on_reference ? 500 : 40;
  cycles(count / 4);
  const std::int64_t before = cycles(count / 4);
  const std::int64_t after = cycles(count / 2);
  EXPECT_LT(after - before, 2 << 20) << before << " bytes before, " << after << " after " << count / 2
                                     << " models more";
  // With --gtest_repeat (the full tier) all rounds are compared with the first.
  static std::map<std::string, std::int64_t> first_round;
  const std::int64_t first = first_round.emplace(GetParam(), after).first->second;
  EXPECT_LT(after - first, 2 << 20) << first << " bytes after the first round";
  RecordProperty("resident_bytes", std::to_string(after));
}

}  // namespace
}  // namespace cornu::inline v0::keras
