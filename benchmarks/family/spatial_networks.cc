#include "benchmarks/family/family.h"
#include "cornu/keras/keras.h"

namespace cornu::inline v0::benchmarks {
namespace {

using keras::Input;
using keras::KerasTensor;
using keras::Model;
namespace layers = keras::layers;

KerasTensor convolution(const KerasTensor& x, std::int64_t filters) {
  return layers::Conv2D({.filters = filters, .kernel_size = 3, .padding = "same", .activation = "relu"})(x);
}

KerasTensor batch_normalized(const KerasTensor& x) { return layers::BatchNormalization()(x); }

KerasTensor relu(const KerasTensor& x) { return layers::Activation("relu")(x); }

/// Without bias: BatchNormalization follows.
KerasTensor plain_convolution(const KerasTensor& x, std::int64_t filters, int kernel = 3, int strides = 1) {
  return layers::Conv2D(
      {.filters = filters, .kernel_size = kernel, .strides = strides, .padding = "same", .use_bias = false})(
      x);
}

KerasTensor twice(const KerasTensor& x, std::int64_t filters) {
  return convolution(convolution(x, filters), filters);
}

KerasTensor class_of(const KerasTensor& x) {
  return layers::Dense({.units = 10, .activation = "softmax"})(layers::GlobalAveragePooling2D()(x));
}

KerasTensor residual(const KerasTensor& x, std::int64_t filters, int strides) {
  KerasTensor y = relu(batch_normalized(plain_convolution(x, filters, 3, strides)));
  y = batch_normalized(plain_convolution(y, filters));
  const bool same = strides == 1 && x.shape().back() == filters;
  return relu(layers::add({same ? x : plain_convolution(x, filters, 1, strides), y}));
}

KerasTensor separable(const KerasTensor& x, std::int64_t filters, int strides) {
  const layers::DepthwiseConv2D depthwise(
      {.kernel_size = 3, .strides = strides, .padding = "same", .use_bias = false});
  return relu(batch_normalized(plain_convolution(relu(batch_normalized(depthwise(x))), filters, 1)));
}

KerasTensor excited(const KerasTensor& x) {
  const std::int64_t channels = x.shape().back();
  KerasTensor weight = layers::GlobalAveragePooling2D({.keepdims = true})(x);
  weight = layers::Dense({.units = channels / 8, .activation = "relu"})(weight);
  return x * layers::Dense({.units = channels, .activation = "sigmoid"})(weight);
}

}  // namespace

Model conv_autoencoder() {
  const Input picture({.shape = {28, 28, 1}});
  const layers::MaxPooling2D halved({.pool_size = 2, .padding = "same"});
  const layers::MaxPooling2D halved_again({.pool_size = 2, .padding = "same"});
  KerasTensor x = halved_again(convolution(halved(convolution(picture, 32)), 32));
  for (int i = 0; i < 2; ++i)
    x = layers::Conv2DTranspose(
        {.filters = 32, .kernel_size = 3, .strides = 2, .padding = "same", .activation = "relu"})(x);
  x = layers::Conv2D({.filters = 1, .kernel_size = 3, .padding = "same", .activation = "sigmoid"})(x);
  return Model({.inputs = picture, .outputs = x});
}

Model unet() {
  const Input picture({.shape = {64, 64, 3}});
  KerasTensor x = picture;
  std::vector<KerasTensor> across;
  for (const std::int64_t filters : {16, 32, 64}) {
    across.push_back(twice(x, filters));
    x = layers::MaxPooling2D({.pool_size = 2})(across.back());
  }
  x = twice(x, 128);
  for (; !across.empty(); across.pop_back()) {
    const std::int64_t filters = across.back().shape().back();
    const layers::Conv2DTranspose up({.filters = filters, .kernel_size = 2, .strides = 2, .padding = "same"});
    x = twice(layers::concatenate({up(x), across.back()}), filters);
  }
  x = layers::Conv2D({.filters = 3, .kernel_size = 1, .activation = "softmax"})(x);
  return Model({.inputs = picture, .outputs = x});
}

Model depthwise_cnn() {
  const Input picture({.shape = {32, 32, 3}});
  KerasTensor x = relu(batch_normalized(plain_convolution(picture, 32)));
  x = separable(x, 64, 1);
  for (const std::int64_t filters : {128, 256}) x = separable(separable(x, filters, 2), filters, 1);
  return Model({.inputs = picture, .outputs = class_of(x)});
}

Model resnet20() {
  const Input picture({.shape = {32, 32, 3}});
  KerasTensor x = relu(batch_normalized(plain_convolution(picture, 16)));
  for (const std::int64_t filters : {16, 32, 64})
    for (int block = 0; block < 3; ++block) x = residual(x, filters, filters > 16 && block == 0 ? 2 : 1);
  return Model({.inputs = picture, .outputs = class_of(x)});
}

Model squeeze_excitation_cnn() {
  const Input picture({.shape = {32, 32, 3}});
  KerasTensor x = picture;
  for (const std::int64_t filters : {32, 64, 128}) {
    x = relu(batch_normalized(plain_convolution(x, filters)));
    x = excited(relu(batch_normalized(plain_convolution(x, filters))));
    x = layers::MaxPooling2D({.pool_size = 2})(x);
  }
  return Model({.inputs = picture, .outputs = class_of(x)});
}

}  // namespace cornu::inline v0::benchmarks
