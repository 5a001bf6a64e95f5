/// Descriptions of a kilobyte whose numbers would take all memory, or all time, before there is a weight.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <new>
#include <stdexcept>

#include "cornu/base/memory_allowance.h"
#include "cornu/keras/saving/old_config.h"
#include "tests/model_files/hostile_archive_test_support.h"

namespace cornu::inline v0::keras {
namespace {

/// A Sequential of one layer behind its input.
std::string load_error_of(const TestFolder& folder, const std::string& shape, const std::string& class_name,
                          const std::string& config, const std::string& compile_config = "{}") {
  Archive archive;
  archive.config =
      R"({"class_name": "Sequential", "config": {"name": "m", "layers": [{"class_name": "InputLayer", "config":
      {"batch_shape": [null, )" +
      shape + R"(], "dtype": ")" + (class_name == "IntegerLookup" ? "int32" : "float32") +
      R"(", "name": "x"}}, {"class_name": ")" + class_name + R"(", "config": )" + config +
      R"(}]}, "compile_config": )" + compile_config + "}";
  return archive.load_error(folder);
}

TEST(HostileNumbersTest, SidesOfImagesAreBounded) {
  const TestFolder folder;
  for (const char* size : {"2147483648", "1099511627776", "9223372036854775807"})
    for (const char* class_name : {"Resizing", "CenterCrop", "RandomCrop"}) {
      const std::string config = fmt::format(R"({{"height": {}, "width": 2}})", size);
      EXPECT_SAYS(load_error_of(folder, "2, 2, 1", class_name, config), "at most 1048576") << class_name;
    }
}

// The layer's rule gives its types, so what a file says of an extent makes no table: reading goes on to the
// weights, which are those of another model. Where the layer is called, the table is counted (below).
TEST(HostileNumbersTest, AnInputsExtentMakesNoTable) {
  const TestFolder folder;
  for (const char* extent : {"1073741824", "1099511627776"}) {
    const std::string shape = fmt::format("{}, 2, 1", extent);
    EXPECT_SAYS(load_error_of(folder, shape, "Resizing", R"({"height": 3, "width": 2})"),
                "does not fit the model");
  }
}

TEST(HostileNumbersTest, WhatALayerMakesBesidesWeightsIsCounted) {
  const MemoryAllowance allowance(1 << 20);  // as while a file is read
  const layers::UpSampling2D up_sampling({.size = {2, 2}, .interpolation = "bilinear"});
  EXPECT_SAYS(error_text_of([&] { up_sampling(ops::zeros({1, 4096, 2, 1})); }), "interpolation weights");
  const layers::Resizing resizing({.height = 3, .width = 2});
  EXPECT_SAYS(error_text_of([&] { resizing(ops::zeros({1, 1 << 20, 2, 1})); }), "[resize] the weights");
  const layers::RNN unrolled(layers::SimpleRNNCell({.units = 2}), {.unroll = true});
  EXPECT_EQ(error_text_of([&] { unrolled(ops::zeros({1, 10, 2})); }), "no error");
  EXPECT_SAYS(error_text_of([&] { unrolled(ops::zeros({1, 100, 2})); }), "a graph of 100 steps one by one");
}

TEST(HostileNumbersTest, OperationsThatMakeListsAreBounded) {
  const TestFolder folder;
  const auto error = [&](const char* class_name, const char* config) {
    Archive archive;
    archive.config = fmt::format(
        R"({{"class_name": "Functional", "config": {{"name": "m", "trainable": true, "layers": [
        {{"class_name": "InputLayer", "config": {{"batch_shape": [null, 1073741824], "name": "x"}}, "name": "x", "inbound_nodes": []}},
        {{"module": "keras.src.ops.numpy", "class_name": "{0}", "config": {1}, "name": "o", "inbound_nodes": [
          {{"args": [{{"class_name": "__keras_tensor__", "config": {{"keras_history": ["x", 0, 0]}}}}], "kwargs": {{}}}}]}}],
        "input_layers": [["x", 0, 0]], "output_layers": [["o", 0, 0]]}}}})",
        class_name, config);
    return archive.load_error(folder);
  };
  EXPECT_SAYS(error("ArraySplit", R"({"name": "o", "indices_or_sections": 16777216, "axis": 1})"),
              "a list of 16777216 tensors");
  EXPECT_SAYS(error("Unstack", R"({"name": "o", "num": null, "axis": 1})"), "a list of 1073741824 tensors");
}

