#include "cornu/keras/utils/images.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>

#include "cornu/base/error.h"
#include "cornu/io/images/image.h"
#include "cornu/keras/testing/golden_test_support.h"
#include "cornu/tensor/ops.h"
#include "cornu/tensor/random.h"

/// Numbers of real Keras: tools/goldens/images_and_masks.py.
namespace cornu::inline v0::keras {
namespace {

using nlohmann::json;
namespace fs = std::filesystem;

TEST(SmartResizeTest, ImagesAreKerass) {
  for (const json& row : testing::load_golden("images_and_masks").at("resized")) {
    const std::string interpolation = row.at("interpolation"), data_format = row.at("data_format");
    const Tensor y = preprocessing::image::smart_resize(
        testing::golden_tensor(row.at("x")), row.at("size").get<std::array<std::int64_t, 2>>(),
        {.interpolation = interpolation, .data_format = data_format});
    testing::expect_close(y, testing::golden_tensor(row.at("y")), 1e-5, interpolation);
  }
}

class SaveImgTest : public ::testing::Test {
 protected:
  std::string path(const std::string& name) const {
    return (fs::temp_directory_path() / ("save_img_" + std::to_string(::getpid()) + "_" + name)).string();
  }
  static io::Image read(const std::string& file) {
    const io::Image image = io::decode_image(io::read_file(file), file);
    fs::remove(file);
    return image;
  }
};

TEST_F(SaveImgTest, PixelsAreScaledOrCutAsInKeras) {
  const std::string file = path("a.png");
  const Tensor x = Tensor::of<float>({1, 4, 1}, {-1, 0, 1.5F, 3});
  utils::save_img(file, x);
  EXPECT_EQ(read(file).pixels, (std::vector<std::uint8_t>{0, 63, 159, 255}));
  utils::save_img(file, Tensor::of<float>({1, 4, 1}, {0, 0.9F, 17, 255}), {.scale = false});
  EXPECT_EQ(read(file).pixels, (std::vector<std::uint8_t>{0, 0, 17, 255}));
  utils::save_img(file, ops::full({2, 2, 3}, 5));
  EXPECT_EQ(read(file).pixels, std::vector<std::uint8_t>(12, 0));
  const Tensor first = ops::reshape(ops::arange(24, DType::kU8), {4, 2, 3});
  utils::save_img(file, first, {.data_format = "channels_first", .scale = false});
  const io::Image image = read(file);
  EXPECT_EQ(image.channels, 4);
  EXPECT_EQ(image.height, 2);
  EXPECT_EQ(image.pixels[1], 6) << "the second channel";
}

TEST_F(SaveImgTest, AJpegHasNoAlpha) {
  const std::string file = path("a.jpg");
  utils::save_img(file, ops::reshape(ops::arange(64, DType::kU8), {4, 4, 4}));
  EXPECT_EQ(read(file).channels, 3);
  utils::save_img(path("a"), ops::ones({2, 2, 1}), {.file_format = "JPEG"});
  EXPECT_EQ(read(path("a")).channels, 1);
}

TEST_F(SaveImgTest, RefusesOtherImagesAndFormats) {
  EXPECT_THROW(utils::save_img(path("a.gif"), ops::ones({2, 2, 3})), Error);
  EXPECT_THROW(utils::save_img(path("a"), ops::ones({2, 2, 3})), Error);
  EXPECT_THROW(utils::save_img(path("a.png"), ops::ones({2, 2})), Error);
  EXPECT_THROW(utils::save_img(path("a.png"), ops::ones({2, 2, 2})), Error);
  EXPECT_THROW(utils::save_img(path("a.png"), ops::full({2, 2, 3}, 256.0), {.scale = false}), Error);
  EXPECT_THROW(utils::save_img(path("a.png"), ops::ones({2, 2, 3}), {.data_format = "rows"}), Error);
}

TEST_F(SaveImgTest, LoadImgReadsWhatWasSaved) {
  const Tensor image = ops::cast(ops::reshape(ops::arange(4 * 6 * 3), {4, 6, 3}), DType::kU8);
  const std::string file = path("loaded.png");
  utils::save_img(file, image, {.scale = false});
  testing::expect_close(utils::load_img(file), image, 0, "the image");
  EXPECT_EQ(utils::load_img(file, {.color_mode = "grayscale"}).shape(), (Dims{4, 6, 1}));
  const Tensor half = utils::load_img(file, {.target_size = {{2, 3}}});
  const Tensor odd = ops::take(ops::take(image, Tensor(std::vector<int>{1, 3}), {.axis = 0}),
                               Tensor(std::vector<int>{1, 3, 5}), {.axis = 1});
  testing::expect_close(half, odd, 0, "every other pixel");
  const Tensor square = utils::load_img(
      file, {.target_size = {{2, 2}}, .interpolation = "bilinear", .keep_aspect_ratio = true});
  EXPECT_EQ(square.shape(), (Dims{2, 2, 3}));
  EXPECT_EQ(square.dtype(), DType::kU8);
  EXPECT_THROW(utils::load_img(file, {.color_mode = "cmyk"}), Error);
  fs::remove(file);
}

}  // namespace
}  // namespace cornu::inline v0::keras
