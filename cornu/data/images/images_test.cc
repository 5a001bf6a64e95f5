#include "cornu/data/images/images.h"

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>

#include "cornu/base/error.h"
#include "cornu/data/testing/image_golden_test_support.h"
#include "cornu/io/crc32.h"
#include "cornu/io/file.h"

namespace cornu::inline v0::data {
namespace {

using nlohmann::json;

std::string image_bytes(const std::string& name) {
  const std::vector<std::byte> bytes = io::read_file("tests/data/images/" + name);
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

ErrorCode error_of(const std::string& bytes, const io::DecodeImageOptions& options = {}) {
  try {
    decode_image(bytes, "hostile", options);
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("hostile"), std::string::npos) << error.what();
    return error.code();
  }
  ADD_FAILURE() << "no error";
  return {};
}

/// The message of the decoding error.
std::string decoding_error(const std::string& bytes) {
  try {
    decode_image(bytes, "hostile");
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

/// A chunk of a PNG, with its length and its checksum.
std::string png_chunk(const std::string& type, const std::string& content) {
  const auto number = [](std::size_t value) {
    std::string bytes;
    for (int shift = 24; shift >= 0; shift -= 8) bytes.push_back(static_cast<char>(value >> shift & 0xff));
    return bytes;
  };
  const std::string checked = type + content;
  return number(content.size()) + checked + number(io::crc32(std::as_bytes(std::span(checked))));
}

TEST(ImagesTest, DecodedPixelsAreThoseOfTensorFlow) {
  const json& goldens = image_goldens();
  for (const json& one : goldens["decoded"]) {
    const std::string name = one["file"];
    const std::int64_t channels = one["channels"];
    SCOPED_TRACE(name + " as " + std::to_string(channels));
    if (one["image"].is_null()) {
      EXPECT_THROW(decode_image(image_bytes(name), name, {.channels = channels}), Error);
      continue;
    }
    expect_equals(decode_image(image_bytes(name), name, {.channels = channels}), one["image"], 0);
  }
}

// TensorFlow looks cubic weights up in a table of 1,024 entries; they are computed exactly here.
double tolerance_of(const std::string& method) { return method == "bicubic" ? 0.3 : 2e-3; }

TEST(ImagesTest, ResizedImagesAreThoseOfTensorFlow) {
  const json& goldens = image_goldens().at("resized");
  const Tensor source = tensor_of(goldens["source"]);
  for (const json& one : goldens["cases"]) {
    const std::string method = one["method"];
    SCOPED_TRACE(method + " " + one["size"].dump());
    const ResizeImageOptions options{.interpolation = method, .pad_to_aspect_ratio = one.value("pad", false)};
    const Tensor resized = resize_image(source, one["size"].get<ImageSize>(), options);
    expect_equals(resized, one["image"], tolerance_of(method));
    if (method == "nearest") continue;
    std::vector<float> values;
    for (std::int64_t i = 0; i < source.num_elements(); ++i)
      values.push_back(static_cast<float>(source.at(i)));
    const Tensor floats = Tensor::adopt(source.shape(), std::move(values));
    expect_equals(resize_image(floats, one["size"].get<ImageSize>(), options), one["image"],
                  tolerance_of(method));
  }
}

TEST(ImagesTest, AntialiasedWeightsOfAThirdAreMeansOfTheKernel) {
  // 6 pixels to 2: triangles three times as wide.
  const Tensor line = Tensor::from<float>({1, 6, 1}, std::vector<float>{0, 0, 9, 0, 0, 0});
  const Tensor resized = resize_image(line, {1, 2}, {.antialias = true});
  EXPECT_NEAR(resized.at(0), 9 * (2.0 / 3) / (1 + 2 * (2.0 / 3) + 1.0 / 3), 1e-5);
  EXPECT_NEAR(resized.at(1), 9 * (1.0 / 3) / (1 + 2 * (2.0 / 3) + 1.0 / 3), 1e-5);
}

TEST(ImagesTest, FlipsReverseColumnsAndRows) {
  const Tensor image = Tensor::from<float>({2, 2, 2}, std::vector<float>{1, 2, 3, 4, 5, 6, 7, 8});
  EXPECT_EQ(Element(flip_left_right(image)).str(),
            Element(Tensor::from<float>({2, 2, 2}, std::vector<float>{3, 4, 1, 2, 7, 8, 5, 6})).str());
  EXPECT_EQ(Element(flip_up_down(image)).str(),
            Element(Tensor::from<float>({2, 2, 2}, std::vector<float>{5, 6, 7, 8, 1, 2, 3, 4})).str());
}

TEST(ImagesTest, DamagedImagesAreErrorsThatNameTheFile) {
  EXPECT_EQ(error_of(""), ErrorCode::kDataLoss);
  EXPECT_EQ(error_of("GIF89a"), ErrorCode::kDataLoss);
  for (const char* name : {"rgb.jpg", "progressive.jpg", "rgb.png", "palette.png", "two.gif", "rgb.bmp"}) {
    const std::string whole = image_bytes(name);
    for (std::size_t length = 0; length < whole.size(); length += 7) {
      // Bytes cut off after the last row of a PNG are no loss.
      try {
        decode_image(std::string_view(whole).substr(0, length), name);
      } catch (const Error& error) {
        EXPECT_EQ(error.code(), ErrorCode::kDataLoss) << error.what();
      }
    }
    EXPECT_EQ(error_of(whole.substr(0, whole.size() / 2)), ErrorCode::kDataLoss);
  }
}

// A header of 20 bytes determines the memory: it is compared with the file's size first.
TEST(ImagesTest, AnImageThatSaysThatItIsLargerThanItsBytesCanBeIsRefused) {
  // 1,000 by 100,000 pixels of a byte each, and all that an image can be, of 64 bits.
  for (const std::string& header : {std::string("\0\0\x03\xe8\0\x01\x86\xa0\x08\0\0\0\0", 13),
                                    std::string("\x7f\xff\xff\xff\x7f\xff\xff\xff\x10\x06\0\0\0", 13)}) {
    const std::string png =
        "\x89PNG\r\n\x1a\n" + png_chunk("IHDR", header) + png_chunk("IDAT", "") + png_chunk("IEND", "");
    EXPECT_EQ(error_of(png), ErrorCode::kDataLoss);
    EXPECT_NE(decoding_error(png).find("cannot hold"), std::string::npos) << decoding_error(png);
  }
  std::string jpeg = image_bytes("rgb.jpg");
  const std::size_t frame = jpeg.find("\xff\xc0");
  ASSERT_NE(frame, std::string::npos);
  jpeg.replace(frame + 5, 4, std::string("\xf0\0\xf0\0", 4));
  EXPECT_NE(decoding_error(jpeg).find("cannot hold"), std::string::npos) << decoding_error(jpeg);
  jpeg.replace(frame, 2, "\xff\xc9");  // arithmetic coding has no limit of compression
  EXPECT_NE(decoding_error(jpeg).find("arithmetic coding"), std::string::npos) << decoding_error(jpeg);
  std::string gif = image_bytes("two.gif");
  const std::size_t descriptor = gif.find(',');
  ASSERT_NE(descriptor, std::string::npos);
  gif.replace(descriptor + 5, 4, "\xff\xff\xff\xff");
  EXPECT_EQ(error_of(gif), ErrorCode::kDataLoss);
  std::string bmp = image_bytes("rgb.bmp");
  bmp.replace(18, 4, std::string("\0\0\0\x10", 4));
  EXPECT_EQ(error_of(bmp), ErrorCode::kDataLoss);
  bmp.replace(18, 8,
              std::string("\xff\xff\xff\x7f\0\0\0\x80", 8));  // 2^31 - 1 by 2^31, the format's maximum size
  bmp.replace(28, 6, std::string("\x20\0\0\0\0\0", 6));       // of 32 bits
  EXPECT_EQ(error_of(bmp), ErrorCode::kDataLoss);
  EXPECT_EQ(error_of(image_bytes("rgb.jpg"), {.limits = {.max_size_bytes = 100}}),
            ErrorCode::kResourceExhausted);
}

TEST(ImagesTest, WrongArgumentsAreRefused) {
  const Tensor image = Tensor::zeros({2, 2, 3});
  const auto code = [](auto&& call) {
    try {
      call();
    } catch (const Error& error) {
      return error.code();
    }
    return ErrorCode::kUnimplemented;
  };
  EXPECT_EQ(code([&] { resize_image(image, {0, 2}); }), ErrorCode::kInvalidArgument);
  EXPECT_EQ(code([&] { resize_image(image, {2, 2}, {.interpolation = "linear"}); }),
            ErrorCode::kInvalidArgument);
  EXPECT_EQ(
      code([&] { resize_image(image, {2, 2}, {.crop_to_aspect_ratio = true, .pad_to_aspect_ratio = true}); }),
      ErrorCode::kInvalidArgument);
  EXPECT_EQ(code([&] { resize_image(Tensor::zeros({2, 2}), {2, 2}); }), ErrorCode::kInvalidArgument);
  EXPECT_EQ(code([&] { resize_image(Tensor::zeros({2, 2, 3}, DType::kI32), {2, 2}); }),
            ErrorCode::kInvalidArgument);
  EXPECT_EQ(code([&] { decode_image(image_bytes("rgb.jpg"), "rgb.jpg", {.channels = 4}); }),
            ErrorCode::kInvalidArgument);
  EXPECT_EQ(code([&] { decode_image(image_bytes("two.gif"), "two.gif", {.channels = 1}); }),
            ErrorCode::kInvalidArgument);
  EXPECT_EQ(code([&] { decode_image(image_bytes("rgb.png"), "rgb.png", {.channels = 5}); }),
            ErrorCode::kInvalidArgument);
}

}  // namespace
}  // namespace cornu::inline v0::data
