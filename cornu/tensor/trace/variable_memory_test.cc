/// Memory that ends while variables get new values.
#include <gtest/gtest.h>

#include <cstdint>
#include <cstdlib>
#include <functional>
#include <new>
#include <optional>

#include "cornu/tensor/ops.h"
#include "cornu/tensor/trace/variable_claim.h"
#include "cornu/tensor/trace/variable_fill.h"
#include "cornu/tensor/trace/variable_versions.h"
#include "cornu/tensor/value/device.h"

namespace {
thread_local std::int64_t allocations_left = -1;  // until one fails; negative: none does
bool fails_now() { return allocations_left >= 0 && allocations_left-- == 0; }
}  // namespace

// Not inlined: GCC would take the pair for a mismatch.
[[gnu::noinline]] void* operator new(std::size_t size) {
  if (!fails_now())
    if (void* memory = std::malloc(size == 0 ? 1 : size)) return memory;
  throw std::bad_alloc();
}
[[gnu::noinline]] void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
  return fails_now() ? nullptr : std::malloc(size == 0 ? 1 : size);  // AddressSanitizer has its own otherwise
}
[[gnu::noinline]] void operator delete(void* memory) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }

namespace cornu::inline v0::detail {
namespace {

/// Calls `f` with one allocation more each time until it ends, and `check` after each time that it did not.
int num_failures(const std::function<void()>& f, const std::function<void()>& check) {
  constexpr int kMost = 1000;
  for (int allocations = 0; allocations < kMost; ++allocations) {
    try {
      allocations_left = allocations;
      f();
      allocations_left = -1;
      return allocations;
    } catch (const std::bad_alloc&) {
      allocations_left = -1;
      check();
    }
  }
  return kMost;
}

std::vector<Variable> three_variables() {
  return {Variable(ops::ones({8})), Variable(ops::ones({8})), Variable(ops::ones({8}))};
}

TEST(VariableMemoryTest, WhereMemoryEndsAnUpdateChangesAllVariablesOrNone) {
  std::vector<Variable> variables;
  for (int i = 0; i < 4; ++i) variables.emplace_back(ops::ones({8}));
  for (std::size_t i = 0; i < 3; ++i) (void)variables[i].buffer();  // the last one stays a literal
  VariableUpdate update;
  for (const Variable& variable : variables) update.set(variable, ops::full({8}, 2.0F));
  const int failures = num_failures([&] { update.commit(); },
                                    [&] {
                                      for (const Variable& variable : variables)
                                        EXPECT_EQ(variable.read().at(0), 1) << "nothing has changed";
                                    });
  EXPECT_GT(failures, 0);
  EXPECT_LT(failures, 100);
  for (const Variable& variable : variables) EXPECT_EQ(variable.read().at(0), 2);
}

TEST(VariableMemoryTest, WhereMemoryEndsNoVersionsAreListed) {
  const std::vector<Variable> variables = three_variables();
  std::optional<VariableVersions> versions;
  const int failures = num_failures([&] { versions.emplace(variables, current_placement()); },
                                    [&] {
                                      for (const Variable& variable : variables)
                                        EXPECT_TRUE(variable.state().versions.empty())
                                            << "of an object that is not there";
                                    });
  EXPECT_GT(failures, 0);
  for (const Variable& variable : variables) EXPECT_EQ(variable.state().versions.size(), 1U);
}

TEST(VariableMemoryTest, WhereMemoryEndsAClaimLeavesNoMarks) {
  const std::vector<Variable> variables = three_variables();
  std::optional<VariableClaim> claim;
  const auto expect_marks = [&](std::size_t count) {
    for (const Variable& variable : variables) EXPECT_EQ(variable.state().claim_marks.size(), count);
  };
  const int failures = num_failures(
      [&] { claim.emplace(VariableClaim::Variables{.written = variables}, OtherThreads::kWait); },
      [&] { expect_marks(0); });
  EXPECT_GT(failures, 0);
  expect_marks(1);
  claim.reset();
  expect_marks(0);
}

}  // namespace
}  // namespace cornu::inline v0::detail
