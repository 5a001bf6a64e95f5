// Summaries and pictures of models with more than a chain of layers.
#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>

#include "cornu/keras/base/names.h"
#include "cornu/keras/models/model_to_dot.h"
#include "cornu/keras/testing/golden_test_support.h"
#include "cornu/keras/trainer/model_test_support.h"

namespace cornu::inline v0::keras {
namespace {

std::string summary_of(const Model& model, SummaryOptions options) {
  std::string text;
  options.print = [&](std::string_view piece) { text += piece; };
  model.summary(options);
  return text;
}

// Printed by Keras.
TEST(ModelSummaryTest, ShowsWhatALayerIsConnectedTo) {
  clear_session();
  for (int i = 0; i < 4; ++i) unique_name("add");
  const Input a({.shape = {4}}), b({.shape = {4}, .name = "b"});
  const KerasTensor sum = layers::Add({.name = "add_3"})({a, b});
  const Model model({.inputs = {a, b}, .outputs = sum + a});
  EXPECT_EQ(summary_of(model, {.line_length = 76}), R"(Model: "functional"
┏━━━━━━━━━━━━━━━━━━━━━┳━━━━━━━━━━━━━━━━━━━┳━━━━━━━━━━━━┳━━━━━━━━━━━━━━━━━━━┓
┃ Layer (type)        ┃ Output Shape      ┃    Param # ┃ Connected to      ┃
┡━━━━━━━━━━━━━━━━━━━━━╇━━━━━━━━━━━━━━━━━━━╇━━━━━━━━━━━━╇━━━━━━━━━━━━━━━━━━━┩
│ input_layer         │ (None, 4)         │          0 │ -                 │
│ (InputLayer)        │                   │            │                   │
├─────────────────────┼───────────────────┼────────────┼───────────────────┤
│ b (InputLayer)      │ (None, 4)         │          0 │ -                 │
├─────────────────────┼───────────────────┼────────────┼───────────────────┤
│ add_3 (Add)         │ (None, 4)         │          0 │ input_layer[0][0… │
│                     │                   │            │ b[0][0]           │
├─────────────────────┼───────────────────┼────────────┼───────────────────┤
│ add_4 (Add)         │ (None, 4)         │          0 │ add_3[0][0],      │
│                     │                   │            │ input_layer[0][0] │
└─────────────────────┴───────────────────┴────────────┴───────────────────┘
 Total params: 0 (0.00 B)
 Trainable params: 0 (0.00 B)
 Non-trainable params: 0 (0.00 B)
)");
}

Model nested_model() {
  const Sequential inner(
      {Input({.shape = {4}}), layers::Dense({.units = 3, .activation = "relu", .name = "hidden"})}, "inner");
  const Input x({.shape = {4}, .name = "x"});
  inner->set_trainable(false);
  return Model(
      {.inputs = x, .outputs = layers::Dense({.units = 2, .name = "out"})(inner(x)), .name = "outer"});
}

TEST(ModelSummaryTest, ShowsModelsInsideAndWhatIsFrozen) {
  const testing::OnReferenceBackend on_reference;
  const Model model = nested_model();
  const std::string plain = summary_of(model, {.line_length = 88});
  EXPECT_EQ(plain.find("Connected to"), std::string::npos) << "a chain needs no such column";
  EXPECT_EQ(plain.find("hidden"), std::string::npos);
  const std::string text =
      summary_of(model, {.line_length = 100, .expand_nested = true, .show_trainable = true});
  EXPECT_NE(text.find("│    └ hidden (Dense) "), std::string::npos) << text;
  EXPECT_NE(text.find("│    N    │"), std::string::npos) << text;
  EXPECT_NE(text.find("│    Y    │"), std::string::npos) << text;
  EXPECT_NE(text.find(" Non-trainable params: 15 ("), std::string::npos) << text;
  const std::string part = summary_of(model, {.layer_range = {"inner", "out"}});
  EXPECT_EQ(part.find("x (InputLayer)"), std::string::npos);
  EXPECT_EQ(summary_of(model, {.layer_range = {"out", "inner"}}), part);
  EXPECT_EQ(summary_of(model, {.layer_range = {"in", "o.t$"}}), part);
  expect_contains(error_of([&] { summary_of(model, {.layer_range = {"inner", "uter"}}); }),
                  ErrorCode::kInvalidArgument, {"layer_range = (\"inner\", \"uter\")"});
  expect_contains(error_of([&] { summary_of(model, {.layer_range = {"inner", "out("}}); }),
                  ErrorCode::kInvalidArgument, {"regular expressions", "layer_range = \"out(\""});
  expect_contains(error_of([&] { summary_of(model, {.positions = {0.5, 1.0}}); }),
                  ErrorCode::kInvalidArgument, {"must have 3 numbers"});
}

TEST(ModelToDotTest, HasABoxALayerAndAnEdgeATensor) {
  const testing::OnReferenceBackend on_reference;
  const Model model = nested_model();
  const std::string plain = model_to_dot(model);
  EXPECT_NE(plain.find("<b>inner</b> (Sequential)"), std::string::npos) << plain;
  EXPECT_NE(plain.find("layer_0 -> layer_1"), std::string::npos) << plain;
  EXPECT_NE(plain.find("layer_1 -> layer_2"), std::string::npos) << plain;
  const std::string text = model_to_dot(model, {.show_shapes = true,
                                                .show_dtype = true,
                                                .rankdir = "LR",
                                                .expand_nested = true,
                                                .show_layer_activations = true,
                                                .show_trainable = true});
  for (const char* part :
       {"rankdir=LR", "subgraph cluster_0", "label=\"inner\"", "<b>hidden</b> (Dense)",
        "Activation: <b>relu</b>", "Input shape: <b>(None, 4)</b>", "Output shape: <b>(None, 2)</b>",
        "Output dtype: <b>float32</b>", "<b>Non-trainable</b>", "layer_0 -> layer_1", "layer_1 -> layer_2"})
    EXPECT_NE(text.find(part), std::string::npos) << "missing " << part << " in\n" << text;
  EXPECT_EQ(text.find("(Sequential)"), std::string::npos) << "an expanded model has no box of its own";
}

TEST(ModelToDotTest, ControlBytesOfNamesAreWrittenAsNumbers) {
  const testing::OnReferenceBackend on_reference;
  Sequential inner({layers::Input({.shape = {4}}), layers::Dense({.units = 1, .name = "a\x1b[31m\nb"})},
                   {.name = "in\x07ner\xc2\x9b"});
  Sequential model({layers::Input({.shape = {4}}), inner});
  const std::string text = model_to_dot(model, {.expand_nested = true});
  EXPECT_NE(text.find("a\\x1b[31m\\x0ab"), std::string::npos) << text;
  EXPECT_NE(text.find("\"in\\\\x07ner\\\\xc2\\\\x9b\""), std::string::npos) << text;
  for (const char c : text) EXPECT_TRUE(c == '\n' || static_cast<unsigned char>(c) >= 0x20) << text;
}

TEST(ModelToDotTest, WritesFilesAndRefusesWhatItCannotWrite) {
  const testing::OnReferenceBackend on_reference;
  const Model model = nested_model();
  const std::string path = ::testing::TempDir() + "cornu_plot_model_test.dot";
  plot_model(model, {.to_file = path, .show_layer_names = true});
  std::ifstream file(path);
  EXPECT_EQ(std::string(std::istreambuf_iterator<char>(file), {}), model_to_dot(model));
  std::remove(path.c_str());
  expect_contains(error_of([&] { plot_model(model, {.to_file = "model"}); }), ErrorCode::kInvalidArgument,
                  {"to_file = \"model\""});
  expect_contains(error_of([&] { (void)model_to_dot(model, {.rankdir = "XY"}); }),
                  ErrorCode::kInvalidArgument, {"rankdir = \"XY\""});
  expect_contains(error_of([&] { (void)model_to_dot(Sequential({layers::Dense({.units = 1})})); }),
                  ErrorCode::kFailedPrecondition, {"is not built yet"});
}

TEST(ModelToDotTest, APictureNeedsGraphvizAndIsAFileOfItsKind) {
  const testing::OnReferenceBackend on_reference;
  const Model model = nested_model();
  const std::string path = ::testing::TempDir() + "cornu_plot_model_test.png";
  std::remove(path.c_str());
  const auto without_programs = [&] {
    setenv("PATH", "/nonexistent", 1);
    const Error error = error_of([&] { plot_model(model, {.to_file = path}); });
    std::fputs(error.what(), stderr);
    std::_Exit(error.code() == ErrorCode::kFailedPrecondition ? 0 : 1);
  };
  EXPECT_EXIT(without_programs(), ::testing::ExitedWithCode(0),
              "to_file = .* needs the program .dot. of Graphviz.*a .dot file needs no");
  EXPECT_FALSE(std::ifstream(path).good());
  if (std::system("command -v dot >/dev/null 2>&1") != 0)
    GTEST_SKIP() << "Graphviz's dot is not installed: no picture was drawn";
  plot_model(model, {.to_file = path, .show_shapes = true, .show_layer_names = true});
  std::ifstream file(path, std::ios::binary);
  const std::string bytes(std::istreambuf_iterator<char>(file), {});
  EXPECT_EQ(bytes.substr(0, 8), "\x89PNG\r\n\x1a\n");
  EXPECT_GT(bytes.size(), 1000U);
  std::remove(path.c_str());
}

}  // namespace
}  // namespace cornu::inline v0::keras
