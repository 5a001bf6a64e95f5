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

TEST(TreeTest, ShapesAreLeavesOfTheirOwn) {
  const std::map<std::string, std::vector<Dims>> shapes = {{"a", {{2, 3}, {4}}}, {"b", {{}}}};
  const auto with_batch = [](Dims shape) {
    shape.insert(shape.begin(), 8);
    return shape;
  };
  const std::map<std::string, std::vector<Dims>> wanted = {{"a", {{8, 2, 3}, {8, 4}}}, {"b", {{8}}}};
  EXPECT_EQ(tree::map_shape_structure(with_batch, shapes), wanted);
}

TEST(TreeTest, AShallowStructureEndsTheDescent) {
  const std::pair<Tensor, std::vector<Tensor>> shallow = {1.0F, {1.0F, 1.0F}};
  const std::pair<std::vector<Tensor>, std::vector<std::pair<Tensor, Tensor>>> deep = {
      {Tensor(1.0F), Tensor(2.0F)}, {{3.0F, 4.0F}, {5.0F, 6.0F}}};
  const auto count = [](const auto& part) { return Tensor(static_cast<float>(tree::flatten(part).size())); };
  const auto counts = tree::map_structure_up_to(shallow, count, deep);
  EXPECT_EQ(counts.first.item<float>(), 2);
  EXPECT_EQ(counts.second[1].item<float>(), 2);
  const std::map<std::string, Tensor> names = {{"x", Tensor(0.0F)}};
  const std::map<std::string, std::vector<Tensor>> with_more = {{"x", {Tensor(1.0F)}}, {"y", {}}};
  EXPECT_EQ(tree::map_structure_up_to(names, count, with_more).at("x").item<float>(), 1);
  const std::map<std::string, std::vector<Tensor>> without;
  EXPECT_THROW((void)tree::map_structure_up_to(names, count, without), Error);
  const std::vector<Tensor> two = {1.0F, 2.0F}, one = {1.0F};
  EXPECT_THROW((void)tree::map_structure_up_to(two, [](const Tensor& x) { return x; }, one), Error);
}

TEST(TreeTest, TraversingReplacesPartsFromEitherEnd) {
  using Parts = std::pair<std::vector<Tensor>, Tensor>;
  const Parts parts = {{Tensor(1.0F), Tensor(2.0F)}, Tensor(3.0F)};
  struct Halve {
    std::optional<std::vector<Tensor>> operator()(const std::vector<Tensor>& list) const {
      return std::vector<Tensor>{list[0]};
    }
    std::optional<Tensor> operator()(const Tensor& x) const { return x * 0.5F; }
  };
  const Parts from_top = tree::traverse(Halve(), parts), from_below = tree::traverse(Halve(), parts, false);
  ASSERT_EQ(from_top.first.size(), 1U);
  EXPECT_EQ(from_top.first[0].item<float>(), 1.0F) << "parts of a replacement are not visited";
  EXPECT_EQ(from_below.first[0].item<float>(), 0.5F);
  EXPECT_EQ(from_top.second.item<float>(), 1.5F);
  const auto drop = [](const Tensor& x) {
    return x.item<float>() > 2 ? std::optional(Tensor()) : std::optional<Tensor>();
  };
  const Parts dropped = tree::traverse(drop, parts);
  EXPECT_FALSE(dropped.second.defined());
  EXPECT_EQ(dropped.first[1].item<float>(), 2.0F);
}

}  // namespace
}  // namespace cornu::inline v0
