#include <algorithm>
#include <set>

#include "cornu/backends/cpu/plan/plan_text_test_support.h"

// Which groups chain_groups() joins, and in how many slices. Groups of a chain show the number of its first.
namespace cornu::inline v0::backends::cpu {
namespace {

using ir::Value;

class ChainGroupsTest : public PlanText {
 protected:
  Value spread(Value of_rows, const ir::Dims& dims) { return ops::broadcast_in_dim(b_, of_rows, dims, {0}); }
};

/// A softmax: the largest element of each row, the sum of the exponentials, the quotients.
TEST_F(ChainGroupsTest, PassesOverTheSameRowsAreAChain) {
  const Value x = argument({1024, 256});
  const Value most = ops::reduce_max(b_, x, {1});
  const Value powers = ops::exponential(b_, ops::subtract(b_, x, spread(most, x.dims())));
  const Value sums = ops::reduce_sum(b_, powers, {1});
  plan({ops::divide(b_, powers, spread(sums, x.dims()))});
  const std::string text = groups_after("chain_groups");
  EXPECT_EQ(text.find("  reduce [1024x256] slices=8 chain=0: (b0)"), 0U) << text;
  std::size_t num_chained = 0;
  for (std::size_t at = text.find(" slices=8 chain=0"); at != std::string::npos;
       at = text.find(" slices=8 chain=0", at + 1))
    ++num_chained;
  EXPECT_EQ(num_chained, plan_.groups.size()) << text;
}

/// Every slice of the second loop reads all columns' sums, which are known after the last slice.
TEST_F(ChainGroupsTest, SumsOverRowsEndAChain) {
  const Value x = argument({1024, 256});
  const Value made = ops::tanh(b_, x);
  const Value sums = ops::reduce_sum(b_, made, {0});
  plan({ops::multiply(b_, made, ops::broadcast_in_dim(b_, sums, x.dims(), {1}))});
  EXPECT_EQ(groups_after("chain_groups").find("chain"), std::string::npos) << groups_after("chain_groups");
}

TEST_F(ChainGroupsTest, ATransposedReadEndsAChain) {
  const Value x = argument({512, 512}), y = argument({512, 512});
  const Value made = ops::tanh(b_, x);
  plan({made, ops::add(b_, ops::transpose(b_, made, {1, 0}), y)});
  EXPECT_EQ(groups_after("chain_groups").find("chain"), std::string::npos) << groups_after("chain_groups");
}

TEST_F(ChainGroupsTest, LoopsWithoutACommonTensorAreNoChain) {
  const Value x = argument({512, 256}), y = argument({512, 255});
  plan({ops::negate(b_, x), ops::negate(b_, y)});
  EXPECT_EQ(groups_after("chain_groups"), groups_after("estimate"));
}

TEST_F(ChainGroupsTest, RowsThatNoEqualSlicesDivideAreNoChain) {
  const Value x = argument({1021, 256});  // a prime number
  const Value sums = ops::reduce_sum(b_, ops::tanh(b_, x), {1});
  plan({ops::multiply(b_, ops::tanh(b_, x), spread(sums, x.dims()))});
  EXPECT_EQ(groups_after("chain_groups").find("chain"), std::string::npos) << groups_after("chain_groups");
}

/// Slice 1 of the first group may run after slice 0 of the last one.
TEST_F(ChainGroupsTest, BuffersOfAChainShareNoMemory) {
  const Value x = fixed({1024, 256});
  argument({1024});
  Value y = x;
  for (int i = 0; i < 3; ++i) {
    const Value sums = ops::reduce_sum(b_, y, {1});
    y = ops::tanh(b_, ops::subtract(b_, y, spread(sums, x.dims())));
  }
  plan({ops::reduce_sum(b_, y, {1})});
  std::set<int> used;
  for (const Group& group : plan_.groups) {
    ASSERT_TRUE(group.chain.has_value());
    for (const Store& store : group.stores) used.insert(store.buffer);
  }
  std::vector<std::pair<std::size_t, std::size_t>> pieces;
  for (const int id : used)
    if (const PlanBuffer& buffer = plan_.buffers[static_cast<std::size_t>(id)];
        buffer.space == MemorySpace::kArena)
      pieces.emplace_back(buffer.offset, buffer.offset + buffer.type.size_bytes());
  ASSERT_GE(pieces.size(), 2U);
  std::sort(pieces.begin(), pieces.end());
  for (std::size_t i = 1; i < pieces.size(); ++i) EXPECT_LE(pieces[i - 1].second, pieces[i].first);
}

}  // namespace
}  // namespace cornu::inline v0::backends::cpu
