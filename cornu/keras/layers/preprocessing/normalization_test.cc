// Normalization against numbers of real Keras.
#include "cornu/keras/layers/preprocessing/normalization.h"

#include "cornu/base/error.h"
#include "cornu/data/dataset.h"
#include "cornu/keras/base/names.h"
#include "cornu/keras/config/serialize.h"
#include "cornu/keras/testing/check_layer_test_support.h"

namespace cornu::inline v0::keras {
namespace {

using nlohmann::json;

class NormalizationLayerTest : public testing::OnEachPlatform {};
INSTANTIATE_TEST_SUITE_P(On, NormalizationLayerTest, testing::platforms(), testing::PlatformName());

TEST_P(NormalizationLayerTest, GivenAndLoadedValuesAreUsedAsInKeras) {
  const json golden = testing::load_golden("adapted_layers");
  for (const json& row : golden.at("cases")) {
    SCOPED_TRACE(row.at("config").dump());
    clear_session();
    const auto layer = saving::from_config<Layer>("Normalization", Config::parse(row.at("config").dump()));
    testing::check_layer(LayerHandle(layer), row);
    if (::testing::Test::HasFatalFailure()) return;
  }
}

TEST(NormalizationTest, AdaptsToDataAsKerasDoes) {
  const json golden = testing::load_golden("adapted_layers");
  for (const json& row : golden.at("adapted")) {
    SCOPED_TRACE(row.at("config").dump());
    const json& axis = row.at("config").at("axis");
    const layers::Normalization layer({.axis = axis.is_null() ? ops::Axes()
                                               : axis.is_number()
                                                   ? ops::Axes(axis.get<int>())
                                                   : ops::Axes(axis.get<std::vector<std::int64_t>>())});
    const Tensor data = testing::golden_tensor(row.at("data"));
    layer.adapt(data);
    for (std::size_t i = 0; i < 2; ++i)
      testing::expect_close(layer.get_weights()[i], testing::golden_tensor(row.at("weights")[i]), 1e-5,
                            "weight");
    testing::expect_close(layer(data), testing::golden_tensor(row.at("y")), 1e-5, "y");
  }
}

TEST(NormalizationTest, AdaptsToBatchesAsToAllOfTheirRows) {
  const Tensor x = Tensor::of<float>({5, 2}, {1, 10, 2, 30, 4, -20, 8, 5, 16, 0});
  const layers::Normalization whole;
  whole.adapt(x);
  const auto expect_same = [&](const layers::Normalization& layer, const char* what) {
    for (std::size_t i = 0; i < 2; ++i)
      testing::expect_close(layer.get_weights()[i], whole.get_weights()[i], 1e-6, what);
  };
  const layers::Normalization of_batches, of_pairs, of_range, of_rows;
  const auto dataset = data::Dataset::from_tensor_slices({x, Tensor::zeros({5})});
  of_batches.adapt(dataset.batch(2).map([](const Tensor& rows, const Tensor&) { return rows; }));
  expect_same(of_batches, "batches, the last of which is short");
  of_pairs.adapt(dataset.batch(3));
  expect_same(of_pairs, "x of (x, y)");
  of_range.adapt(std::vector<Tensor>{x.rows(0, 4), x.rows(4, 5)});
  expect_same(of_range, "a range of tensors");
  of_rows.adapt(data::Dataset::from_tensor_slices(x));
  expect_same(of_rows, "single rows");
  EXPECT_THROW(whole.adapt(std::vector<Tensor>{}), Error);
  EXPECT_THROW(whole.adapt(std::vector<Tensor>{x, ops::ones({2, 3})}), Error);
  expect_same(whole, "kept when adapt() fails");
}

TEST(NormalizationTest, AdaptsInThePrecisionOfTheDataUnderAnyPolicy) {
  for (const char* policy : {"mixed_bfloat16", "mixed_float16", "bfloat16", "float32", "float64"}) {
    SCOPED_TRACE(policy);
    const layers::Normalization layer({.dtype = DTypePolicy(policy)});
    layer.adapt(Tensor::of<float>({2, 1}, {257, 259}));  // in bfloat16 256 and 260
    EXPECT_EQ(layer.get_weights()[0].at(0), 258);
    EXPECT_EQ(layer.get_weights()[1].at(0), 1);
    EXPECT_EQ(layer.get_weights()[1].dtype(), layer.variable_dtype());
    EXPECT_EQ(layer(Tensor::of<float>({1, 1}, {260})).at(0), 2);
    layer.adapt(Tensor::of<double>({2, 1}, {1e6 + 0.25, 1e6 + 0.75}));
    EXPECT_EQ(layer.get_weights()[1].at(0), 0.0625);
  }
}

TEST(NormalizationTest, SaysWhatDoesNotFit) {
  EXPECT_THROW(layers::Normalization({.mean = 1.0}), Error);
  EXPECT_THROW(layers::Normalization({.mean = Tensor::of<float>({2}, {1, 2}), .variance = 1.0}), Error);
  const layers::Normalization given({.mean = 1.0, .variance = 2.0});
  EXPECT_THROW(given.adapt(ops::ones({2, 3})), Error);
  const layers::Normalization built;
  built.adapt(ops::ones({2, 3}));
  EXPECT_THROW(built.adapt(ops::ones({2, 4})), Error);
}

}  // namespace
}  // namespace cornu::inline v0::keras
