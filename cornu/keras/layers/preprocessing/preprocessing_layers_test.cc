// Layers of images and categories against real Keras
// (tools/goldens/preprocessing_layers.py); what random ones draw.
#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "cornu/base/error.h"
#include "cornu/data/dataset.h"
#include "cornu/keras/keras.h"
#include "cornu/keras/testing/check_layer_test_support.h"

namespace cornu::inline v0::keras {
namespace {

using nlohmann::json;

class PreprocessingLayersTest : public testing::OnEachPlatform {};
INSTANTIATE_TEST_SUITE_P(On, PreprocessingLayersTest, testing::platforms(), testing::PlatformName());

TEST_P(PreprocessingLayersTest, EveryLayerIsKerass) {
  const json goldens = testing::load_golden("preprocessing_layers");
  for (const json& row : goldens.at("cases")) {
    SCOPED_TRACE(row.at("layer").get<std::string>() + " " + row.at("config").dump());
    clear_session();
    const LayerHandle layer(saving::from_config<Layer>(row.at("layer").get<std::string>(),
                                                       Config::parse(row.at("config").dump())));
    testing::check_layer(layer, row);
    if (::testing::Test::HasFatalFailure()) return;
  }
}

std::vector<Tensor> batches_of(const Tensor& rows, std::int64_t size) {
  std::vector<Tensor> batches;
  for (std::int64_t i = 0; i < rows.shape()[0]; i += size)
    batches.push_back(rows.rows(i, std::min(i + size, rows.shape()[0])));
  return batches;
}

void expect_boundaries(const std::vector<double>& found, const json& wanted) {
  ASSERT_EQ(found.size(), wanted.size());
  for (std::size_t i = 0; i < found.size(); ++i) EXPECT_NEAR(found[i], wanted[i].get<double>(), 1e-5) << i;
}

TEST(DiscretizationTest, AdaptsToTheQuantilesOfKeras) {
  const json goldens = testing::load_golden("preprocessing_layers");
  for (const json& row : goldens.at("discretization")) {
    const Tensor values = testing::golden_tensor(row.at("values"));
    const layers::Discretization layer(
        {.num_bins = row.at("num_bins").get<std::int64_t>(), .epsilon = row.at("epsilon").get<double>()});
    layer.adapt(values);
    expect_boundaries(layer.bin_boundaries(), row.at("boundaries"));
    const std::int64_t size = row.at("batch_size");
    layer.adapt(batches_of(values, size));
    expect_boundaries(layer.bin_boundaries(), row.at("batched"));
    layer.adapt(data::Dataset::from_tensor_slices({values, Tensor::zeros({values.shape()[0]})}).batch(size));
    expect_boundaries(layer.bin_boundaries(), row.at("batched"));
    const LayerHandle copy(saving::from_config<Layer>("Discretization", layer.get_config()));
    EXPECT_EQ(copy(values).to_vector<int>(), layer(values).to_vector<int>());
  }
}

TEST(DiscretizationTest, NanStandsBehindAllNumbersThatItIsAdaptedTo) {
  const layers::Discretization layer({.num_bins = 2});
  layer.adapt(Tensor::of<float>({4}, {3, std::nanf(""), 1, 2}));
  EXPECT_EQ(layer.bin_boundaries(), std::vector<double>{2.0});
}

Tensor trained(const LayerHandle& layer, const Tensor& x, std::uint32_t counter) {
  return layer(x, {.training = true, .random_counter = Tensor::of<std::uint32_t>({}, {counter})});
}

/// `count` images of one row, the pixels 0, 1, 2, ...
Tensor ramps(std::int64_t count, std::int64_t columns) {
  std::vector<float> values;
  for (std::int64_t i = 0; i < count * columns; ++i) values.push_back(static_cast<float>(i % columns));
  return Tensor::adopt({count, 1, columns, 1}, std::move(values));
}

TEST(RandomImageTest, HalfOfTheImagesAreFlippedAndTheirRowsDecideWhich) {
  constexpr std::int64_t kCount = 1000;
  const layers::RandomFlip flip({.mode = "horizontal", .seed = 3});
  const Tensor x = ramps(kCount, 3);
  const std::vector<float> y = trained(flip, x, 5).to_vector<float>();
  std::int64_t num_flipped = 0;
  for (std::size_t i = 0; i < y.size(); i += 3) {
    EXPECT_EQ(y[i + 1], 1);
    EXPECT_EQ(y[i] + y[i + 2], 2);
    num_flipped += y[i] == 2;
  }
  EXPECT_NEAR(static_cast<double>(num_flipped), kCount / 2.0, 5 * std::sqrt(kCount / 4.0));
  EXPECT_EQ(trained(flip, x, 5).to_vector<float>(), y);
  EXPECT_NE(trained(flip, x, 6).to_vector<float>(), y);
  const std::vector<float> fewer = trained(flip, x.rows(0, 10), 5).to_vector<float>();
  EXPECT_TRUE(std::equal(fewer.begin(), fewer.end(), y.begin()));
  EXPECT_EQ(flip(x, {.training = false}).to_vector<float>(), x.to_vector<float>());
  EXPECT_NE(flip(x).to_vector<float>(), x.to_vector<float>()) << "outside of a model a layer augments";
}

TEST(RandomImageTest, ShiftsAndFactorsAreUniform) {
  constexpr std::int64_t kCount = 2000;
  const Tensor gray = ops::full({kCount, 2, 2, 1}, 0.5);
  const layers::RandomBrightness brightness({.factor = {-0.1, 0.3}, .value_range = {0, 1}, .seed = 4});
  const auto statistics = [](const Tensor& x) {
    double mean = 0, square = 0;
    const std::vector<double> values = x.to_vector<double>();
    for (const double value : values) {
      mean += value / static_cast<double>(values.size());
      square += value * value / static_cast<double>(values.size());
    }
    return std::pair(mean, square - mean * mean);
  };
  const auto [mean, variance] = statistics(trained(brightness, gray, 1));
  EXPECT_NEAR(mean, 0.6, 5 * std::sqrt(0.16 / 12 / kCount));
  EXPECT_NEAR(variance, 0.16 / 12, 1e-3);
  const layers::RandomContrast contrast({.factor = 0.4, .value_range = {-10, 10}, .seed = 4});
  const Tensor slopes = trained(contrast, ramps(kCount, 2), 1);
  const Tensor factors = ops::slice(slopes, {0, 0, 1, 0}, {kCount, 1, 1, 1}) -
                         ops::slice(slopes, {0, 0, 0, 0}, {kCount, 1, 1, 1});
  EXPECT_NEAR(statistics(factors).first, 1.2, 5 * std::sqrt(0.16 / 12 / kCount));
  // Shifted ramps show the size of the shift.
  const layers::RandomTranslation shift(
      {.height_factor = 0.0, .width_factor = 0.1, .fill_mode = "nearest", .seed = 5});
  const Tensor middle = ops::slice(trained(shift, ramps(kCount, 21), 1), {0, 0, 10, 0}, {kCount, 1, 1, 1});
  EXPECT_NEAR(statistics(middle).first, 10, 5 * std::sqrt(4.2 * 4.2 / 12 / kCount));
  EXPECT_NEAR(statistics(middle).second, 4.2 * 4.2 / 12, 0.15);
}

TEST(RandomImageTest, CropsHaveEachPlaceAsOften) {
  constexpr std::int64_t kSteps = 600;
  const layers::RandomCrop crop({.height = 1, .width = 3, .seed = 6});
  std::vector<float> values;
  for (std::int64_t i = 0; i < 2 * 5; ++i) values.push_back(static_cast<float>(i));
  const Tensor x = Tensor::adopt({1, 2, 5, 1}, std::move(values));
  std::map<float, std::int64_t> places;
  for (std::uint32_t step = 0; step < kSteps; ++step) ++places[trained(crop, x, step).to_vector<float>()[0]];
  EXPECT_EQ(places.size(), 6U);
  for (const auto& [place, count] : places)
    EXPECT_NEAR(static_cast<double>(count), kSteps / 6.0, 5 * std::sqrt(kSteps / 6.0)) << place;
}

TEST(RandomImageTest, ACropPredictsFromTheMiddleInTheNewShape) {
  Sequential model({layers::Input({.shape = {6, 9, 1}}), layers::RandomCrop({.height = 2, .width = 2}),
                    layers::Flatten(), layers::Dense({.units = 1})});
  const Tensor x = ops::reshape(ops::cast(ops::arange(2 * 6 * 9), DType::kF32), {2, 6, 9, 1});
  EXPECT_EQ(model.predict(x, {.verbose = 0}).shape(), (Dims{2, 1}));
  const layers::RandomCrop crop({.height = 2, .width = 2});
  const layers::Resizing middle({.height = 2, .width = 2, .crop_to_aspect_ratio = true});
  EXPECT_TRUE(crop(x, {.training = false}).literal() == middle(x).literal());
}

TEST(RandomImageTest, AModelTrainsOnChangedImagesAndPredictsFromThem) {
  Sequential model({layers::RandomFlip({.mode = "horizontal", .seed = 1}),
                    layers::RandomTranslation({.height_factor = 0.1, .width_factor = 0.1, .seed = 2}),
                    layers::RandomRotation({.factor = 0.05, .seed = 3}),
                    layers::Resizing({.height = 4, .width = 4}), layers::Flatten(),
                    layers::Dense({.units = 2})});
  model.compile({.optimizer = "sgd", .loss = "mse"});
  const Tensor x = ops::full({10, 6, 6, 1}, 0.5), y = Tensor::zeros({10, 2});
  const auto history = model.fit(x, y, {.batch_size = 4, .epochs = 30, .verbose = 0});
  EXPECT_LT(history["loss"].back(), 0.1 * history["loss"].front() + 1e-6);
  EXPECT_EQ(model.predict(x, {.verbose = 0}).to_vector<float>(),
            model.predict(x, {.verbose = 0}).to_vector<float>());
}

template <typename F>
void expect_option_error(const F& make, const std::string& part) {
  try {
    make();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kInvalidArgument);
    EXPECT_NE(std::string(error.what()).find(part), std::string::npos) << error.what();
    return;
  }
  ADD_FAILURE() << "no error; wanted one of " << part;
}

TEST(PreprocessingTest, WrongOptionsAreRefused) {
  using namespace layers;
  expect_option_error([] { Resizing({.height = 0, .width = 3}); }, "height");
  expect_option_error([] { Resizing({.height = 2, .width = 3, .interpolation = "area"}); }, "interpolation");
  expect_option_error([] { CenterCrop({.height = 2, .width = -3}); }, "width");
  expect_option_error([] { RandomFlip({.mode = "diagonal"}); }, "mode");
  expect_option_error([] { RandomFlip({.data_format = "rows"}); }, "data_format");
  expect_option_error([] { RandomContrast({.factor = 1.5}); }, "factor");
  expect_option_error([] { RandomContrast({.factor = -0.5}); }, "factor");
  expect_option_error([] { RandomContrast({.factor = {-0.5, -0.1}}); }, "factor");
  expect_option_error([] { RandomContrast({.factor = {0.5, -0.1}}); }, "got factor = {0.5, -0.1}");
  expect_option_error([] { RandomBrightness({.factor = {1.5, 2.0}}); }, "factor");
  expect_option_error([] { RandomRotation({.factor = {-3.0, -2.0}}); }, "factor");
  expect_option_error([] { RandomTranslation({.height_factor = {-0.5, 5.0}}); }, "height_factor");
  expect_option_error([] { RandomTranslation({.width_factor = -1.5}); }, "width_factor");
  expect_option_error([] { RandomBrightness({.factor = 0.5, .value_range = {1}}); }, "value_range");
  expect_option_error([] { RandomZoom({.height_factor = {-1.0, 0.5}}); }, "height_factor");
  expect_option_error([] { RandomRotation({.factor = 0.5, .fill_mode = "mirror"}); }, "fill_mode");
  expect_option_error([] { CategoryEncoding({.num_tokens = 0}); }, "num_tokens");
  expect_option_error([] { CategoryEncoding({.num_tokens = 2, .output_mode = "int"}); }, "output_mode");
  expect_option_error([] { Discretization({}); }, "num_bins");
  expect_option_error([] { Discretization({.bin_boundaries = std::vector<double>{1, 0}}); }, "rise");
}

TEST(PreprocessingTest, PairsOfFactorsAreTakenAsInKeras) {
  using namespace layers;
  EXPECT_NO_THROW(RandomContrast({.factor = {-5.0, 0.5}}));
  EXPECT_NO_THROW(RandomBrightness({.factor = {-5.0, 7.0}}));
  EXPECT_NO_THROW(RandomRotation({.factor = {-5.0, 0.5}}));
  EXPECT_NO_THROW(RandomTranslation({.height_factor = {1.0, -1.0}, .width_factor = -1.0}));
  EXPECT_NO_THROW(RandomZoom({.height_factor = 1.0, .width_factor = Factor(-0.5, 1.0)}));
}

TEST(PreprocessingTest, CategoriesAreExactUnderAMixedPolicy) {
  const DTypePolicyScope mixed("mixed_bfloat16");
  const layers::CategoryEncoding encoding({.num_tokens = 300, .output_mode = "one_hot"});
  EXPECT_EQ(encoding(Tensor::of<float>({1, 1}, {257})).to_vector<float>()[257], 1);
  const layers::IntegerLookup lookup({.vocabulary = {1000, 1001}});
  EXPECT_EQ(lookup(Tensor::of<float>({1}, {1001})).to_vector<int>(), std::vector<int>{2});
  const layers::Discretization bins({.bin_boundaries = std::vector<double>{1000}});
  EXPECT_EQ(bins(Tensor::of<float>({1}, {999})).to_vector<int>(), std::vector<int>{0});
}

TEST(PreprocessingTest, ImagesWithoutPixelsAreRefused) {
  using namespace layers;
  const std::string wanted = "at least one row and one column; got an input of shape ";
  const std::vector<LayerHandle> all = {Resizing({.height = 2, .width = 3}),
                                        CenterCrop({.height = 2, .width = 3}),
                                        RandomCrop({.height = 2, .width = 3}), RandomFlip()};
  for (const LayerHandle& layer : all) {
    for (const bool training : {false, true})
      expect_option_error([&] { layer(Tensor::zeros({2, 0, 3, 1}), {.training = training}); },
                          wanted + "(2, 0, 3, 1)");
    expect_option_error([&] { layer(Tensor::zeros({4, 0, 1})); }, wanted + "(4, 0, 1)");
    expect_option_error([&] { layer(Input({.shape = {0, 3, 1}})); }, wanted + "(None, 0, 3, 1)");
  }
}

TEST(PreprocessingTest, CountsMayBeWeighed) {
  const layers::CategoryEncoding counts({.num_tokens = 3, .output_mode = "count"});
  const Tensor ids = Tensor::of<std::int32_t>({1, 3}, {0, 2, 2});
  const Tensor weights = Tensor::of<float>({1, 3}, {0.5F, 1.0F, 0.25F});
  EXPECT_EQ(counts(Tensors({ids, weights})).to_vector<float>(), (std::vector<float>{0.5F, 0, 1.25F}));
}

}  // namespace
}  // namespace cornu::inline v0::keras
