// Features of DistributedEmbedding whose ids are packed.
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "cornu/base/error_test_support.h"
#include "cornu/keras/keras.h"
#include "cornu/keras/layers/embedding/distributed_embedding.h"

namespace cornu::inline v0::keras {
namespace {

using data::Dataset;
using data::Element;
using layers::DistributedEmbedding;
using layers::FeatureConfig;
using layers::TableConfig;
using Floats = std::vector<float>;

TableConfig table_of_tens(const std::string& combiner) {
  return {.vocabulary_size = 4, .dim = 2, .combiner = combiner, .name = "table"};
}

/// The output for a table of the rows (1, 10), (2, 20), (3, 30), (4, 40).
Tensor looked_up_in_tens(const FeatureConfig& feature, const std::vector<Tensor>& inputs) {
  const DistributedEmbedding layer({.feature_configs = {feature}});
  layer.call_many(inputs);  // builds
  layer.set_weights({Tensor::of<float>({4, 2}, {1, 10, 2, 20, 3, 30, 4, 40})});
  return layer.call_many(inputs)[0];
}

data::PackedRows packed_lists() {  // {1, 2}, {3, 3, 0}, {}
  return data::packed_rows(data::Ragged(Tensor(std::vector<std::int64_t>{1, 2, 3, 3, 0}), {0, 2, 5, 5}),
                           {.capacity = 6});
}

TEST(PackedFeaturesTest, CombineTheIdsOfEachRow) {
  const auto of = [](const char* combiner) {
    const data::PackedRows ids = packed_lists();
    return looked_up_in_tens({.table = table_of_tens(combiner), .packed = true}, {ids.values, ids.rows})
        .to_vector<float>();
  };
  EXPECT_EQ(of("sum"), (Floats{5, 50, 9, 90, 0, 0}));
  EXPECT_EQ(of("mean"), (Floats{2.5, 25, 3, 30, 0, 0}));
  const Floats by_root = of("sqrtn");
  EXPECT_NEAR(by_root[0], 5 / std::sqrt(2.0), 1e-5);
  EXPECT_NEAR(by_root[3], 90 / std::sqrt(3.0), 1e-4);
  EXPECT_EQ(by_root[4], 0);
}

TEST(PackedFeaturesTest, WeightsFollowTheRows) {
  const data::PackedRows ids = packed_lists();
  const Tensor weights = Tensor::of<float>({3, 2}, {3, 1, 1, 0, 2, NAN});  // the last place has no id
  const FeatureConfig mean{.table = table_of_tens("mean"), .weighted = true, .packed = true};
  EXPECT_EQ(looked_up_in_tens(mean, {ids.values, ids.rows, weights}).to_vector<float>(),
            (Floats{2.25, 22.5, 2, 20, 0, 0}));
}

TEST(PackedFeaturesTest, IdsWithoutARowAreAbsent) {
  const Tensor ids = Tensor::of<std::int32_t>({2, 2}, {0, 1, 2, 3}),
               rows = Tensor::of<std::int32_t>({2, 2}, {1, -1, 2, 1});
  EXPECT_EQ(
      looked_up_in_tens({.table = table_of_tens("mean"), .packed = true}, {ids, rows}).to_vector<float>(),
      (Floats{0, 0, 2.5, 25}));
}

constexpr std::int64_t kNumLists = 90, kNumListItems = 12'000, kLongestList = 40;

/// Lists of which most have two items and some have 40.
struct VisitorLists {
  std::vector<std::int64_t> items, splits = {0};
  std::vector<float> labels;

