#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

#include "cornu/distribute/mpi/mpi.h"
#include "cornu/keras/trainer/model_test_support.h"

// Each rank runs all of this.
namespace cornu::inline v0::runtime {
namespace {

Collective& world() { return *distribute::mpi_processes(); }

/// What a rank has: numbers whose sum depends on the order in which they are added.
std::vector<float> numbers_of(int rank, std::size_t count) {
  std::vector<float> values(count);
  std::uint32_t bits = static_cast<std::uint32_t>(rank) * 40503u + 1;
  for (std::size_t i = 0; i < count; ++i) {
    bits = bits * 1664525u + 1013904223u;
    values[i] = static_cast<float>(static_cast<std::int32_t>(bits)) * static_cast<float>(1u << (i % 20));
  }
  return values;
}

float tree_sum(std::vector<float> parts) {
  while (parts.size() > 1) {
    std::vector<float> next;
    for (std::size_t i = 0; i < parts.size(); i += 2)
      next.push_back(i + 1 < parts.size() ? parts[i] + parts[i + 1] : parts[i]);
    parts = next;
  }
  return parts[0];
}

TEST(ProcessesTest, SumsAreThoseOfTheTreeToTheBit) {
  // Of one element, below and above what goes at once, several chunks with a rest.
  for (const std::size_t count :
       {std::size_t{1}, std::size_t{1000}, std::size_t{4097}, std::size_t{777'777}}) {
    std::vector<float> values = numbers_of(world().rank(), count);
    world().all_reduce(ir::DType::kF32, std::as_writable_bytes(std::span(values)));
    std::vector<std::vector<float>> all;
    for (int rank = 0; rank < world().size(); ++rank) all.push_back(numbers_of(rank, count));
    for (std::size_t i = 0; i < count; ++i) {
      std::vector<float> parts;
      for (const std::vector<float>& of_rank : all) parts.push_back(of_rank[i]);
      ASSERT_EQ(values[i], tree_sum(parts)) << i << " of " << count;
    }
  }
}

TEST(ProcessesTest, SumsOfOtherTypes) {
  const std::int64_t n = world().size();
  std::vector<std::int32_t> small(5, world().rank() + 1);
  world().all_reduce(ir::DType::kI32, std::as_writable_bytes(std::span(small)));
  EXPECT_EQ(small, std::vector<std::int32_t>(5, static_cast<std::int32_t>(n * (n + 1) / 2)));
  std::vector<std::int64_t> large(100'000, std::int64_t{1} << 40);
  world().all_reduce(ir::DType::kI64, std::as_writable_bytes(std::span(large)));
  EXPECT_EQ(large, std::vector<std::int64_t>(100'000, n << 40));
  std::vector<double> fractions(3, 0.25);
  world().all_reduce(ir::DType::kF64, std::as_writable_bytes(std::span(fractions)));
  EXPECT_EQ(fractions, std::vector<double>(3, 0.25 * static_cast<double>(n)));
  world().all_reduce(ir::DType::kF32, {});
}

TEST(ProcessesTest, GatherIsInTheOrderOfRanks) {
  for (const std::size_t count : {std::size_t{1}, std::size_t{300'000}}) {
    const std::vector<std::int32_t> own(count, world().rank());
    std::vector<std::int32_t> all(count * static_cast<std::size_t>(world().size()));
    world().all_gather(std::as_bytes(std::span(own)), std::as_writable_bytes(std::span(all)));
    for (std::size_t i = 0; i < all.size(); ++i) ASSERT_EQ(all[i], static_cast<std::int32_t>(i / count));
  }
}

TEST(ProcessesTest, AllGetWhatTheChiefHas) {
  std::vector<std::byte> bytes(world().is_chief() ? 70'001 : 3, std::byte{42});
  world().broadcast(bytes);
  EXPECT_EQ(bytes, std::vector<std::byte>(70'001, std::byte{42}));
  EXPECT_EQ(world().broadcast(world().rank() + 7), 7);
}

TEST(ProcessesTest, DifferentProgramsAreRefusedByAll) {
  const auto rank = static_cast<std::uint64_t>(world().rank());
  EXPECT_FALSE(world().agree({.program = "step", .fingerprint = 1, .num_steps = 2}));
  EXPECT_EQ(world().agree({.program = "step", .fingerprint = 1, .num_steps = 2, .stop = rank == 0}), true);
  if (world().size() == 1) return;
  const Error program =
      error_of([&] { world().agree({.program = "step", .fingerprint = rank / 1 == 0 ? 1u : 2u}); });
  expect_contains(program, ErrorCode::kFailedPrecondition, {"rank 0 \"step\"", "rank 1 \"step\""});
  const Error steps = error_of(
      [&] { world().agree({.program = "step", .fingerprint = 1, .num_steps = world().is_chief() ? 3 : 4}); });
  expect_contains(steps, ErrorCode::kFailedPrecondition, {"for 3 steps", "for 4 steps"});
  const Error seed = error_of([&] { world().require_same("a seed", rank); });
  expect_contains(seed, ErrorCode::kFailedPrecondition, {"rank 1 and rank 0 differ in a seed"});
}

}  // namespace
}  // namespace cornu::inline v0::runtime
