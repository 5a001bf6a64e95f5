/// Graphs of every operation, as Keras writes them: what they give, and that they are written back as
/// they were.
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <set>
#include <sstream>

#include "cornu/keras/layers/operations/operation.h"
#include "tests/model_files/model_files_test_support.h"

namespace cornu::inline v0::keras {
namespace {

const Config& golden() {
  static const Config* const kGolden = [] {
    std::ifstream file("tests/goldens/operation_graphs.json");
    std::ostringstream text;
    text << file.rdbuf();
    return new Config(Config::parse(text.str()));
  }();
  return *kGolden;
}

Dims shape_of(const Config& array) {
  Dims shape;
  for (const Config& extent : array.at("shape").as_list()) shape.push_back(extent.as_integer());
  return shape;
}

Tensor tensor_of(const Config& array) {
  std::vector<double> values;
  for (const Config& value : array.at("values").as_list()) values.push_back(value.as_number());
  return ops::cast(Tensor::adopt(shape_of(array), std::move(values)),
                   *ir::dtype_from_name(array.at("dtype").as_string()));
}

/// The names of the operations in a graph, for messages.
std::string names_of(const Config& model) {
  std::string names;
  for (const Config& layer : model.at("layers").as_list())
    if (layer.at("class_name") != Config("InputLayer")) names += layer.at("class_name").as_string() + " ";
  return names;
}

void expect_near(const Tensor& got, const Config& expected, const std::string& name) {
  EXPECT_EQ(got.shape(), shape_of(expected)) << name;
  EXPECT_EQ(ir::numpy_name(got.dtype()), expected.at("dtype").as_string()) << name;
  const std::vector<double> values = ops::cast(got, DType::kF64).to_vector<double>();
  const Config::List& numbers = expected.at("values").as_list();
  ASSERT_EQ(values.size(), numbers.size()) << name;
  const double gate = got.dtype() == DType::kF16 ? 1e-3 : 2e-5;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double number = numbers[i].as_number();
    if (std::isnan(number)) {
      EXPECT_TRUE(std::isnan(values[i])) << name << i;
    } else if (values[i] != number) {
      EXPECT_LE(std::abs(values[i] - number), gate * std::max(1.0, std::abs(number))) << name << i;
    }
  }
}

void check(const Config& golden_case, const std::string& name) {
  const Config& config = golden_case.at("model");
  Model model = model_from_json(Config::dict({{"class_name", "Functional"}, {"config", config}}).json());
  std::vector<Tensor> inputs;
  for (const Config& input : golden_case.at("inputs").as_list()) inputs.push_back(tensor_of(input));
  const std::vector<Tensor> outputs = model->call_many(inputs);
  const Config::List& expected = golden_case.at("outputs").as_list();
  ASSERT_EQ(outputs.size(), expected.size()) << name;
  for (std::size_t i = 0; i < outputs.size(); ++i) expect_near(outputs[i], expected[i], name);
  const Config written = Config::parse(model.to_json()).at("config").at("layers");
  const Config& layers = config.at("layers");
  ASSERT_EQ(written.size(), layers.size()) << name;
  for (std::size_t i = 0; i < layers.size(); ++i) {
    if (layers.at(i).at("class_name") == Config("InputLayer")) continue;
    EXPECT_EQ(written.at(i).json(), layers.at(i).json());
  }
}

TEST(OperationGraphsTest, GraphsOfKerasGiveItsNumbersAndAreWrittenAsTheyWere) {
  for (const Config& each : golden().at("cases").as_list()) {
    const std::string name = names_of(each.at("model"));
    try {
      check(each, name);
    } catch (const Error& error) {
      ADD_FAILURE() << name << error.what();
    }
  }
}

TEST(OperationGraphsTest, EveryClassIsTried) {
  std::set<std::string> tried;
  for (const Config& name : golden().at("classes").as_list()) tried.insert(name.as_string());
  // These take no tensor with an open batch, or Keras's own graph of them does not run; their functions have
  // goldens of their own.
  for (const char* name : {"AllClose", "Bincount", "BroadcastTo", "ConvTranspose", "Diag", "Diagflat",
                           "EmptyLike", "Meshgrid", "Scatter", "SegmentMin", "SegmentProd", "Vdot"})
    tried.insert(name);
  for (const std::string& name : layers::Operation::class_names()) EXPECT_TRUE(tried.contains(name)) << name;
}

}  // namespace
}  // namespace cornu::inline v0::keras
