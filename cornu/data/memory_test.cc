// Pipelines take no more memory the longer they run.
#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>

#include "cornu/base/sanitizer_test_support.h"
#include "cornu/data/dataset.h"

namespace cornu::inline v0::data {
namespace {

std::int64_t resident_bytes() {
  std::ifstream file("/proc/self/statm");
  std::int64_t whole = 0, resident = 0;
  file >> whole >> resident;
  return resident * ::sysconf(_SC_PAGESIZE);
}

TEST(MemoryTest, TenMillionElementsTakeNoMoreThanTheFirstOfThem) {
  if (kIsSanitized) GTEST_SKIP() << "sanitizers keep memory of their own";
  constexpr std::int64_t kElements = 10'000'000, kBatch = 100;
  const Dataset dataset = Dataset::range(kElements)
                              .shuffle(10000, {.seed = 1})
                              .map([](std::int64_t x) { return x + 1; })
                              .filter([](std::int64_t x) { return x > 0; })
                              .batch(kBatch)
                              .prefetch(4);
  std::int64_t batches = 0, early = 0;
  double sum = 0;
  for (const Element& batch : dataset) {
    sum += batch.tensor().at(0);
    if (++batches == kElements / kBatch / 10) early = resident_bytes();
  }
  EXPECT_EQ(batches, kElements / kBatch);
  EXPECT_GT(sum, 0);
  const std::int64_t grown = resident_bytes() - early;
  EXPECT_LT(grown, std::int64_t{2} << 20) << "bytes behind the first million elements";
}

}  // namespace
}  // namespace cornu::inline v0::data
