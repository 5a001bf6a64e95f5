#include "cornu/keras/trainer/default_generator.h"

#include <gtest/gtest.h>

#include "cornu/tensor/ops.h"
#include "cornu/tensor/random.h"

namespace cornu::inline v0::keras {
namespace {

Tensor count(std::uint32_t value) { return Tensor::of<std::uint32_t>({}, {value}); }

/// A step whose state has the process's counter between those of two other generators.
class OlderCounterTest : public ::testing::Test {
 protected:
  StateValues renamed(StateValues values) const {
    return with_older_counter(std::move(values), generator_, carried_, std::vector{weight_});
  }

  DefaultGenerator generator_{.seed = 5, .counter = SeedGenerator(5).counter()};
  Variable weight_{0.0F};
  std::vector<Variable> carried_ = {weight_, SeedGenerator(1).counter(), generator_.counter,
                                    SeedGenerator(2).counter()};
};

TEST_F(OlderCounterTest, TheOtherGeneratorsOfAStepCountOnWithoutIt) {
  const StateValues values = renamed({{"step/seed_generator_state", count(10)},
                                      {"step/seed_generator_state_1", count(11)},
                                      {"step/seed_generator_state_2", count(12)},
                                      {"run/epoch", count(3)}});
  const auto expect_count = [&](const char* path, std::uint32_t expected) {
    ASSERT_TRUE(values.contains(path)) << path;
    EXPECT_EQ(values.at(path).item<std::uint32_t>(), expected) << path;
  };
  expect_count("step/seed_generator_state", 10);
  expect_count("step/default_seed_generator/counter", 11);
  expect_count("step/seed_generator_state_1", 12);
  expect_count("run/epoch", 3);
  EXPECT_EQ(values.at("step/default_seed_generator/seed").to_vector<std::uint64_t>(),
            std::vector<std::uint64_t>{5});
  EXPECT_EQ(values.size(), 5U);
}

TEST_F(OlderCounterTest, StatesThatLackOneOrHoldTheSeedStayAsTheyAre) {
  const StateValues fewer = renamed({{"step/seed_generator_state", count(10)}});
  EXPECT_EQ(fewer.size(), 1U);
  EXPECT_TRUE(fewer.contains("step/seed_generator_state"));
  const StateValues newer = renamed({{"step/seed_generator_state", count(10)},
                                     {"step/seed_generator_state_1", count(12)},
                                     {"step/seed_generator_state_2", count(13)},
                                     {"step/default_seed_generator/counter", count(11)}});
  EXPECT_EQ(newer.size(), 4U);
  EXPECT_EQ(newer.at("step/default_seed_generator/counter").item<std::uint32_t>(), 11U);
}

}  // namespace
}  // namespace cornu::inline v0::keras