  VisitorLists() {
    std::mt19937 generator(3);
    for (std::int64_t i = 0; i < kNumLists; ++i) {
      const std::int64_t count =
          generator() % 16 == 0 ? kLongestList : static_cast<std::int64_t>(generator() % 4);
      for (std::int64_t k = 0; k < count; ++k)
        items.push_back(static_cast<std::int64_t>(generator() % kNumListItems));
      splits.push_back(static_cast<std::int64_t>(items.size()));
      labels.push_back(static_cast<float>(generator() % 2));
    }
  }
  Dataset batches() const {
    return Dataset::from_tensor_slices(
               {data::Ragged(Tensor(items), splits), ops::expand_dims(Tensor(labels), -1)})
        .batch(40);  // and a last batch of 10
  }
};

Model packed_model(bool packed) {
  set_random_seed(7);
  const DistributedEmbedding lookup(
      {.feature_configs = {
           {.table = {.vocabulary_size = kNumListItems, .dim = 100, .combiner = "mean", .name = "items"},
            .packed = packed,
            .name = "seen"}}});
  const Input seen({.shape = {kUnknown}, .dtype = DType::kI64, .name = "seen"});
  const Input rows({.shape = {kUnknown}, .dtype = DType::kI32, .name = "seen_rows"});
  std::vector<KerasTensor> inputs = {seen};
  if (packed) inputs.push_back(rows);
  const KerasTensor vector = lookup.call_many(inputs)[0];
  Model model({.inputs = inputs, .outputs = layers::Dense({.units = 1, .activation = "sigmoid"})(vector)});
  model.compile({.optimizer = optimizers::Adagrad({.learning_rate = 0.1}), .loss = "binary_crossentropy"});
  return model;
}

TEST(PackedFeaturesTest, TrainingEqualsTrainingOnPaddedRows) {
  const VisitorLists lists;
  Model packed = packed_model(true), padded = packed_model(false);
  const auto packed_history = packed.fit(lists.batches().map([](const Element& batch) {
    const data::PackedRows seen = data::packed_rows(batch[0].ragged(), {.capacity = 400});
    return Element({Element({seen.values, seen.rows}), batch[1]});
  }),
                                         {.epochs = 3, .verbose = 0});
  const auto padded_history = padded.fit(lists.batches().map([](const Element& batch) {
    return Element({Element({data::dense_rows(batch[0].ragged(), {.length = kLongestList})}), batch[1]});
  }),
                                         {.epochs = 3, .verbose = 0});
  for (std::size_t epoch = 0; epoch < 3; ++epoch)
    EXPECT_NEAR(packed_history["loss"][epoch], padded_history["loss"][epoch], 1e-6);
  const Floats want = padded.get_weights()[0].to_vector<float>(),
               got = packed.get_weights()[0].to_vector<float>();
  for (std::size_t i = 0; i < want.size(); ++i) ASSERT_NEAR(got[i], want[i], 1e-5) << i;
}

TEST(PackedFeaturesTest, WrongOptionsAndInputsAreRefused) {
  expect_error(ErrorCode::kInvalidArgument, {"a sequence is not packed"}, [] {
    DistributedEmbedding(
        {.feature_configs = {{.table = table_of_tens("sum"), .max_sequence_length = 2, .packed = true}}});
  });
  const data::PackedRows ids = packed_lists();
  const FeatureConfig packed{.table = table_of_tens("sum"), .packed = true, .name = "seen"};
  expect_error(ErrorCode::kInvalidArgument, {"expected 2 inputs", "seen, seen_rows"},
               [&] { looked_up_in_tens(packed, {ids.values}); });
  expect_error(ErrorCode::kInvalidArgument, {"rows of feature \"seen\"", "(3, 2)", "(2, 2)"},
               [&] { looked_up_in_tens(packed, {ids.values, ids.rows.rows(0, 2)}); });
  const layers::Embedding embedding({.input_dim = 4, .output_dim = 2});
  const char* const advice = "inputs of DistributedEmbedding, whose FeatureConfig has .packed = true";
  expect_error(ErrorCode::kInvalidArgument, {"got 2 inputs", advice},
               [&] { embedding.call_many({ids.values, ids.rows}); });
  const Input values({.shape = {2}, .dtype = DType::kI64}), rows({.shape = {2}, .dtype = DType::kI32});
  expect_error(ErrorCode::kInvalidArgument, {"got 2 inputs", advice},
               [&] { embedding.call_many({values, rows}); });
}

TEST(PackedFeaturesTest, ConfigurationsHavePackedAndOlderOnesDoNot) {
  const DistributedEmbedding packed({.feature_configs = {{.table = table_of_tens("sum"), .packed = true}}});
  const auto inputs_of = [](const Config& config) {
    return saving::from_config<Layer>("DistributedEmbedding", config)->input_names();
  };
  EXPECT_EQ(inputs_of(packed->get_config()), (std::vector<std::string>{"feature_0", "feature_0_rows"}));
  const char* const older =
      R"({"feature_configs": [{"table": {"vocabulary_size": 4, "dim": 2, "name": "table"}, "name": "seen"}]})";
  EXPECT_EQ(inputs_of(Config::parse(older)), std::vector<std::string>{"seen"});
}

}  // namespace
}  // namespace cornu::inline v0::keras
