// Distributions, repeatability and errors of the layers of random noise.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "cornu/base/error.h"
#include "cornu/keras/base/names.h"
#include "cornu/keras/layers/regularization/noise.h"
#include "cornu/keras/layers/regularization/spatial_dropout.h"
#include "cornu/keras/testing/golden_test_support.h"
#include "cornu/tensor/ops.h"

namespace cornu::inline v0::keras {
namespace {

class NoiseLayersTest : public testing::OnEachPlatform {};
INSTANTIATE_TEST_SUITE_P(On, NoiseLayersTest, testing::platforms(), testing::PlatformName());

Tensor training_output(const LayerHandle& layer, const Tensor& x, std::uint32_t counter) {
  return layer(x, {.training = true, .random_counter = Tensor::of<std::uint32_t>({}, {counter})});
}

struct NoiseStatistics {
  double mean = 0;
  double variance = 0;
};

NoiseStatistics noise_statistics_of(const Tensor& x) {
  NoiseStatistics result;
  const std::vector<double> values = x.to_vector<double>();
  for (const double value : values) result.mean += value / static_cast<double>(values.size());
  for (const double value : values)
    result.variance += std::pow(value - result.mean, 2) / static_cast<double>(values.size());
  return result;
}

constexpr std::int64_t kNoiseRows = 200, kNoiseColumns = 300;
const double kNumNoiseValues = static_cast<double>(kNoiseRows * kNoiseColumns);

/// Mean and variance within five standard errors of `expected`, for values whose fourth central moment is
/// `fourth`.
void expect_statistics(const Tensor& x, const NoiseStatistics& expected, double fourth) {
  const NoiseStatistics found = noise_statistics_of(x);
  EXPECT_NEAR(found.mean, expected.mean, 5 * std::sqrt(expected.variance / kNumNoiseValues));
  EXPECT_NEAR(found.variance, expected.variance,
              5 * std::sqrt((fourth - std::pow(expected.variance, 2)) / kNumNoiseValues));
}

TEST_P(NoiseLayersTest, GaussianNoiseAddsMean0AndItsDeviation) {
  const layers::GaussianNoise layer({.stddev = 0.5, .seed = 11});
  const Tensor y = training_output(layer, ops::full({kNoiseRows, kNoiseColumns}, 3.0), 7);
  expect_statistics(y, {3, 0.25}, 3 * 0.0625);
}

TEST_P(NoiseLayersTest, GaussianDropoutMultipliesByMean1AndDropoutsVariance) {
  const layers::GaussianDropout layer({.rate = 0.2, .seed = 12});
  const Tensor y = training_output(layer, ops::full({kNoiseRows, kNoiseColumns}, 2.0), 7);
  expect_statistics(y, {2, 4 * 0.25}, 3.0);
}

TEST_P(NoiseLayersTest, AlphaDropoutKeepsMean0AndVariance1) {
  const layers::AlphaDropout layer({.rate = 0.3, .seed = 13});
  const Tensor x = random::normal({kNoiseRows, kNoiseColumns}, {.seed = 5});
  const Tensor y = training_output(layer, x, 7);
  const NoiseStatistics found = noise_statistics_of(y);
  EXPECT_NEAR(found.mean, 0, 0.03);
  EXPECT_NEAR(found.variance, 1, 0.03);
  // Those that fell out share one value.
  const double factor = 1 / std::sqrt(0.7 * (1 + 0.3 * std::pow(1.7580993408473766, 2)));
  const double shift = factor * 1.7580993408473766 * 0.3, dropped = shift - factor * 1.7580993408473766;
  double num_dropped = 0;
  for (std::int64_t i = 0; i < y.num_elements(); ++i) {
    const bool is_dropped = std::fabs(y.at(i) - dropped) < 1e-5;
    num_dropped += is_dropped ? 1 : 0;
    ASSERT_TRUE(is_dropped || std::fabs(y.at(i) - (x.at(i) * factor + shift)) < 1e-5) << i;
  }
  EXPECT_NEAR(num_dropped / kNumNoiseValues, 0.3, 5 * std::sqrt(0.21 / kNumNoiseValues));
}

TEST_P(NoiseLayersTest, SpatialDropoutDropsWholeChannels) {
  const layers::SpatialDropout1D layer({.rate = 0.25, .seed = 14});
  const Tensor y = training_output(layer, ops::ones({kNoiseRows, 3, 20}), 7);
  double num_kept = 0;
  for (std::int64_t row = 0; row < kNoiseRows; ++row) {
    for (std::int64_t channel = 0; channel < 20; ++channel) {
      const double first = y.at(row * 60 + channel);
      num_kept += first > 0 ? 1 : 0;
      ASSERT_TRUE(first == 0 || std::fabs(first - 1 / 0.75) < 1e-6);
      for (std::int64_t step = 1; step < 3; ++step) ASSERT_EQ(y.at(row * 60 + step * 20 + channel), first);
    }
  }
  EXPECT_NEAR(num_kept / (20.0 * kNoiseRows), 0.75, 5 * std::sqrt(0.1875 / (20.0 * kNoiseRows)));
}

TEST_P(NoiseLayersTest, ChannelsFirstDropsTheOtherAxes) {
  const layers::SpatialDropout2D first({.rate = 0.5, .data_format = "channels_first", .seed = 15}),
      last({.rate = 0.5, .seed = 15});
  // The same draws, [batch, channels]; the pictures are transposed.
  const Tensor a = training_output(first, ops::ones({6, 5, 2, 3}), 1),
               b = training_output(last, ops::ones({6, 2, 3, 5}), 1);
  EXPECT_EQ(ops::transpose(a, {0, 2, 3, 1}).to_vector<float>(), b.to_vector<float>());
  const layers::SpatialDropout3D volumes({.rate = 0.5, .seed = 15});
  EXPECT_EQ(training_output(volumes, ops::ones({6, 1, 2, 3, 5}), 1).to_vector<float>(), b.to_vector<float>());
}

TEST_P(NoiseLayersTest, MoreRowsDoNotShiftTheNoiseOfTheRowsBefore) {
  const std::vector<LayerHandle> layers = {
      layers::GaussianNoise({.stddev = 0.5, .seed = 1}), layers::GaussianDropout({.rate = 0.5, .seed = 1}),
      layers::AlphaDropout({.rate = 0.5, .seed = 1}), layers::SpatialDropout1D({.rate = 0.5, .seed = 1})};
  for (const LayerHandle& layer : layers) {
    const Tensor many = training_output(layer, ops::ones({5, 4, 6}), 3),
                 few = training_output(layer, ops::ones({2, 4, 6}), 3);
    EXPECT_EQ(many.rows(0, 2).to_vector<float>(), few.to_vector<float>()) << layer->class_name();
    EXPECT_NE(training_output(layer, ops::ones({2, 4, 6}), 4).to_vector<float>(), few.to_vector<float>())
        << layer->class_name();
  }
}

TEST_P(NoiseLayersTest, EachStepOfTrainingDrawsNewNoiseFromTheSeed) {
  const auto outputs = [](std::uint64_t seed) {
    const layers::GaussianNoise layer({.stddev = 1, .seed = seed});
    std::vector<std::vector<float>> all;
    for (int step = 0; step < 2; ++step)
      all.push_back(layer(ops::zeros({4}), {.training = true}).to_vector<float>());
    return all;
  };
  EXPECT_EQ(outputs(1), outputs(1));
  EXPECT_NE(outputs(1)[0], outputs(1)[1]);
  EXPECT_NE(outputs(1), outputs(2));
}

TEST_P(NoiseLayersTest, SpatialDropoutTakesItsDataFormatInAnyCase) {
  const Tensor x = ops::ones({2, 16, 2, 3});
  const auto output = [&](const char* data_format) {
    return training_output(layers::SpatialDropout2D({.rate = 0.5, .data_format = data_format, .seed = 4}), x,
                           1)
        .literal();
  };
  EXPECT_EQ(output("Channels_First"), output("channels_first"));
  EXPECT_EQ(output("CHANNELS_LAST"), output("channels_last"));
}

std::string noise_error(const std::function<void()>& make) {
  clear_session();
  try {
    make();
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(NoiseLayersErrorTest, OptionsOutOfRangeAreNamed) {
  EXPECT_EQ(noise_error([] { layers::GaussianNoise({.stddev = 1.5}); }),
            "[gaussian_noise] stddev must be in [0, 1]; got stddev = 1.5; in layer \"gaussian_noise\"");
  EXPECT_EQ(noise_error([] { layers::GaussianDropout({.rate = 1}); }),
            "[gaussian_dropout] rate must be in [0, 1); got rate = 1; in layer \"gaussian_dropout\"");
  EXPECT_EQ(noise_error([] { layers::AlphaDropout({.rate = -0.1}); }),
            "[alpha_dropout] rate must be in [0, 1); got rate = -0.1; in layer \"alpha_dropout\"");
  EXPECT_EQ(noise_error([] { layers::SpatialDropout1D({.rate = std::nan("")}); }),
            "[spatial_dropout1d] rate must be in [0, 1]; got rate = nan; in layer \"spatial_dropout1d\"");
  EXPECT_EQ(noise_error([] { layers::SpatialDropout2D({.rate = 0.5, .data_format = "channels"}); }),
            "[spatial_dropout2d] data_format must be \"channels_last\" or \"channels_first\"; got "
            "data_format = \"channels\"; in layer "
            "\"spatial_dropout2d\"");
  EXPECT_EQ(noise_error([] { layers::SpatialDropout1D({.rate = 0.5})(Tensor::zeros({2, 3})); }),
            "[spatial_dropout1d] expected the input to have 3 dimensions; got an input of shape (None, 3); "
            "in layer \"spatial_dropout1d\"");
  EXPECT_EQ(noise_error([] {
              layers::AlphaDropout({.rate = 0.5, .noise_shape = Dims{2, 5}})(Tensor::zeros({2, 3}),
                                                                             {.training = true});
            }),
            "[alpha_dropout] noise_shape must have the input's extents, 1 or unknown ones; got noise_shape = "
            "(2, 5) for an input of shape "
            "(2, 3); "
            "in layer \"alpha_dropout\"");
}

}  // namespace
}  // namespace cornu::inline v0::keras
