#include "cornu/keras/layer/layer.h"

#include <gtest/gtest.h>

#include "cornu/base/check.h"
#include "cornu/base/error_test_support.h"
#include "cornu/keras/keras.h"

namespace cornu::inline v0::keras {
namespace {

std::string misfit(const InputSpec& spec, const Dims& shape) {
  return error_text_of([&] { spec.check(shape, "the input"); });
}

TEST(InputSpecTest, ChecksRanksAndExtents) {
  EXPECT_EQ(misfit({}, {}), "no error");
  EXPECT_EQ(misfit({.ndim = 2}, {kUnknown, 3}), "no error");
  expect_parts(misfit({.ndim = 2}, {3}), {"expected the input to have 2 dimensions"});
  expect_parts(misfit({.min_ndim = 2}, {3}), {"at least 2 dimensions"});
  expect_parts(misfit({.max_ndim = 2}, {1, 2, 3}), {"at most 2 dimensions"});
  EXPECT_EQ(misfit({.axes = {{-1, 3}, {0, 5}}}, {kUnknown, 3}), "no error") << "open extents fit anything";
  expect_parts(misfit({.axes = {{-1, 3}}}, {5, 4}), {"expected axis -1 of the input to be 3", "(5, 4)"});
  expect_parts(misfit({.axes = {{-3, 3}}}, {5, 4}), {"at least 3 dimensions"});
  expect_parts(misfit({.axes = {{2, 3}}}, {5, 4}), {"at least 3 dimensions"});
}

TEST(InputSpecTest, ChecksDtypeAndWholeShape) {
  const InputSpec spec{.dtype = DType::kI32, .shape = Dims{kUnknown, 3}};
  EXPECT_EQ(error_text_of([&] { spec.check(TensorType{DType::kI32, {7, 3}}, "the input"); }), "no error");
  expect_parts(error_text_of([&] { spec.check(TensorType{DType::kF32, {7, 3}}, "the input"); }),
               {"expected the dtype of the input to be i32", "f32"});
  expect_parts(misfit(spec, {7, 4}), {"expected the shape of the input to be (None, 3)", "(7, 4)"});
  expect_parts(misfit(spec, {7, 3, 1}), {"(None, 3)", "(7, 3, 1)"});
  EXPECT_EQ(misfit({.shape = Dims{kUnknown, 3}, .allow_last_axis_squeeze = true}, {7, 3, 1}), "no error");
  EXPECT_EQ(misfit({.shape = Dims{kUnknown, 1}, .allow_last_axis_squeeze = true}, {7}), "no error");
}

/// Makes a weight and builds a layer inside, then fails unless the last extent is even.
class PartlyBuilt : public Layer {
 public:
  PartlyBuilt() : Layer("PartlyBuilt", "") {}
  int num_unbuilds = 0;

 protected:
  void build(const Dims& shape) override {
    kernel_ = add_weight({.name = "kernel", .shape = {shape.back()}, .regularizer = "l2"});
    inside_->build_once(shape);
    if (shape.back() % 2 != 0) invalid_argument("the last extent must be even");
  }
  void unbuild() override {
    kernel_ = {};
    ++num_unbuilds;
  }
  Tensor call(const Tensor& x, const CallContext&) override {
    add_loss(ops::sum(x));
    return inside_(x * kernel_.value());
  }

 private:
  Variable kernel_;
  LayerHandle inside_ = track(LayerHandle(layers::Dense({.units = 2, .name = "inside"})), "inside");
};

TEST(LayerBuildTest, ABuildThatFailsLeavesTheLayerAndThoseInsideUnbuilt) {
  const LayerOf<PartlyBuilt> layer;
  expect_error(ErrorCode::kInvalidArgument, {"must be even", layer.name()},
               [&] { layer->build_once({kUnknown, 3}); });
  EXPECT_EQ(layer->num_unbuilds, 1);
  EXPECT_FALSE(layer.built());
  EXPECT_FALSE(layer->sublayers()[0]->built());
  EXPECT_TRUE(layer.weights().empty());
  EXPECT_TRUE(layer.losses().empty()) << "nor the regularizer of a weight that is gone";
  layer->build_once({kUnknown, 4});
  EXPECT_TRUE(layer.built());
  EXPECT_EQ(layer.count_params(), 4 + 4 * 2 + 2);
  EXPECT_EQ(layer.weights()[1].path(), layer.name() + "/inside/kernel");
  layer->build_once({kUnknown, 6});
  EXPECT_EQ(layer.count_params(), 4 + 4 * 2 + 2) << "built once";
}

TEST(LayerWeightTest, TheLayersOwnWeightComesBeforeThoseInside) {
  const LayerOf<PartlyBuilt> layer;
  expect_error(ErrorCode::kFailedPrecondition, {"call build()", layer.name()}, [&] { (void)layer.kernel(); });
  layer->build_once({kUnknown, 2});
  EXPECT_EQ(layer.kernel().shape(), Dims({2}));
  EXPECT_EQ(layer.bias().shape(), Dims({2})) << "there is one of that name inside";
  expect_error(ErrorCode::kInvalidArgument, {"did you mean \"kernel\"", layer.name()},
               [&] { (void)layer.weight("kernle"); });
}

TEST(LayerLossTest, ACallReplacesTheLossesOfTheCallBefore) {
  const LayerOf<PartlyBuilt> layer;
  for (const double value : {1.0, 3.0}) {
    layer(ops::full({1, 2}, value));
    const std::vector<Tensor> losses = layer.losses();
    ASSERT_EQ(losses.size(), 2U) << "the added one, and the regularizer's";
    EXPECT_EQ(losses[0].item<double>(), 2 * value);
  }
  layer->clear_losses();
  EXPECT_EQ(layer.losses().size(), 1U);
}

TEST(LayerTrackTest, LayersInsideAreHeldOnceAndNeverInACircle) {
  const LayerOf<PartlyBuilt> layer;
  const std::shared_ptr<Layer> inside = layer->sublayers()[0];
  EXPECT_TRUE(layer->contains(*inside));
  EXPECT_FALSE(inside->contains(*layer));
  EXPECT_EQ(layer->held_as(*inside).attribute, "inside");
  EXPECT_FALSE(layer->held_as(*inside).in_list);
  EXPECT_TRUE(layer->held_as(*layer).attribute.empty());
  layer.set_trainable(false);
  EXPECT_FALSE(inside->trainable());
}

}  // namespace
}  // namespace cornu::inline v0::keras
