#include <gtest/gtest.h>

#include <fstream>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <string>

#include "cornu/base/error.h"
#include "cornu/data/dataset.h"
#include "cornu/data/stages/elements_stage.h"
#include "cornu/data/testing/element_json_test_support.h"

namespace cornu::inline v0::data {
namespace {

using Make = std::function<Dataset()>;

Dataset r(std::int64_t stop) { return Dataset::range(stop); }
Dataset r(std::int64_t start, std::int64_t stop, std::int64_t step = 1) {
  return Dataset::range(stop, {.start = start, .step = step});
}

Tensor x() {
  std::vector<float> values(12);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>(i);
  return Tensor::adopt({4, 3}, std::move(values));
}
Tensor y() { return Tensor(std::vector<std::int32_t>{1, 0, 2, 1}); }
Dataset pairs() { return Dataset::from_tensor_slices({x(), y()}); }
Dataset slices(const std::vector<std::int64_t>& values) { return Dataset::from_tensor_slices(values); }

/// Elements 0 .. 6 as vectors of as many numbers.
Dataset varied() {
  return r(7).map(
      [](std::int64_t n) { return std::vector<std::int64_t>(static_cast<std::size_t>(n), 3 + n); });
}
std::int64_t length(const Tensor& v) { return v.num_elements(); }

/// The numbers below n, those that are 2 modulo 3 as errors.
Dataset failing(std::int64_t n) {
  return r(n).map([](std::int64_t v) {
    if (v % 3 == 2) throw Error(ErrorCode::kInvalidArgument, "bad");
    return static_cast<double>(v);
  });
}
Dataset repeated(std::int64_t v, std::int64_t count) { return Dataset::from_tensors(v).repeat(count); }

std::map<std::string, Make> sources_and_selections() {
  return {
      {"slices_of_vector", [] { return Dataset::from_tensor_slices(std::vector{8, 3, 0, 8, 2, 1}); }},
      {"slices_of_pair", pairs},
      {"slices_of_names", [] { return Dataset::from_tensor_slices({{"a", x()}, {"b", y()}}); }},
      {"slices_of_texts", [] { return Dataset::from_tensor_slices(Strings({"one", "two", "three"})); }},
      {"tensors", [] { return Dataset::from_tensors({x(), y()}); }},
      {"range", [] { return r(5); }},
      {"range_start_step", [] { return r(2, 20, 5); }},
      {"range_down", [] { return r(10, 1, -3); }},
      {"range_empty", [] { return r(5, 2); }},
      {"counter", [] { return Dataset::counter({.start = 3, .step = 4}).take(4); }},
      {"take", [] { return r(10).take(3); }},
      {"take_more", [] { return r(3).take(10); }},
      {"take_all", [] { return r(4).take(-1); }},
      {"skip", [] { return r(10).skip(7); }},
      {"skip_more", [] { return r(3).skip(10); }},
      {"skip_all", [] { return r(4).skip(-1); }},
      {"shard", [] { return r(10).shard(3, 2); }},
      {"shard_rows", [] { return pairs().shard(2, 1); }},
      {"shard_of_skipped",
       [] {
         return Dataset::from_tensor_slices(r(20).batch(20).get_single_element()).skip(3).shard(4, 1).take(3);
       }},
      {"repeat", [] { return r(3).repeat(2); }},
      {"repeat_nothing", [] { return r(3).repeat(0); }},
      {"repeat_then_batch", [] { return r(3).repeat(3).batch(4); }},
      {"batch_then_repeat", [] { return r(5).batch(2).repeat(2); }},
      {"repeat_empty_forever", [] { return r(0).repeat(); }},
      {"take_while", [] { return r(10).take_while([](std::int64_t v) { return v < 4; }); }},
      {"filter", [] { return r(10).filter([](std::int64_t v) { return v % 3 == 1; }); }},
      {"filter_pair", [] { return pairs().filter([](const Tensor&, int b) { return b == 1; }); }},
      {"unique", [] { return Dataset::from_tensor_slices(std::vector{1, 37, 2, 37, 2, 1}).unique(); }},
      {"shuffle_of_one", [] { return r(6).shuffle(1); }},
  };
}

std::map<std::string, Make> batches() {
  return {
      {"batch", [] { return r(7).batch(3); }},
      {"batch_drop", [] { return r(7).batch(3, {.drop_remainder = true}); }},
      {"batch_larger", [] { return r(3).batch(100); }},
      {"batch_rows", [] { return pairs().batch(3); }},
      {"batch_rows_larger", [] { return pairs().batch(100); }},
      {"batch_rows_larger_drop", [] { return pairs().batch(100, {.drop_remainder = true}); }},
      {"batch_rows_skip", [] { return pairs().batch(3).skip(1); }},
      {"batch_rows_take", [] { return pairs().batch(3).take(1).repeat(2); }},
      {"batch_of_batches", [] { return r(8).batch(2).batch(3); }},
      {"batch_texts", [] { return Dataset::from_tensor_slices(Strings({"a", "bc", ""})).batch(2); }},
      {"padded", [] { return varied().padded_batch(3); }},
      {"padded_shape",
       [] {
         return varied().take(4).padded_batch(2,
                                              {.padded_shapes = {{5}}, .padding_values = {std::int64_t{-1}}});
       }},
      {"padded_drop", [] { return varied().padded_batch(4, {.drop_remainder = true}); }},
      {"padded_pair",
       [] {
         return r(1, 4)
             .map([](std::int64_t n) {
               return std::pair(Tensor::adopt({n, 2}, std::vector<float>(static_cast<std::size_t>(2 * n), 1)),
                                n);
             })
             .padded_batch(3, {.padded_shapes = {{-1, 2}, {}}});
       }},
      {"padded_texts",
       [] {
         return r(3)
             .map([](std::int64_t n) {
               return Strings(std::vector<std::string>(static_cast<std::size_t>(n), "x"));
             })
             .padded_batch(3, {.padding_values = {Text("-")}});
       }},
      {"ragged", [] { return varied().take(4).ragged_batch(3); }},
      {"unbatch", [] { return Dataset::from_tensors({x(), y()}).unbatch(); }},
      {"unbatch_batches", [] { return r(7).batch(3).unbatch(); }},
      {"rebatch", [] { return r(10).batch(3).rebatch(4); }},
      {"rebatch_smaller", [] { return r(10).batch(7).rebatch(2); }},
      {"rebatch_drop", [] { return r(10).batch(3).rebatch(4, {.drop_remainder = true}); }},
      {"rebatch_turns", [] { return r(10).batch(3).rebatch({2, 1, 3}); }},
      {"bucket",
       [] {
         return varied().skip(1).bucket_by_sequence_length(
             length, {.bucket_boundaries = {3, 5}, .bucket_batch_sizes = {2, 2, 2}});
       }},
      {"bucket_boundary",
       [] {
         return varied().take(5).skip(1).bucket_by_sequence_length(
             length,
             {.bucket_boundaries = {3, 6}, .bucket_batch_sizes = {2, 2, 2}, .pad_to_bucket_boundary = true});
       }},
      {"bucket_drop",
       [] {
         return varied().skip(1).bucket_by_sequence_length(
             length, {.bucket_boundaries = {3, 5}, .bucket_batch_sizes = {2, 2, 3}, .drop_remainder = true});
       }},
      {"group",
       [] {
         return r(10).group_by_window([](std::int64_t v) { return v % 2; },
                                      [](std::int64_t, const Dataset& group) { return group.batch(3); },
                                      {.window_size = 3});
       }},
      {"group_sizes",
       [] {
         return r(10).group_by_window([](std::int64_t v) { return v % 3; },
                                      [](std::int64_t, const Dataset& group) { return group.batch(10); },
                                      {.window_size_func = [](std::int64_t key) { return key + 1; }});
       }},
      {"window", [] { return r(7).window(3); }},
      {"window_shift", [] { return r(7).window(3, {.shift = 2}); }},
      {"window_stride", [] { return r(7).window(3, {.shift = 1, .stride = 2}); }},
      {"window_drop", [] { return r(7).window(3, {.shift = 2, .drop_remainder = true}); }},
      {"window_stride_drop",
       [] { return r(9).window(3, {.shift = 1, .stride = 2, .drop_remainder = true}); }},
      {"window_far", [] { return r(10).window(2, {.shift = 4}); }},
      {"window_pair", [] { return pairs().window(2); }},
      {"window_flat",
       [] {
         return r(6).window(3, {.shift = 1, .drop_remainder = true}).flat_map([](const Dataset& window) {
           return window.batch(3);
         });
       }},
  };
}

std::map<std::string, Make> functions_and_combinations() {
  const std::vector<std::int64_t> choices = {0, 1, 2, 2, 0, 1}, stopping = {1, 0, 0, 1, 1};
  return {
      {"map", [] { return r(5).map([](std::int64_t v) { return v * v; }); }},
      {"map_pair", [] { return pairs().map([](const Tensor& a, int b) { return std::pair(b, a * 2.0); }); }},
      {"map_parallel",
       [] { return r(50).map([](std::int64_t v) { return v * 3; }, {.num_parallel_calls = 4}); }},
      {"flat_map", [] { return r(4).flat_map([](std::int64_t n) { return r(n); }); }},
      {"flat_map_pair",
       [] { return pairs().flat_map([](const Tensor& a, int) { return Dataset::from_tensor_slices(a); }); }},
      {"interleave",
       [] {
         return r(1, 6).interleave([](std::int64_t v) { return repeated(v, 6); },
                                   {.cycle_length = 2, .block_length = 4});
       }},
      {"interleave_uneven",
       [] { return r(1, 6).interleave([](std::int64_t v) { return repeated(v, v); }, {.cycle_length = 3}); }},
      {"interleave_parallel",
       [] {
         return r(1, 6).interleave([](std::int64_t v) { return repeated(v, v); },
                                   {.cycle_length = 3, .block_length = 2, .num_parallel_calls = 2});
       }},
      {"enumerate", [] { return r(5, 8).enumerate(); }},
      {"enumerate_pair", [] { return pairs().enumerate(7).take(2); }},
      {"zip", [] { return Dataset::zip({r(4), r(10, 13)}); }},
      {"zip_nested", [] { return Dataset::zip({pairs(), r(3)}); }},
      {"zip_names", [] { return Dataset::zip({{"a", r(2)}, {"b", r(5)}}); }},
      {"zip_rows",
       [] {
         return Dataset::zip({Dataset::from_tensor_slices(x()), Dataset::from_tensor_slices(y().rows(0, 3))})
             .batch(2);
       }},
      {"concatenate", [] { return r(3).concatenate(r(8, 10)); }},
      {"cache", [] { return r(4).cache().repeat(2); }},
      {"prefetch", [] { return r(6).prefetch(2); }},
      {"scan",
       [] {
         return r(6).scan(std::int64_t{0}, [](std::int64_t state, std::int64_t v) {
           return std::pair(state + v, state * 10 + v);
         });
       }},
      {"choose",
       [=] { return Dataset::choose_from_datasets({r(3), r(10, 13), r(20, 30)}, slices(choices)); }},
      {"choose_stop", [=] { return Dataset::choose_from_datasets({r(1), r(10, 13)}, slices(stopping)); }},
      {"choose_go_on",
       [=] { return Dataset::choose_from_datasets({r(1), r(10, 13)}, slices(stopping), false); }},
      {"ignore_errors", [] { return failing(9).ignore_errors(); }},
      {"ignore_errors_batch", [] { return failing(9).ignore_errors().batch(4); }},
      {"reduce",
       [] {
         return Dataset::from_tensors(
             r(10).reduce(std::int64_t{0}, [](std::int64_t state, std::int64_t v) { return state + v; }));
       }},
  };
}

std::map<std::string, Make> all_cases() {
  std::map<std::string, Make> all = sources_and_selections();
  all.merge(batches());
  all.merge(functions_and_combinations());
  return all;
}

nlohmann::json goldens() {
  std::ifstream file("tests/goldens/data_pipelines.json");
  return nlohmann::json::parse(file)["cases"];
}

TEST(PipelinesGoldenTest, EveryPipelineGivesWhatTfDataGives) {
  const nlohmann::json wanted = goldens();
  const std::map<std::string, Make> cases = all_cases();
  EXPECT_EQ(cases.size(), wanted.size());
  for (const auto& [name, make] : cases) {
    SCOPED_TRACE(name);
    ASSERT_TRUE(wanted.contains(name));
    const Dataset dataset = make();
    const nlohmann::json& golden = wanted[name];
    EXPECT_EQ(dataset.cardinality(), golden["cardinality"].get<std::int64_t>());
    EXPECT_EQ(elements_json(dataset).dump(), golden["elements"].dump());
  }
}

// Saved after each element in turn, and gone on by another iterator.
TEST(PipelinesGoldenTest, EveryPipelineGoesOnAtASavedPlace) {
  const nlohmann::json wanted = goldens();
  for (const auto& [name, make] : all_cases()) {
    SCOPED_TRACE(name);
    const Dataset dataset = make();
    const nlohmann::json& golden = wanted[name]["elements"];
    for (std::size_t done = 0; done <= golden.size(); done += golden.size() > 10 ? 7 : 1) {
      Iterator iterator = dataset.iterator();
      for (std::size_t i = 0; i < done; ++i) ASSERT_TRUE(iterator.next().has_value());
      Iterator restored = dataset.iterator();
      restored.restore(iterator.save());
      nlohmann::json rest = nlohmann::json::array();
      while (const std::optional<Element> element = restored.next()) rest.push_back(element_json(*element));
      EXPECT_EQ(rest.dump(),
                nlohmann::json(golden.begin() + static_cast<std::ptrdiff_t>(done), golden.end()).dump())
          << "after " << done;
    }
  }
}

}  // namespace
}  // namespace cornu::inline v0::data
