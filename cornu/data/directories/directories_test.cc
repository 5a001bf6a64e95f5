#include "cornu/data/directories/directories.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "cornu/base/error.h"
#include "cornu/data/testing/image_golden_test_support.h"

namespace cornu::inline v0::data {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

class DirectoriesTest : public ::testing::Test {
 protected:
  void SetUp() override {
    root_ = fs::temp_directory_path() / ("cornu_directories_test_" + std::to_string(::getpid()));
    fs::remove_all(root_);
    fs::create_directories(root_);
  }
  void TearDown() override { fs::remove_all(root_); }
  void write(const std::string& name, std::string_view content) const {
    fs::create_directories((root_ / name).parent_path());
    std::ofstream(root_ / name, std::ios::binary) << content;
  }
  void write_images(const json& tree) const {
    for (const auto& [name, source] : tree.items()) {
      fs::create_directories((root_ / name).parent_path());
      if (source.is_null())
        write(name, "text");
      else
        fs::copy_file("tests/data/images/" + source.get<std::string>(), root_ / name);
    }
  }
  std::vector<std::string> relative(const std::vector<std::string>& paths) const {
    std::vector<std::string> names;
    for (const std::string& path : paths) names.push_back(fs::relative(path, root_).string());
    return names;
  }
  std::string root() const { return root_.string(); }

 private:
  fs::path root_;
};

template <typename F>
ErrorCode code_of(const F& call, const std::string& part = "") {
  try {
    call();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find(part), std::string::npos) << error.what();
    return error.code();
  }
  ADD_FAILURE() << "no error";
  return {};
}

ImageDatasetOptions image_options(const json& changes) {
  ImageDatasetOptions options{.batch_size = 4, .image_size = {5, 6}, .shuffle = false, .verbose = false};
  if (changes.contains("label_mode"))
    options.label_mode = changes["label_mode"].is_null()
                             ? std::nullopt
                             : std::optional(changes["label_mode"].get<std::string>());
  if (changes.contains("labels")) {
    if (changes["labels"].is_null())
      options.labels = std::nullopt;
    else
      options.labels = changes["labels"].get<std::vector<std::int64_t>>();
  }
  if (changes.contains("batch_size")) options.batch_size = std::nullopt;
  options.color_mode = changes.value("color_mode", "rgb");
  options.interpolation = changes.value("interpolation", "bilinear");
  options.crop_to_aspect_ratio = changes.value("crop_to_aspect_ratio", false);
  options.pad_to_aspect_ratio = changes.value("pad_to_aspect_ratio", false);
  options.class_names = changes.value("class_names", std::vector<std::string>{});
  options.data_format = changes.value("data_format", "channels_last");
  return options;
}

void expect_elements(const Dataset& dataset, const json& wanted) {
  std::size_t i = 0;
  for (const Element& element : dataset) {
    ASSERT_LT(i, wanted.size());
    const json& parts = wanted[i++];
    ASSERT_EQ(element.size(), parts.size());
    for (std::size_t k = 0; k < parts.size(); ++k)
      expect_equals((element.is_structure() ? element[k] : element).tensor(), parts[k], 2e-3);
  }
  EXPECT_EQ(i, wanted.size());
}

TEST_F(DirectoriesTest, ImagesOfFoldersAreThoseOfKeras) {
  const json goldens = image_goldens().at("folders");
  write_images(goldens["tree"]);
  for (const json& one : goldens["cases"]) {
    SCOPED_TRACE(one["options"].dump());
    const DirectoryDataset dataset = image_dataset_from_directory(root(), image_options(one["options"]));
    EXPECT_EQ(relative(dataset.file_paths()), one["files"].get<std::vector<std::string>>());
    if (one["class_names"].is_null())
      EXPECT_TRUE(dataset.class_names().empty());
    else
      EXPECT_EQ(dataset.class_names(), one["class_names"].get<std::vector<std::string>>());
    expect_elements(dataset, one["elements"]);
  }
}

TEST_F(DirectoriesTest, SubsetsOfOneSeedHaveTheFilesOfKeras) {
  const json goldens = image_goldens().at("folders");
  write_images(goldens["tree"]);
  for (const json& one : goldens["splits"]) {
    ImageDatasetOptions options{.seed = one["seed"].get<std::uint64_t>(),
                                .validation_split = 0.4,
                                .subset = one["subset"].get<std::string>(),
                                .verbose = false};
    const auto wanted = one["files"].get<std::vector<std::string>>();
    EXPECT_EQ(relative(image_dataset_from_directory(root(), options).file_paths()), wanted) << one.dump();
    options.subset = std::nullopt;
    const auto [training, validation] = image_datasets_from_directory(root(), options);
    EXPECT_EQ(relative((one["subset"] == "training" ? training : validation).file_paths()), wanted);
  }
}

