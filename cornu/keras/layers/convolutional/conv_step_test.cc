// The contents of a training step of convolution layers: one operation for each layer, and no unused
// gradient.
#include <gtest/gtest.h>

#include "cornu/ir/graph.h"
#include "cornu/keras/layers/layers.h"
#include "cornu/keras/models/sequential.h"
#include "cornu/keras/testing/golden_test_support.h"
#include "cornu/ops/convolution_bias_activation/convolution_bias_activation.h"
#include "cornu/tensor/ops.h"
#include "cornu/tensor/trace.h"
#include "cornu/transform/simplify.h"

namespace cornu::inline v0::keras {
namespace {

/// The simplified program of a step with a small loss through `model`.
std::unique_ptr<ir::Function> step_of(const std::vector<LayerHandle>& model, const Dims& input_shape,
                                      bool inline_composites) {
  std::vector<Variable> weights;
  Trace trace;
  {
    const Trace::Scope scope(trace);
    Tensor x = trace.add_rows_argument({DType::kF32, input_shape});
    for (const LayerHandle& layer : model) {
      x = layer(x);
      for (const Variable& weight : layer->trainable_weights()) weights.push_back(weight);
    }
    const std::vector<Tensor> gradients = gradient(ops::mean(ops::square(x)), weights);
    for (std::size_t i = 0; i < weights.size(); ++i)
      weights[i].assign(weights[i].value() - gradients[i] * 0.1);
  }
  const TracedProgram program = trace.finish();
  return transform::simplify(*program.function, {.inline_composites = inline_composites});
}

std::vector<const ir::Op*> ops_named(const ir::Function& function, std::string_view name) {
  std::vector<const ir::Op*> found;
  for (const auto& op : function.body.ops())
    if (op->name() == name) found.push_back(op.get());
  return found;
}

std::vector<LayerHandle> two_convolutions(const char* activation, bool use_bias) {
  return {layers::Conv2D({.filters = 3, .kernel_size = 3, .activation = activation, .use_bias = use_bias}),
          layers::MaxPooling2D(),
          layers::Conv2D({.filters = 2, .kernel_size = 2, .activation = activation, .use_bias = use_bias}),
          layers::GlobalAveragePooling2D()};
}

TEST(ConvStepTest, ALayerIsOneOperationForwardAndOneBackward) {
  const testing::OnReferenceBackend on_reference;
  for (const char* activation : {"linear", "relu"}) {
    const auto step = step_of(two_convolutions(activation, true), {4, 8, 8, 2}, false);
    EXPECT_EQ(ops_named(*step, "cornu.convolution_bias_activation").size(), 2U);
    EXPECT_EQ(ops_named(*step, "cornu.convolution_bias_activation_gradient").size(), 2U);
    EXPECT_EQ(ops_named(*step, "cornu.max_pool").size(), 1U);
    EXPECT_EQ(ops_named(*step, "cornu.max_pool_gradient").size(), 1U);
    EXPECT_EQ(ops_named(*step, "convolution").size(), 0U);
    EXPECT_EQ(ops_named(*step, "cornu.relu").size(), 0U);
  }
}

TEST(ConvStepTest, TheGradientOfTheFirstLayersInputIsNotComputed) {
  const testing::OnReferenceBackend on_reference;
  const auto step = step_of(two_convolutions("relu", true), {4, 8, 8, 2}, false);
  const auto gradients = ops_named(*step, "cornu.convolution_bias_activation_gradient");
  ASSERT_EQ(gradients.size(), 2U);
  // Backwards: the last layer's gradients come first.
  EXPECT_TRUE(ops::wanted_convolution_gradients(*gradients[0]).lhs);
  EXPECT_FALSE(ops::wanted_convolution_gradients(*gradients[1]).lhs);
  EXPECT_EQ(gradients[1]->results().size(), 2U);
  // Written out: two convolutions forward, two for the kernels, one for what is between them.
  EXPECT_EQ(ops_named(*step_of(two_convolutions("relu", true), {4, 8, 8, 2}, true), "convolution").size(),
            5U);
}

TEST(ConvStepTest, TheGradientOfTheFirstLayersInputIsDeadCodeWithoutABias) {
  const testing::OnReferenceBackend on_reference;
  EXPECT_EQ(ops_named(*step_of(two_convolutions("tanh", false), {4, 8, 8, 2}, true), "convolution").size(),
            5U);
}

TEST(ConvStepTest, AFrozenLayerHasNoGradientsOfItsWeights) {
  const testing::OnReferenceBackend on_reference;
  std::vector<LayerHandle> model = two_convolutions("relu", true);
  model[2]->set_trainable(false);
  const auto step = step_of(model, {4, 8, 8, 2}, false);
  const auto gradients = ops_named(*step, "cornu.convolution_bias_activation_gradient");
  ASSERT_EQ(gradients.size(), 2U);
  const ops::ConvolutionGradients last = ops::wanted_convolution_gradients(*gradients[0]);
  EXPECT_TRUE(last.lhs);
  EXPECT_FALSE(last.rhs);
  EXPECT_FALSE(last.bias);
}

TEST(ConvStepTest, OtherActivationsFollowTheConvolution) {
  const testing::OnReferenceBackend on_reference;
  const auto step = step_of(two_convolutions("tanh", true), {4, 8, 8, 2}, false);
  EXPECT_EQ(ops_named(*step, "cornu.convolution_bias_activation").size(), 2U);
  EXPECT_EQ(ops_named(*step, "tanh").size(), 2U);
}

TEST(ConvStepTest, CompileChoosesTheAlgorithmOfConvolutions) {
  const auto explain = [](ConvolutionAlgorithm algorithm) {
    Sequential model({layers::Input({.shape = {12, 12, 16}}),
                      layers::Conv2D({.filters = 32, .kernel_size = 3}), layers::GlobalAveragePooling2D()});
    model.compile({.optimizer = "sgd", .loss = "mse", .convolution_algorithm = algorithm});
    return model.train_executable(ops::ones({8, 12, 12, 16}), ops::zeros({8, 32}), {.batch_size = 8})
        .explain();
  };
  EXPECT_NE(explain("auto").find("winograd"), std::string::npos);
  EXPECT_EQ(explain("direct").find("winograd"), std::string::npos);
}

}  // namespace
}  // namespace cornu::inline v0::keras
