#include "cornu/runtime/partition.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "cornu/ir/graph.h"
#include "cornu/runtime/client_group.h"
#include "cornu/runtime/fake_device_test_support.h"
#include "cornu/runtime/group_executable.h"

namespace cornu::inline v0::runtime {
namespace {

using Rows = std::vector<std::int64_t>;

/// The rows of each part by dealing: a part takes rows until it has as many as a full part.
std::vector<Rows> dealt(std::int64_t num_rows, std::int64_t num_parts) {
  std::int64_t each = 0;
  while (each * num_parts < num_rows) ++each;
  std::vector<Rows> parts(static_cast<std::size_t>(num_parts));
  std::size_t part = 0;
  for (std::int64_t row = 0; row < num_rows; ++row) {
    if (std::cmp_equal(parts[part].size(), each)) ++part;
    parts[part].push_back(row);
  }
  return parts;
}

/// Calls check(num_rows, num_parts) for batches that fill their parts, leave a remainder, or have fewer rows
/// than parts.
template <typename F>
void for_each_size(const F& check) {
  for (std::int64_t num_parts = 1; num_parts <= 9; ++num_parts)
    for (std::int64_t num_rows = 1; num_rows <= 40; ++num_rows) {
      SCOPED_TRACE(std::to_string(num_rows) + " rows in " + std::to_string(num_parts) + " parts");
      check(num_rows, num_parts);
    }
}

TEST(PartitionTest, GivesConsecutiveRowsUntilEachPartIsFull) {
  for_each_size([](std::int64_t num_rows, std::int64_t num_parts) {
    const Partition partition{.num_rows = num_rows, .num_parts = num_parts};
    const std::vector<Rows> expected = dealt(num_rows, num_parts);
    for (std::int64_t part = 0; part < num_parts; ++part) {
      Rows rows(static_cast<std::size_t>(partition.size(part)));
      std::iota(rows.begin(), rows.end(), partition.begin(part));
      EXPECT_EQ(rows, expected[static_cast<std::size_t>(part)]) << part;
      EXPECT_EQ(partition.num_valid(part, num_rows), partition.size(part)) << part;
    }
  });
}

TEST(PartitionTest, ABatchWithPaddingFillsTheFirstParts) {
  for_each_size([](std::int64_t num_rows, std::int64_t num_parts) {
    const Partition partition{.num_rows = num_rows, .num_parts = num_parts};
    const std::vector<Rows> rows = dealt(num_rows, num_parts);
    for (std::int64_t valid = 0; valid <= num_rows; ++valid)
      for (std::int64_t part = 0; part < num_parts; ++part) {
        const Rows& own = rows[static_cast<std::size_t>(part)];
        const auto expected =
            std::count_if(own.begin(), own.end(), [&](std::int64_t row) { return row < valid; });
        EXPECT_EQ(partition.num_valid(part, valid), expected) << part << " of " << valid;
      }
  });
}

class FakeGroup final : public ClientGroup {
 public:
  explicit FakeGroup(std::int64_t size) : ClientGroup(clients(size)) {}

 private:
  static std::vector<std::shared_ptr<Client>> clients(std::int64_t size) {
    std::vector<std::shared_ptr<Client>> all;
    for (std::int64_t i = 0; i < size; ++i) all.push_back(std::make_shared<FakeClient>());
    return all;
  }
  void give_up(std::size_t, const Error&) override {}
};

/// Copies each replica's row indices to its outputs, and keeps its number of rows.
class EchoExecutable final : public GroupExecutable {
 public:
  EchoExecutable(const StepProgram& program, Client& group, const Partition& rows)
      : GroupExecutable(program, group, rows.num_parts, rows.num_rows), part_size_(rows.part_size()) {}

  const CompileStats& stats() const override { return stats_; }
  std::string explain(const Profiler*) const override { return ""; }
  std::string dump(const std::string&) const override { return ""; }
  const std::vector<std::int64_t>& num_rows() const { return num_rows_; }

 private:
  std::int64_t run_replicas(const Execution& execution) override {
    num_rows_.clear();
    for (const Replica& replica : execution.replicas) {
      num_rows_.push_back(replica.num_rows);
      std::memcpy(replica.outputs[0], replica.row_indices,
                  static_cast<std::size_t>(execution.num_steps * part_size_) * sizeof(std::int64_t));
    }
    return execution.num_steps;
  }

  std::int64_t part_size_;
  CompileStats stats_;
  std::vector<std::int64_t> num_rows_;
};

TEST(PartitionTest, ExecutionsOfAGroupCutAndJoinTheSameRows) {
  for_each_size([](std::int64_t num_rows, std::int64_t num_parts) {
    if (num_parts < 2) return;
    constexpr std::int64_t kSteps = 2;
    const Partition partition{.num_rows = num_rows, .num_parts = num_parts};
    FakeGroup group(num_parts);
    ir::Function function;
    function.name = "echo";
    function.body.set_results({function.body.add_argument({ir::DType::kI64, {partition.part_size()}})});
    EchoExecutable echo({&function, {ArgumentKind::kRows}, "echo"}, group, partition);
    Rows indices(static_cast<std::size_t>(kSteps * num_rows)), joined(indices.size(), -1);
    std::iota(indices.begin(), indices.end(), 100);
    const std::byte* const sources[] = {reinterpret_cast<const std::byte*>(indices.data())};
    std::byte* const outputs[] = {reinterpret_cast<std::byte*>(joined.data())};
    // The second step has one row of data.
    const std::int64_t num_valid = num_rows + 1;
    EXPECT_EQ(
        echo.run({.rows = sources, .row_indices = indices.data(), .num_rows = num_valid, .outputs = outputs},
                 kSteps),
        kSteps);
    EXPECT_EQ(joined, indices);
    for (std::int64_t part = 0; part < num_parts; ++part) {
      const std::int64_t expected =
          num_valid / num_rows * partition.part_size() + partition.num_valid(part, num_valid % num_rows);
      EXPECT_EQ(echo.num_rows()[static_cast<std::size_t>(part)], expected) << part;
    }
  });
}

}  // namespace
}  // namespace cornu::inline v0::runtime