TEST_F(DirectoriesTest, SeriesAreThoseOfKeras) {
  for (const json& one : image_goldens().at("series")) {
    SCOPED_TRACE(one["arguments"].dump());
    const json& arguments = one["arguments"];
    TimeseriesOptions options{.sequence_length = arguments["sequence_length"],
                              .sequence_stride = arguments.value("sequence_stride", 1),
                              .sampling_rate = arguments.value("sampling_rate", 1)};
    if (arguments.contains("start_index")) options.start_index = arguments["start_index"];
    if (arguments.contains("end_index")) options.end_index = arguments["end_index"];
    if (arguments.contains("batch_size"))
      options.batch_size = arguments["batch_size"].is_null()
                               ? std::nullopt
                               : std::optional<std::int64_t>(arguments["batch_size"]);
    std::optional<Tensor> targets;
    if (!one["targets"].is_null()) targets = tensor_of(one["targets"]);
    expect_elements(timeseries_dataset_from_array(tensor_of(one["data"]), targets, options), one["elements"]);
  }
}

TEST_F(DirectoriesTest, ShuffledSeriesHaveEachWindowOnceAndItsTarget) {
  std::vector<float> values(50);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>(i);
  const Tensor data = Tensor::adopt({50}, values);
  std::vector<float> begins;
  for (const Element& batch :
       timeseries_dataset_from_array(data, data, {.sequence_length = 4, .shuffle = true, .seed = 3})) {
    for (std::int64_t i = 0; i < batch[0].tensor().shape()[0]; ++i) {
      EXPECT_EQ(batch[0].tensor().at(i * 4), batch[1].tensor().at(i));
      begins.push_back(static_cast<float>(batch[1].tensor().at(i)));
    }
  }
  EXPECT_FALSE(std::is_sorted(begins.begin(), begins.end()));
  std::sort(begins.begin(), begins.end());
  values.resize(47);
  EXPECT_EQ(begins, values);
}

TEST_F(DirectoriesTest, TextsComeWithTheLabelsOfTheirFolders) {
  write("neg/1.txt", "bad film");
  write("pos/1.txt", "good");
  write("pos/2.txt", "very good");
  const TextDatasetOptions options{
      .label_mode = "binary", .batch_size = 2, .max_length = 5, .shuffle = false, .verbose = false};
  const auto batches = text_dataset_from_directory(root(), options).to_vector();
  ASSERT_EQ(batches.size(), 2U);
  EXPECT_EQ(batches[0][0].strings().to_vector(), (std::vector<std::string>{"bad f", "good"}));
  EXPECT_EQ(batches[1][0].strings().to_vector(), (std::vector<std::string>{"very "}));
  EXPECT_EQ(batches[0][1].tensor().type().str(), Tensor::zeros({2, 1}).type().str());
  EXPECT_EQ(batches[0][1].tensor().at(1), 1);
}

TEST_F(DirectoriesTest, WhatIsWrongIsSaid) {
  const auto read = [&](const ImageDatasetOptions& options) {
    return code_of([&] { image_dataset_from_directory(root(), options); });
  };
  const auto refused = ErrorCode::kInvalidArgument;
  EXPECT_EQ(code_of([] { image_dataset_from_directory("/nowhere/at/all"); }, "/nowhere"),
            ErrorCode::kNotFound);
  EXPECT_EQ(code_of([&] { image_dataset_from_directory(root()); }, "no folders"), ErrorCode::kNotFound);
  write("a/1.txt", "text");
  EXPECT_EQ(code_of([&] { image_dataset_from_directory(root(), {.verbose = false}); }, "no images"),
            ErrorCode::kNotFound);
  EXPECT_EQ(read({.labels = "guessed"}), refused);
  EXPECT_EQ(read({.label_mode = "float"}), refused);
  EXPECT_EQ(read({.class_names = {"b"}}), refused);
  EXPECT_EQ(read({.color_mode = "hsv"}), refused);
  EXPECT_EQ(read({.image_size = {0, 3}}), refused);
  EXPECT_EQ(read({.validation_split = 0.5}), refused);
  EXPECT_EQ(read({.seed = 1, .validation_split = 1.5, .subset = "training"}), refused);
  EXPECT_EQ(read({.validation_split = 0.5, .subset = "training"}), refused);
  EXPECT_EQ(read({.interpolation = "linear"}), refused);
  EXPECT_EQ(read({.crop_to_aspect_ratio = true, .pad_to_aspect_ratio = true}), refused);
  EXPECT_EQ(read({.data_format = "rows"}), refused);
  EXPECT_EQ(read({.label_mode = "binary", .verbose = false}), refused);
  EXPECT_EQ(read({.labels = std::vector<std::int64_t>{1, 2}, .verbose = false}), refused);
}