TEST(HostileNumbersTest, IndicesOfUnknownTermsAndWidthsOfNgramsAreBounded) {
  const TestFolder folder;
  for (const char* size : {"2147483648", "9223372036854775807"}) {
    const std::string config = fmt::format(R"({{"num_oov_indices": {}, "vocabulary": [1, 2]}})", size);
    EXPECT_SAYS(load_error_of(folder, "1", "IntegerLookup", config), "at most 16777216");
    EXPECT_SAYS(load_error_of(folder, "1", "TextVectorization",
                              fmt::format(R"({{"ngrams": {}, "vocabulary": ["a"]}})", size)),
                "ngrams must be at most 1024");
  }
  const std::string weights =
      R"({"max_tokens": 4000000000, "pad_to_max_tokens": true, "output_mode": "tf_idf",
                                  "vocabulary": [1], "idf_weights": [1.0]})";
  EXPECT_SAYS(load_error_of(folder, "1", "IntegerLookup", weights), "the idf_weights of 4000000000 tokens");
}

TEST(HostileNumbersTest, ThresholdsOfMetricsAreBounded) {
  const TestFolder folder;
  const auto error = [&](const char* count) {
    return load_error_of(
        folder, "4", "Dense", R"({"units": 2})",
        fmt::format(R"({{"optimizer": "adam", "loss": "mse", "metrics": [{{"class_name": "AUC",
                                         "config": {{"num_thresholds": {}}}}}]}})",
                    count));
  };
  EXPECT_SAYS(error("200000000"), "a list of 200000000 thresholds");
  EXPECT_EQ(error("200").find("thresholds"), std::string::npos);
}

/// A description inside others, with more than they need.
std::string nested(int depth) {
  std::string text = R"({"class_name": "Dense", "config": {"units": 1, "z": [)";
  for (int i = 0; i < 200'000; ++i) text += i == 0 ? "[]" : ",[]";
  text += "]}}";
  for (int i = 0; i < depth; ++i)
    text = fmt::format(R"({{"class_name": "TimeDistributed", "config": {{"name": "b{}", "layer": {}}}}})", i,
                       text);
  return text;
}

/// The most memory that this process has had so far.
std::int64_t peak_bytes() {
  rusage usage = {};
  getrusage(RUSAGE_SELF, &usage);
  return std::int64_t{usage.ru_maxrss} << 10;
}

TEST(HostileNumbersTest, LevelsOfADescriptionDoNotCopyWhatTheyHold) {
  const Config description = Config::parse(nested(110));
  const std::int64_t before = peak_bytes();  // a copy takes 10 MB; each level made several, all there at once
  const Config converted = saving::in_current_form(description, saving::KerasVersion("2.4.0"));
  EXPECT_SAYS(error_text_of([&] { model_from_config(converted); }), "\"z\"");
  EXPECT_LT(peak_bytes() - before, 400'000'000);
}

TEST(HostileNumbersTest, AFailedAllocationIsAnErrorThatNamesTheFile) {
  const TestFolder folder;
  Archive archive;
  archive.config = R"({"class_name": "Sequential", "config": {"layers": [{"registered_name": "demo>Big",
      "class_name": "Big", "config": {}}]}})";
  archive.write(folder / "big.keras");
  for (const bool is_length : {false, true}) {
    CustomObjects objects;
    objects.layers["demo>Big"] = [&](const Config&) -> std::shared_ptr<Layer> {
      if (is_length) throw std::length_error("vector");
      throw std::bad_alloc();
    };
    try {
      load_model(folder / "big.keras", {.custom_objects = objects});
      FAIL();
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::kResourceExhausted);
      EXPECT_SAYS(std::string(error.what()), "big.keras");
    }
  }
}

TEST(HostileNumbersTest, NamesAreShownWithoutWhatATerminalObeys) {
  Sequential model({layers::Input({.shape = {4}}), layers::Dense({.units = 1, .name = "d\x1b]0;x\x07"})},
                   {.name = "m\x1b[2J\r"});
  std::string text;
  model.summary({.print = [&](std::string_view part) { text += part; }});
  EXPECT_EQ(text.find_first_of("\x1b\x07\r"), std::string::npos) << text;
  EXPECT_SAYS(text, "m\\x1b[2J\\x0d");
  const TestFolder folder;
  const std::string error =
      load_error_of(folder, "4", "Dense", R"({"units": 1, "activation": "re\u0000lu\n"})");
  EXPECT_SAYS(error, "re\\x00lu\\x0a");
  EXPECT_SAYS(error, "config.json");  // behind the NUL
  EXPECT_SAYS(load_error_of(folder, "4", "De\\u0000nse", "{}"), "De\\x00nse");
}

}  // namespace
}  // namespace cornu::inline v0::keras
