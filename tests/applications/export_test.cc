#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "cornu/io/file.h"
#include "cornu/io/proto_reader.h"
#include "cornu/ir/parse.h"
#include "cornu/keras/export/export_model.h"
#include "cornu/keras/keras.h"
#include "cornu/ops/parse.h"
#include "cornu/transform/evaluate.h"

namespace cornu::inline v0::keras {
namespace {

Model small_model() {
  const Input image({.shape = {8, 8, 3}, .name = "image"});
  KerasTensor x = layers::Conv2D({.filters = 4, .kernel_size = 3, .strides = 2, .padding = "same"})(image);
  x = layers::Activation({.activation = "silu"})(layers::BatchNormalization()(x));
  x = layers::Dropout({.rate = 0.5})(layers::GlobalAveragePooling2D()(x));
  return Model(
      {.inputs = image, .outputs = layers::Dense({.units = 2, .activation = "softmax"})(x), .name = "small"});
}

std::string path_of(const std::string& name) { return ::testing::TempDir() + name; }

std::string bytes_of(const std::string& path) {
  const std::vector<std::byte> bytes = io::read_file(path);
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

/// Fields with this number of a message.
std::vector<std::string> fields(std::string_view message, std::uint32_t number) {
  std::vector<std::string> found;
  io::ProtoReader reader(message, "model.onnx", message.data());
  while (reader.has_more()) {
    const auto field = reader.take_field();
    if (field.number == number && field.wire == io::ProtoReader::Wire::kBytes) {
      found.emplace_back(reader.take_bytes());
    } else {
      reader.skip(field.wire);
    }
  }
  return found;
}

TEST(ExportModelTest, OnnxFilesHaveTheNodesOfTheLayersInOrder) {
  const std::string path = path_of("model.onnx");
  export_model(small_model(), path);
  const std::string file = bytes_of(path);
  const std::vector<std::string> graphs = fields(file, 7);
  ASSERT_EQ(graphs.size(), 1U);
  std::vector<std::string> ops;
  for (const std::string& node : fields(graphs[0], 1)) ops.push_back(fields(node, 4).at(0));
  EXPECT_EQ(ops, (std::vector<std::string>{"Transpose", "Conv", "BatchNormalization", "Sigmoid", "Mul",
                                           "GlobalAveragePool", "Flatten", "MatMul", "Add", "Softmax",
                                           "Identity"}));
  const std::vector<std::string> inputs = fields(graphs[0], 11);
  ASSERT_EQ(inputs.size(), 1U);
  EXPECT_EQ(fields(inputs[0], 1).at(0), "image");
  EXPECT_NE(inputs[0].find("batch"), std::string::npos);
  EXPECT_EQ(fields(graphs[0], 5).size(), 8U);  // two weights of each of three layers, and the statistics
}

/// The operators of the graph of an ONNX file, without those of bodies.
std::vector<std::string> operators_of(const Model& model) {
  const std::string path = path_of("operators.onnx");
  export_model(model, path);
  std::vector<std::string> ops;
  for (const std::string& node : fields(fields(bytes_of(path), 7).at(0), 1))
    ops.push_back(fields(node, 4).at(0));
  return ops;
}

TEST(ExportModelTest, RecurrentLayersAreOperatorsAndScansWhereTheyHaveMasks) {
  const Input steps({.shape = {kUnknown, 3}});
  const std::vector<std::string> plain = operators_of(
      Model({.inputs = steps, .outputs = layers::Bidirectional(layers::LSTM({.units = 2}))(steps)}));
  EXPECT_EQ(std::ranges::count(plain, "LSTM"), 2);
  const Input ids({.shape = {kUnknown}, .dtype = DType::kI32});
  const KerasTensor rows = layers::Embedding({.input_dim = 9, .output_dim = 3, .mask_zero = true})(ids);
  const std::vector<std::string> masked =
      operators_of(Model({.inputs = ids, .outputs = layers::GRU({.units = 2})(rows)}));
  EXPECT_EQ(std::ranges::count(masked, "Scan"), 1);
  EXPECT_EQ(std::ranges::count(masked, "GRU"), 0);
  const Input state({.shape = {2}});
  const std::vector<std::string> begun = operators_of(
      Model({.inputs = {ids, state}, .outputs = layers::GRU({.units = 2})({rows, KerasTensor(state)})}));
  EXPECT_EQ(std::ranges::count(begun, "GRU"), 1) << "a carried mask does not count with initial states";
  const std::vector<std::string> softsign = operators_of(
      Model({.inputs = steps, .outputs = layers::SimpleRNN({.units = 2, .activation = "softsign"})(steps)}));
  EXPECT_EQ(std::ranges::count(softsign, "Scan"), 1);
}

TEST(ExportModelTest, CellsAreOperatorsAndStepsOfOneLayerAreRows) {
  const Input steps({.shape = {kUnknown, 3}});
  const std::vector<std::string> stacked = operators_of(Model(
      {.inputs = steps,
       .outputs = layers::RNN({layers::LSTMCell({.units = 2}), layers::GRUCell({.units = 2})})(steps)}));
  EXPECT_EQ(std::ranges::count(stacked, "LSTM"), 1);
  EXPECT_EQ(std::ranges::count(stacked, "GRU"), 1);
  const std::vector<std::string> distributed = operators_of(
      Model({.inputs = steps, .outputs = layers::TimeDistributed(layers::Dense({.units = 2}))(steps)}));
  EXPECT_EQ(std::ranges::count(distributed, "Reshape"), 2);
  EXPECT_EQ(std::ranges::count(distributed, "MatMul"), 1);
}

TEST(ExportModelTest, FourBitsBecomeFloats) {
  const Input steps({.shape = {kUnknown, 3}});
  Model model({.inputs = steps, .outputs = layers::Dense({.units = 5})(steps)});
  model.quantize("int4");
  EXPECT_EQ(std::ranges::count(operators_of(model), "MatMul"), 1);
}

TEST(ExportModelTest, AttentionOverSeveralAxesIsThatOfSteps) {
  const Input images({.shape = {3, 4, 6}});
  const std::vector<std::string> both = operators_of(
      Model({.inputs = images,
             .outputs = layers::MultiHeadAttention({.num_heads = 2, .key_dim = 3})({images, images})}));
  EXPECT_EQ(std::ranges::count(both, "Softmax"), 1);
  EXPECT_EQ(std::ranges::count(both, "ReduceProd"), 4);  // rows and steps of both inputs
}

TEST(ExportModelTest, StablehloArtifactsComputeThePredictions) {
  Model model = small_model();
  const Tensor x = random::uniform({2, 8, 8, 3}, {.seed = 1});
  const Tensor expected = model.predict(x, {.verbose = 0});
  for (const bool as_arguments : {false, true}) {
    const std::string path = path_of("model.mlirbc");
    export_model(model, path, {.batch_size = 2, .weights_as_arguments = as_arguments});
    const ir::ParsedModule parsed = ops::parse_stablehlo(bytes_of(path));
    std::vector<ir::Literal> arguments = {x.literal()};
    if (as_arguments) {
      EXPECT_GT(parsed.entry().body.arguments().size(), 1U);
      continue;
    }
    const std::vector<ir::Literal> results = transform::evaluate(parsed.entry(), arguments);
    ASSERT_EQ(results.size(), 1U);
    for (std::int64_t i = 0; i < expected.num_elements(); ++i)
      EXPECT_NEAR(Tensor(results[0]).at(i), expected.at(i), 1e-5);
  }
}

void expect_refused(const Model& model, const ExportOptions& options, ErrorCode code,
                    const std::string& text) {
  const std::string path = path_of("refused");
  std::filesystem::remove(path);
  try {
    export_model(model, path, options);
    FAIL() << "nothing was thrown: " << text;
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), code) << error.what();
    EXPECT_NE(std::string(error.what()).find(text), std::string::npos) << error.what();
  }
  EXPECT_FALSE(std::filesystem::exists(path));
}

TEST(ExportModelTest, AProgramDoesNotReplaceAFileOfAModel) {
  for (const char* const name : {"model.keras", "model.h5", "model.safetensors"}) {
    const std::string path = path_of(name);
    std::filesystem::remove(path);
    EXPECT_THROW(export_model(small_model(), path), Error) << name;
    EXPECT_FALSE(std::filesystem::exists(path)) << name;
  }
  export_model(small_model(), path_of("named.keras"), {.format = "stablehlo"});
  EXPECT_TRUE(std::filesystem::exists(path_of("named.keras")));
}

TEST(ExportModelTest, FormsThatAFileLacksAreRefusedByTheNameOfTheLayer) {
  const Input images({.shape = {4, 3, 2}});
  const Model groups(
      {.inputs = images, .outputs = layers::GroupNormalization({.groups = 2, .name = "groups"})(images)});
  expect_refused(groups, {.format = "onnx"}, ErrorCode::kUnimplemented, "\"groups\" is a GroupNormalization");
  const Input rows({.shape = {4, 3}, .batch_size = 2});
  const Model stateful({.inputs = rows, .outputs = layers::GRU({.units = 2, .stateful = true})(rows)});
  expect_refused(stateful, {.format = "onnx"}, ErrorCode::kUnimplemented, "is stateful");
  expect_refused(small_model(), {.format = "tflite"}, ErrorCode::kInvalidArgument, "format");
  expect_refused(small_model(), {.format = "onnx", .opset = 17}, ErrorCode::kInvalidArgument, "opset");
  expect_refused(small_model(), {.batch_size = 0}, ErrorCode::kInvalidArgument, "batch_size");
  const Input open({.shape = {kUnknown, 3}});
  const Model any({.inputs = open, .outputs = layers::Dense({.units = 1})(open)});
  expect_refused(any, {.format = "stablehlo"}, ErrorCode::kInvalidArgument, "open");
}

}  // namespace
}  // namespace cornu::inline v0::keras
