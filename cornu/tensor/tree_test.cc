#include "cornu/tensor/tree.h"

#include <gtest/gtest.h>

#include <map>
#include <string>
#include <tuple>

#include "cornu/base/error.h"
#include "cornu/base/error_test_support.h"
#include "cornu/tensor/ops.h"

namespace cornu::inline v0 {
namespace {

Tensor number(float value) { return Tensor::of<float>({}, {value}); }

struct Cell {
  Tensor h;
  std::vector<Tensor> memory;
  int steps = 0;
};
using State = std::map<std::string, Cell>;

State state() { return {{"b", {number(3), {}, 7}}, {"a", {number(0), {number(1), number(2)}, 5}}}; }

std::vector<double> numbers(const std::vector<Tensor>& leaves) {
  std::vector<double> values;
  for (const Tensor& leaf : leaves) values.push_back(leaf.at(0));
  return values;
}

TEST(TreeTest, FlattenTakesLeavesInTheOrderOfKeys) {
  EXPECT_EQ(numbers(tree::flatten(state())), (std::vector<double>{0, 1, 2, 3}));
  EXPECT_EQ(numbers(tree::flatten(number(4))), std::vector<double>{4});
  std::vector<std::string> paths;
  for (const auto& [path, leaf] : tree::flatten_with_path(state())) paths.push_back(path);
  EXPECT_EQ(paths, (std::vector<std::string>{"a/0", "a/1/0", "a/1/1", "b/0"}));
}

TEST(TreeTest, PackSequenceAsKeepsNumbersAndChecksTheCount) {
  const State packed = tree::pack_sequence_as(state(), {number(9), number(8), number(7), number(6)});
  EXPECT_EQ(numbers(tree::flatten(packed)), (std::vector<double>{9, 8, 7, 6}));
  EXPECT_EQ(packed.at("a").steps, 5);
  expect_contains(error_of([] { tree::pack_sequence_as(state(), {number(9)}); }), ErrorCode::kInvalidArgument,
                  {"pack_sequence_as", "4 tensors", "got 1"});
}

TEST(TreeTest, MapStructureTakesFurtherStructures) {
  const State sum =
      tree::map_structure([](const Tensor& x, const Tensor& y) { return x + y * 10; }, state(), state());
  EXPECT_EQ(numbers(tree::flatten(sum)), (std::vector<double>{0, 11, 22, 33}));
  const auto twice = tree::map_structure([](const Tensor& x) { return x * 2; },
                                         std::tuple(number(1), std::optional<Tensor>(number(2))));
  EXPECT_EQ(numbers(tree::flatten(twice)), (std::vector<double>{2, 4}));
}

TEST(TreeTest, DifferentStructuresAreRefusedWithTheFirstDifference) {
  State shorter = state();
  shorter["a"].memory.pop_back();
  EXPECT_NO_THROW(tree::assert_same_structure(state(), state()));
  expect_contains(error_of([&] { tree::assert_same_structure(state(), shorter); }),
                  ErrorCode::kInvalidArgument, {"a/1/1", "b/0"});
  expect_contains(error_of([&] {
                    tree::map_structure([](const Tensor& x, const Tensor&) { return x; }, state(), shorter);
                  }),
                  ErrorCode::kInvalidArgument, {"the structures differ"});
  EXPECT_NO_THROW(
      tree::assert_same_paths(std::tuple(number(1), number(2)), std::vector{number(1), number(2)}));
}

TEST(TreeTest, OnlyATensorIsNotNested) {
  EXPECT_FALSE(tree::is_nested(number(1)));
  EXPECT_TRUE(tree::is_nested(std::vector{number(1)}));
}

}  // namespace
}  // namespace cornu::inline v0
