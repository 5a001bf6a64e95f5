#include "cornu/keras/layers/preprocessing/spectrogram.h"

#include <gtest/gtest.h>

#include "cornu/base/error.h"
#include "cornu/keras/base/names.h"
#include "cornu/keras/config/config.h"
#include "cornu/keras/config/serialize.h"
#include "cornu/keras/keras.h"
#include "cornu/keras/layers/preprocessing/max_num_bounding_boxes.h"
#include "cornu/keras/testing/check_layer_test_support.h"

/// Numbers of real Keras: tools/goldens/spectrogram_layers.py.
namespace cornu::inline v0::keras {
namespace {

using nlohmann::json;

class SpectrogramTest : public testing::OnEachPlatform {};
INSTANTIATE_TEST_SUITE_P(On, SpectrogramTest, testing::platforms(), testing::PlatformName());

TEST_P(SpectrogramTest, LayersAreKerass) {
  const json goldens = testing::load_golden("spectrogram_layers");
  for (const json& row : goldens.at("cases")) {
    SCOPED_TRACE(row.at("layer").get<std::string>() + " " + row.at("config").dump());
    clear_session();
    const LayerHandle layer(saving::from_config<Layer>(row.at("layer").get<std::string>(),
                                                       Config::parse(row.at("config").dump())));
    testing::check_layer(layer, row, 2e-5);
    if (::testing::Test::HasFatalFailure()) return;
  }
}

TEST(StftInitializerTest, KernelsAreKerass) {
  const json goldens = testing::load_golden("spectrogram_layers");
  for (const json& row : goldens.at("kernels")) {
    const std::string what = row.at("config").dump();
    const InitializerHandle initializer(
        saving::from_config<Initializer>("STFT", Config::parse(row.at("config").dump())));
    testing::expect_close(initializer(row.at("shape").get<Dims>()), testing::golden_tensor(row.at("kernel")),
                          1e-5, what);
  }
  EXPECT_THROW(initializers::STFT({.side = "both"}), Error);
  EXPECT_THROW(initializers::STFT({.window = "round"}), Error);
  EXPECT_THROW(initializers::STFT({.scaling = "sum"}), Error);
  EXPECT_THROW((void)initializers::STFT()({8, 2, 5}), Error);
}

TEST(SpectrogramTest, RefusesOptionsThatCannotHold) {
  EXPECT_THROW(layers::STFTSpectrogram({.frame_length = 16, .frame_step = 17}), Error);
  EXPECT_THROW(layers::STFTSpectrogram({.frame_length = 16, .fft_length = 8}), Error);
  EXPECT_THROW(layers::STFTSpectrogram({.mode = "phase"}), Error);
  EXPECT_THROW(layers::STFTSpectrogram({.window = "round"}), Error);
  EXPECT_THROW(layers::STFTSpectrogram({.frame_length = 16})(ops::ones({1, 10, 1})), Error);
  EXPECT_THROW(layers::MelSpectrogram({.fft_length = 64, .sequence_length = 65}), Error);
  EXPECT_THROW(layers::MelSpectrogram({.num_mel_bins = 0}), Error);
  EXPECT_THROW(layers::MelSpectrogram({.window = "blackman"}), Error);
}

TEST(SpectrogramTest, ASignalWithoutABatchAndAModelHaveTheSameFrames) {
  const layers::MelSpectrogram mel({.fft_length = 64, .sequence_stride = 16, .num_mel_bins = 10});
  const Tensor x = random::normal({2, 159}, {.seed = 1});
  const KerasTensor input = Input({.shape = {159}});
  const Model model({.inputs = input, .outputs = mel(input)});
  const Tensor y = model(x);
  EXPECT_EQ(y.shape(), (Dims{2, 10, 10}));  // Keras's compute_output_shape() has 11 frames
  EXPECT_EQ(mel(ops::squeeze(x.rows(0, 1), 0)).shape(), (Dims{10, 10}));
}

TEST(MaxNumBoundingBoxesTest, BoxesAreKerass) {
  const json goldens = testing::load_golden("spectrogram_layers");
  for (const json& row : goldens.at("boxes")) {
    const layers::MaxNumBoundingBoxes layer(
        {.max_number = row.at("max_number"), .fill_value = row.at("fill_value")});
    const Tensor images = ops::ones({2, 4, 4, 3});
    const std::vector<Tensor> result = layer.call_many(
        {images, testing::golden_tensor(row.at("boxes")), testing::golden_tensor(row.at("labels"))});
    ASSERT_EQ(result.size(), 3U);
    testing::expect_close(result[0], images, 0, "images");
    testing::expect_close(result[1], testing::golden_tensor(row.at("result_boxes")), 1e-6, "boxes");
    testing::expect_close(result[2], testing::golden_tensor(row.at("result_labels")), 1e-6, "labels");
    testing::expect_close(layer(images), images, 0, "images alone");
    const layers::MaxNumBoundingBoxes by_name({.max_number = row.at("max_number"),
                                               .fill_value = row.at("fill_value"),
                                               .bounding_box_format = "xyxy"});
    const data::Element boxes({{"boxes", testing::golden_tensor(row.at("boxes"))},
                               {"labels", testing::golden_tensor(row.at("labels"))}});
    const data::Element element({{"images", images}, {"bounding_boxes", boxes}});
    const data::Element changed = by_name(element)["bounding_boxes"];
    testing::expect_close(changed["boxes"].tensor(), result[1], 0, "boxes by name");
    testing::expect_close(changed["labels"].tensor(), result[2], 0, "labels by name");
    EXPECT_THROW((void)layer(element), Error) << "no format";
  }
  EXPECT_THROW(layers::MaxNumBoundingBoxes({}), Error);
  const layers::MaxNumBoundingBoxes layer({.max_number = 2});
  EXPECT_THROW((void)layer.call_many({ops::ones({1, 2, 2, 3}), ops::ones({1, 2, 3}), ops::ones({1, 2})}),
               Error);
}

TEST(RandomElasticTransformTest, MovesPixelsWithinTheImageByTheSeed) {
  const Tensor x = random::uniform({6, 12, 10, 3}, {.maxval = 255.0, .seed = 2});
  const layers::RandomElasticTransform layer({.factor = {1.0, 1.0}, .seed = 3});
  const auto moved = [&](std::uint32_t counter) {
    return layer(x, {.training = true, .random_counter = Tensor::of<std::uint32_t>({}, {counter})});
  };
  const Tensor y = moved(1);
  testing::expect_close(moved(1), y, 0, "the same step");
  EXPECT_GT(ops::max(ops::absolute(y - moved(2))).item<double>(), 0.1);
  for (std::int64_t i = 0; i < 6; ++i)
    EXPECT_GT(ops::max(ops::absolute(y.rows(i, i + 1) - x.rows(i, i + 1))).item<double>(), 1e-3) << i;
  EXPECT_GE(ops::min(y).item<double>(), 0);
  EXPECT_LE(ops::max(y).item<double>(), 255);
  testing::expect_close(layer(x, {.training = false}), x, 0, "without training");
  const Tensor flat = ops::full({2, 8, 8, 1}, 7.0);
  testing::expect_close(layer(flat, {.training = true}), flat, 1e-5, "an image of one value");
  testing::expect_close(layers::RandomElasticTransform({.factor = 0.0})(x, {.training = true}), x, 0,
                        "probability 0");
  EXPECT_THROW(layers::RandomElasticTransform({.scale = 2.0}), Error);
  EXPECT_THROW(layers::RandomElasticTransform({.fill_mode = "edge"}), Error);
}

}  // namespace
}  // namespace cornu::inline v0::keras
