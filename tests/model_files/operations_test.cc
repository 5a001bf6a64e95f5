/// Operations in graphs of layers: what they compute, and that files keep them.
#include <gtest/gtest.h>

#include <functional>

#include "tests/model_files/model_files_test_support.h"

namespace cornu::inline v0::keras {
namespace {

Tensor sample() { return Tensor::of<float>({2, 3}, {0.5F, -1.0F, 0.25F, 0.75F, 1.5F, -0.125F}); }

struct OperationCase {
  std::function<KerasTensor(const KerasTensor&)> graph;
  std::function<Tensor(const Tensor&)> eager;
};

/// The graph computes what the function computes, and so does the model that is made again from its text.
void expect_same(const std::string& name, const OperationCase& tested) {
  const Input x({.shape = {3}});
  Model model({.inputs = x, .outputs = tested.graph(x)});
  Model again = model_from_json(model.to_json());
  const Tensor expected = ops::cast(tested.eager(sample()), DType::kF32);
  for (Model* each : {&model, &again}) {
    const Tensor got = ops::cast(each->predict_on_batch(sample()), DType::kF32);
    EXPECT_LT(relative_difference(got, expected), 1e-6) << name;
  }
  EXPECT_EQ(Config::parse(again.to_json()), Config::parse(model.to_json())) << name;
}

#define CORNU_CASE(expression)                                                              \
  expect_same(#expression, {[](const KerasTensor& x) -> KerasTensor { return expression; }, \
                            [](const Tensor& x) -> Tensor { return expression; }})

TEST(OperationsTest, FunctionsOfTensorsStandInGraphs) {
  CORNU_CASE(ops::exp(x));
  CORNU_CASE(ops::square(x));
  CORNU_CASE(ops::sigmoid(x));
  CORNU_CASE(ops::relu(x));
  CORNU_CASE(ops::absolute(x));
  CORNU_CASE(ops::floor(x));
  CORNU_CASE(ops::tanh(x));
  CORNU_CASE(ops::stop_gradient(x));
  CORNU_CASE(ops::maximum(x, 0.3F));
  CORNU_CASE(ops::power(ops::absolute(x), 2.0F));
  CORNU_CASE(ops::logical_not(ops::greater(x, 0.0F)));
  CORNU_CASE(x > 0.0F);
  CORNU_CASE(x <= 0.5F);
  CORNU_CASE(ops::not_equal(x, 0.5F));
}

TEST(OperationsTest, OptionsAreThoseOfKeras) {
  expect_same("Mean", {[](const KerasTensor& x) {
                         return operation("Mean", {x}, Config::dict({{"axis", 1}, {"keepdims", true}}));
                       },
                       [](const Tensor& x) { return ops::mean(x, {.axis = 1, .keepdims = true}); }});
  expect_same("Reshape", {[](const KerasTensor& x) {
                            return operation("Reshape", {x},
                                             Config::dict({{"newshape", Config::list({-1, 3, 1})}}));
                          },
                          [](const Tensor& x) { return ops::reshape(x, {-1, 3, 1}); }});
  expect_same("Concatenate", {[](const KerasTensor& x) {
                                return operation("Concatenate", {x, ops::exp(x)},
                                                 Config::dict({{"axis", 1}}));
                              },
                              [](const Tensor& x) { return ops::concatenate({x, ops::exp(x)}, 1); }});
  expect_same("Softmax",
              {[](const KerasTensor& x) { return operation("Softmax", {x}, Config::dict({{"axis", -1}})); },
               [](const Tensor& x) { return ops::softmax(x); }});
}

TEST(OperationsTest, AnUnknownOneNamesWhatThereIs) {
  const Input x({.shape = {3}});
  EXPECT_NE(error_of([&] { operation("Exxp", {x}); }).find("did you mean \"Exp\""), std::string::npos);
  EXPECT_NE(error_of([&] { operation("Add", {x}); }).find("takes 2 arguments"), std::string::npos);
}

TEST(OperationsTest, AMaskThatACallIsGivenStaysItsArgument) {
  Model model = load_model("tests/data/keras/masked.keras");
  const Config config = Config::parse(model.to_json());
  int masked_calls = 0;
  for (const Config& layer : config.at("config").at("layers").as_list()) {
    EXPECT_NE(layer.at("class_name"), Config("WithMask"));
    for (const Config& call : layer.at("inbound_nodes").as_list())
      masked_calls += call.at("kwargs").contains("mask") && !call.at("kwargs").at("mask").is_null() ? 1 : 0;
  }
  EXPECT_GE(masked_calls, 2);
  EXPECT_EQ(Config::parse(model_from_json(model.to_json()).to_json()), config);
}

}  // namespace
}  // namespace cornu::inline v0::keras
