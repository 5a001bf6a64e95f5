/// Files of weights in Keras's older form, written here as older versions write them.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstring>
#include <fstream>

#include "cornu/base/log_test_support.h"
#include "cornu/io/hdf5.h"
#include "tests/model_files/hostile_archive_test_support.h"
#include "tests/model_files/model_files_test_support.h"

namespace cornu::inline v0::keras {
namespace {

/// An .h5 file that keeps the tensors that it shows.
struct OldHdf5 {
  io::Hdf5Content content;
  std::deque<Tensor> values;

  static io::Hdf5Attribute text(const std::string& value) { return {.is_list = false, .texts = {value}}; }
  static io::Hdf5Attribute list(std::vector<std::string> values) {
    return {.is_list = true, .texts = std::move(values)};
  }
  void add_layer(const std::string& path, const std::vector<std::pair<std::string, Tensor>>& weights) {
    io::Hdf5Content& group = content.group(path);
    std::vector<std::string> names;
    for (const auto& [name, value] : weights) {
      const Tensor& kept = values.emplace_back(value);
      group.datasets.emplace(name, std::pair(io::ArrayView(io::ElementType::kF32, kept.shape(),
                                                           {kept.bytes(), kept.type().size_bytes()}),
                                             io::Hdf5Attributes()));
      names.push_back(name);
    }
    group.attributes["weight_names"] = list(names);
  }
  void write(const std::string& path) const {
    std::ofstream file(path, std::ios::binary);
    io::Hdf5Writer(content).write([&](std::span<const std::byte> bytes) {
      file.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
    });
  }
};

Tensor numbers(const Dims& shape) {
  return ops::cast(ops::reshape(ops::arange(ir::TensorType{DType::kF32, shape}.num_elements()), shape),
                   DType::kF32);
}

// Keras 1 writes no version into files of weights; Keras 2 takes those without one for Keras 1.
TEST(OldWeightsTest, AFileOfWeightsWithoutAVersionIsOfKerasOne) {
  const TestFolder folder;
  Sequential model({layers::Input({.shape = {4, 4, 2}}),
                    layers::Conv2DTranspose({.filters = 2, .kernel_size = {3, 3}, .name = "d"})});
  const Tensor kernel = numbers({3, 3, 2, 2}), turned = ops::flip(kernel, {0, 1});
  for (const bool is_theano : {false, true}) {
    OldHdf5 file;
    file.content.attributes["layer_names"] = OldHdf5::list({"d"});
    const std::string end = is_theano ? "" : ":0";
    file.add_layer("d", {{"d_W" + end, is_theano ? turned : kernel}, {"d_b" + end, numbers({2})}});
    file.write(folder / "w.h5");
    CapturedLog log;
    model.load_weights(folder / "w.h5");
    const std::string said = log.take();
    EXPECT_EQ(said.find("kernels of convolutions were turned by 180 degrees") != std::string::npos, is_theano)
        << said;
    EXPECT_TRUE(model.get_weights()[0].literal() == ops::transpose(kernel, {0, 1, 3, 2}).literal())
        << is_theano;
  }
}

// Other software names weights without ":0", too.
TEST(OldWeightsTest, NamesWithoutColonsAreNotThoseOfTheano) {
  const TestFolder folder;
  Sequential model(
      {layers::Input({.shape = {5, 2}}), layers::Conv1D({.filters = 2, .kernel_size = 3, .name = "c"})});
  const Tensor kernel = numbers({3, 2, 2});
  for (const std::string prefix : {"", "c/", "c_"}) {
    OldHdf5 file;
    file.content.attributes["layer_names"] = OldHdf5::list({"c"});
    io::Hdf5Content& group = file.content.group("c");
    const bool is_path = prefix == "c/";
    file.add_layer(is_path ? "c/c" : "c", {{(is_path ? "" : prefix) + "kernel", kernel},
                                           {(is_path ? "" : prefix) + "bias", numbers({2})}});
    group.attributes["weight_names"] = OldHdf5::list({prefix + "kernel", prefix + "bias"});
    file.write(folder / "w.h5");
    CapturedLog log;
    model.load_weights(folder / "w.h5");
    EXPECT_EQ(log.take(), "") << prefix;
    EXPECT_TRUE(model.get_weights()[0].literal() == kernel.literal()) << prefix;
  }
}

TEST(OldWeightsTest, TheKernelsOfKerasTwoOnTheanoAreTurned) {
  const TestFolder folder;
  const layers::Conv1D conv({.filters = 2, .kernel_size = 3, .name = "c"});
  Sequential model({layers::Input({.shape = {4, 5, 2}}), layers::TimeDistributed(conv)});
  OldHdf5 file;
  file.content.attributes = {{"layer_names", OldHdf5::list({"t"})},
                             {"keras_version", OldHdf5::text("2.2.4")},
                             {"backend", OldHdf5::text("theano")}};
  file.add_layer("t", {{"kernel:0", numbers({3, 2, 2})}, {"bias:0", numbers({2})}});
  file.write(folder / "w.h5");
  model.load_weights(folder / "w.h5");
  EXPECT_TRUE(model.get_weights()[0].literal() == ops::flip(numbers({3, 2, 2}), {0}).literal());
}

TEST(OldWeightsTest, AGroupThatIsListedTwiceIsRefused) {
  const TestFolder folder;
  Sequential model({layers::Input({.shape = {3}}), layers::Dense({.units = 2, .name = "a"})});
  OldHdf5 file;
  file.content.attributes = {{"layer_names", OldHdf5::list({"a", "a"})},
                             {"keras_version", OldHdf5::text("2.4.0")}};
  file.add_layer("a", {{"kernel:0", numbers({3, 2})}, {"bias:0", numbers({2})}});
  file.write(folder / "w.h5");
  for (const bool by_name : {false, true})
    EXPECT_SAYS(error_text_of([&] { model.load_weights(folder / "w.h5", {.by_name = by_name}); }),
                "layer_names lists \"a\" twice");
}

// A list of one array's name over and over is small in the file and costs a path each time.
TEST(OldWeightsTest, AnArrayThatIsListedTwiceIsRefused) {
  const TestFolder folder;
  Sequential model({layers::Input({.shape = {3}}), layers::Dense({.units = 2, .name = "a"})});
  model.compile({.optimizer = "adam", .loss = "mse"});
  for (const std::string group : {"model_weights/a", "optimizer_weights"}) {
    OldHdf5 file;
    file.content.attributes["keras_version"] = OldHdf5::text("2.4.0");
    file.content.group("model_weights").attributes["layer_names"] = OldHdf5::list({"a"});
    file.add_layer("model_weights/a", {{"kernel:0", numbers({3, 2})}, {"bias:0", numbers({2})}});
    file.add_layer("optimizer_weights", {{"iter:0", numbers({})}});
    auto& names = file.content.group(group).attributes.at("weight_names").texts;
    names.insert(names.end(), 2000, names[0]);
    file.write(folder / "w.h5");
    EXPECT_SAYS(error_text_of([&] { model.load_weights(folder / "w.h5"); }),
                fmt::format("lists \"{}\" twice", names[0]));
  }
}

TEST(OldWeightsTest, WhatDoesNotFitIsCountedBeyondTheFirstEight) {
  const TestFolder folder;
  Sequential model({layers::Input({.shape = {3}}), layers::Dense({.units = 2, .name = "a"})});
  OldHdf5 file;
  file.content.attributes = {{"layer_names", OldHdf5::list({"a"})},
                             {"keras_version", OldHdf5::text("2.4.0")}};
  std::vector<std::pair<std::string, Tensor>> weights = {{"kernel:0", numbers({3, 2})},
                                                         {"bias:0", numbers({2})}};
  for (int i = 2; i < 30; ++i) weights.emplace_back(fmt::format("more_{}:0", i), numbers({1}));
  file.add_layer("a", weights);
  file.write(folder / "w.h5");
  EXPECT_SAYS(error_text_of([&] { model.load_weights(folder / "w.h5"); }),
              "no place for a[2], a[3], a[4], a[5], a[6], a[7], a[8], a[9] and 20 more");
}

TEST(OldWeightsTest, ADamagedOptimizerLeavesTheWeightsAsTheyWere) {
  const TestFolder folder;
  Sequential model({layers::Input({.shape = {3}}), layers::Dense({.units = 2, .name = "a"})});
  model.compile({.optimizer = "adam", .loss = "mse"});
  const Tensor before = model.get_weights()[0];
  OldHdf5 file;
  file.content.attributes["keras_version"] = OldHdf5::text("2.4.0");
  file.content.group("model_weights").attributes["layer_names"] = OldHdf5::list({"a"});
  file.add_layer("model_weights/a", {{"kernel:0", numbers({3, 2})}, {"bias:0", numbers({2})}});
  file.content.group("optimizer_weights").attributes["weight_names"] = OldHdf5::list({"Adam/iter:0"});
  file.write(folder / "w.h5");
  EXPECT_SAYS(error_text_of([&] { model.load_weights(folder / "w.h5"); }),
              "\"Adam/iter:0\", which is not there");
  EXPECT_TRUE(model.get_weights()[0].literal() == before.literal());
}

TEST(OldWeightsTest, AKernelOfAnotherShapeIsNamed) {
  const TestFolder folder;
  Sequential model({layers::Input({.shape = {4, 4, 2}}),
                    layers::Conv2DTranspose({.filters = 2, .kernel_size = {3, 3}, .name = "d"})});
  const Tensor before = model.get_weights()[0];
  for (const Dims& shape : {Dims{3, 3, 2, 5}, Dims{3, 3, 2}, Dims{0, 3, 2, 2}}) {
    OldHdf5 file;
    file.content.attributes["layer_names"] = OldHdf5::list({"d"});
    file.add_layer("d", {{"d_W", numbers(shape)}, {"d_b", numbers({2})}});
    file.write(folder / "w.h5");
    EXPECT_SAYS(error_text_of([&] { model.load_weights(folder / "w.h5"); }), "of another shape are d/");
  }
  EXPECT_TRUE(model.get_weights()[0].literal() == before.literal());
}

// Keras 1 sorts slots by names of variables: where shapes do not tell them apart, they are left out.
TEST(OldWeightsTest, SlotsOfKerasOneThatMayBeExchangedAreLeftOut) {
  const TestFolder folder;
  Sequential model({layers::Input({.shape = {2}}),
                    layers::Dense({.units = 2, .use_bias = false, .name = "z"}),
                    layers::Dense({.units = 2, .use_bias = false, .name = "a"})});
  model.compile({.optimizer = optimizers::SGD({.momentum = 0.5}), .loss = "mse"});
  OldHdf5 file;
  file.content.attributes["keras_version"] = OldHdf5::text("1.2.2");
  file.content.group("model_weights").attributes["layer_names"] = OldHdf5::list({"z", "a"});
  for (const std::string name : {"z", "a"})
    file.add_layer("model_weights/" + name, {{name + "_W:0", numbers({2, 2})}});
  file.add_layer(
      "optimizer_weights",
      {{"iterations:0", numbers({})}, {"slot_a:0", numbers({2, 2})}, {"slot_z:0", numbers({2, 2})}});
  file.write(folder / "w.h5");
  for (int step = 0; step < 7; ++step) model.train_on_batch(ops::ones({3, 2}), ops::ones({3, 2}));
  CapturedLog log;
  model.load_weights(folder / "w.h5");
  const std::string said = log.take();
  EXPECT_SAYS(said, "Keras 1 sorts slots by names");
  EXPECT_SAYS(said, "[load_weights] ");
  EXPECT_SAYS(said, "the optimizer is left as it is");
  EXPECT_EQ(model.optimizer().iterations().item<int>(), 7);
  EXPECT_TRUE(model.get_weights()[1].literal() == numbers({2, 2}).literal());
}

}  // namespace
}  // namespace cornu::inline v0::keras