TEST_F(DirectoriesTest, ADamagedImageIsAnErrorInItsPlace) {
  write("a/1.png", "no image");
  fs::copy_file("tests/data/images/rgb.png", fs::path(root()) / "a/2.png");
  const Dataset images = image_dataset_from_directory(
      root(), {.batch_size = std::nullopt, .image_size = {4, 4}, .shuffle = false, .verbose = false});
  EXPECT_EQ(code_of([&] { images.to_vector(); }, "1.png"), ErrorCode::kDataLoss);
  EXPECT_EQ(images.ignore_errors().to_vector().size(), 1U);
}

TEST_F(DirectoriesTest, WrongArgumentsOfSeriesAreRefused) {
  const Tensor data = Tensor::zeros({10});
  const auto read = [&](const TimeseriesOptions& options) {
    return code_of([&] { timeseries_dataset_from_array(data, std::nullopt, options); },
                   "[timeseries_dataset_from_array]");
  };
  EXPECT_EQ(read({.sequence_length = 0}), ErrorCode::kInvalidArgument);
  EXPECT_EQ(read({.sequence_length = 2, .sequence_stride = 0}), ErrorCode::kInvalidArgument);
  EXPECT_EQ(read({.sequence_length = 2, .sampling_rate = 10}), ErrorCode::kInvalidArgument);
  EXPECT_EQ(read({.sequence_length = 2, .start_index = 10}), ErrorCode::kInvalidArgument);
  EXPECT_EQ(read({.sequence_length = 2, .start_index = 5, .end_index = 5}), ErrorCode::kInvalidArgument);
  EXPECT_EQ(read({.sequence_length = 2, .end_index = 10}), ErrorCode::kInvalidArgument);
}

/// A WAV file of one channel with these samples of 16 bits.
std::string wav_of(const std::vector<std::int16_t>& samples, char rate = 100) {
  std::string text = "RIFF....WAVEfmt ";
  const auto number = [&](std::uint32_t value, int bytes) {
    for (int i = 0; i < bytes; ++i) text += static_cast<char>(value >> (8 * i));
  };
  number(16, 4);
  for (const auto& [value, bytes] :
       {std::pair(1U, 2), {1U, 2}, {static_cast<std::uint32_t>(rate), 4}, {200U, 4}, {2U, 2}, {16U, 2}})
    number(value, bytes);
  text += "data";
  number(static_cast<std::uint32_t>(2 * samples.size()), 4);
  for (const std::int16_t sample : samples) number(static_cast<std::uint16_t>(sample), 2);
  return text;
}

TEST_F(DirectoriesTest, RecordingsAreFilledToTheirBatchOrToALength) {
  write("a/1.wav", wav_of({16384, -32768}));
  write("a/2.WAV", wav_of({8192}));
  write("b/3.wav", wav_of({1, 2, 3}));
  write("b/text.txt", "no recording");
  AudioDatasetOptions options = {.batch_size = 2, .shuffle = false, .verbose = false};
  const DirectoryDataset padded = audio_dataset_from_directory(root(), options);
  EXPECT_EQ(padded.class_names(), (std::vector<std::string>{"a", "b"}));
  std::vector<Element> batches;
  for (const Element& batch : padded) batches.push_back(batch);
  ASSERT_EQ(batches.size(), 2U);
  EXPECT_EQ(batches[0][0].tensor().shape(), (Dims{2, 2, 1}));
  EXPECT_EQ(batches[0][0].tensor().to_vector<float>(), (std::vector<float>{0.5F, -1, 0.25F, 0}));
  EXPECT_EQ(batches[1][1].tensor().to_vector<int>(), std::vector<int>{1});
  options.output_sequence_length = 4;
  for (const Element& batch : audio_dataset_from_directory(root(), options))
    EXPECT_EQ(batch[0].tensor().shape()[1], 4);
  options.output_sequence_length.reset();
  options.ragged = true;
  for (const Element& batch : audio_dataset_from_directory(root(), options))
    EXPECT_TRUE(batch[0].is_ragged());
  options = {.batch_size = std::nullopt, .sampling_rate = 99, .shuffle = false, .verbose = false};
  code_of(
      [&] {
        for (const Element& element : audio_dataset_from_directory(root(), options)) (void)element;
      },
      "100 samples a second");
  code_of([&] { (void)audio_dataset_from_directory(root(), {.output_sequence_length = 4, .ragged = true}); },
          "ragged");
}

}  // namespace
}  // namespace cornu::inline v0::data
