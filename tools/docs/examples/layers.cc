#include "tools/docs/examples/examples.h"

#include "cornu/cornu.h"

namespace reference_examples {

using namespace cornu;
using namespace cornu::keras;

void core_layers() {
  show("Activation", layers::Activation("relu")(ops::ones({2, 3})), {2, 3});
  show("ActivityRegularization", layers::ActivityRegularization({.l2 = 0.01})(ops::ones({2, 3})), {2, 3});
  show("Dense", layers::Dense({.units = 4, .activation = "relu"})(ops::ones({2, 3})), {2, 4});
  show("EinsumDense",
       layers::EinsumDense({.equation = "abc,cd->abd", .output_shape = {5, 4}, .bias_axes = "d"})(
           ops::ones({2, 5, 3})),
       {2, 5, 4});
  show("Embedding", layers::Embedding({.input_dim = 100, .output_dim = 8})(ops::ones({2, 5})), {2, 5, 8});
  show("ReversibleEmbedding",
       layers::ReversibleEmbedding({.input_dim = 100, .output_dim = 8})(ops::ones({2, 5, 8}),
                                                                        {.reverse = true}),
       {2, 5, 100});
  show("Identity", layers::Identity()(ops::ones({2, 3})), {2, 3});
  show("Lambda", layers::Lambda([](const Tensor& x) { return ops::square(x); })(ops::ones({2, 3})), {2, 3});
  show("Masking", layers::Masking({.mask_value = 0.0})(ops::ones({2, 5, 3})), {2, 5, 3});
  show("ReLU", layers::ReLU({.max_value = 6.0})(ops::ones({2, 3})), {2, 3});
  show("LeakyReLU", layers::LeakyReLU({.negative_slope = 0.1})(ops::ones({2, 3})), {2, 3});
  show("PReLU", layers::PReLU()(ops::ones({2, 3})), {2, 3});
  show("ELU", layers::ELU({.alpha = 1.0})(ops::ones({2, 3})), {2, 3});
  show("Softmax", layers::Softmax({.axis = -1})(ops::ones({2, 3})), {2, 3});
  show("UnitNormalization", layers::UnitNormalization({.axis = -1})(ops::ones({2, 3})), {2, 3});
  show("Input", Input({.shape = {3}}), {kUnknown, 3});
}

void convolutions() {
  show("Conv1D", layers::Conv1D({.filters = 8, .kernel_size = 3})(ops::ones({2, 10, 4})), {2, 8, 8});
  show("Conv2D",
       layers::Conv2D({.filters = 8, .kernel_size = 3, .padding = "same"})(ops::ones({2, 10, 10, 3})),
       {2, 10, 10, 8});
  show("Conv3D", layers::Conv3D({.filters = 8, .kernel_size = 3})(ops::ones({2, 6, 6, 6, 3})),
       {2, 4, 4, 4, 8});
  show("Conv1DTranspose", layers::Conv1DTranspose({.filters = 8, .kernel_size = 3})(ops::ones({2, 10, 4})),
       {2, 12, 8});
  show("Conv2DTranspose",
       layers::Conv2DTranspose({.filters = 8, .kernel_size = 2, .strides = 2})(ops::ones({2, 5, 5, 3})),
       {2, 10, 10, 8});
  show("Conv3DTranspose",
       layers::Conv3DTranspose({.filters = 8, .kernel_size = 2})(ops::ones({2, 4, 4, 4, 3})),
       {2, 5, 5, 5, 8});
  show("DepthwiseConv1D", layers::DepthwiseConv1D({.kernel_size = 3})(ops::ones({2, 10, 4})), {2, 8, 4});
  show("DepthwiseConv2D",
       layers::DepthwiseConv2D({.kernel_size = 3, .depth_multiplier = 2})(ops::ones({2, 10, 10, 3})),
       {2, 8, 8, 6});
  show("SeparableConv1D", layers::SeparableConv1D({.filters = 8, .kernel_size = 3})(ops::ones({2, 10, 4})),
       {2, 8, 8});
  show("SeparableConv2D",
       layers::SeparableConv2D({.filters = 8, .kernel_size = 3})(ops::ones({2, 10, 10, 3})), {2, 8, 8, 8});
  show("MaxPooling1D", layers::MaxPooling1D({.pool_size = 2})(ops::ones({2, 10, 4})), {2, 5, 4});
  show("MaxPooling2D", layers::MaxPooling2D({.pool_size = 2})(ops::ones({2, 10, 10, 3})), {2, 5, 5, 3});
  show("MaxPooling3D", layers::MaxPooling3D({.pool_size = 2})(ops::ones({2, 4, 4, 4, 3})), {2, 2, 2, 2, 3});
  show("AveragePooling1D", layers::AveragePooling1D({.pool_size = 2})(ops::ones({2, 10, 4})), {2, 5, 4});
  show("AveragePooling2D",
       layers::AveragePooling2D({.pool_size = 3, .strides = 1, .padding = "same"})(ops::ones({2, 10, 10, 3})),
       {2, 10, 10, 3});
  show("AveragePooling3D", layers::AveragePooling3D({.pool_size = 2})(ops::ones({2, 4, 4, 4, 3})),
       {2, 2, 2, 2, 3});
  show("AdaptiveMaxPooling1D", layers::AdaptiveMaxPooling1D({.output_size = 3})(ops::ones({2, 10, 4})),
       {2, 3, 4});
  show("AdaptiveMaxPooling2D", layers::AdaptiveMaxPooling2D({.output_size = 3})(ops::ones({2, 10, 10, 4})),
       {2, 3, 3, 4});
  show("AdaptiveMaxPooling3D", layers::AdaptiveMaxPooling3D({.output_size = 2})(ops::ones({2, 4, 4, 4, 3})),
       {2, 2, 2, 2, 3});
  show("AdaptiveAveragePooling1D",
       layers::AdaptiveAveragePooling1D({.output_size = 3})(ops::ones({2, 10, 4})), {2, 3, 4});
  show("AdaptiveAveragePooling2D",
       layers::AdaptiveAveragePooling2D({.output_size = 3})(ops::ones({2, 10, 10, 4})), {2, 3, 3, 4});
  show("AdaptiveAveragePooling3D",
       layers::AdaptiveAveragePooling3D({.output_size = 2})(ops::ones({2, 4, 4, 4, 3})), {2, 2, 2, 2, 3});
  show("GlobalMaxPooling1D", layers::GlobalMaxPooling1D()(ops::ones({2, 10, 4})), {2, 4});
  show("GlobalMaxPooling2D", layers::GlobalMaxPooling2D()(ops::ones({2, 10, 10, 3})), {2, 3});
  show("GlobalMaxPooling3D", layers::GlobalMaxPooling3D()(ops::ones({2, 4, 4, 4, 3})), {2, 3});
  show("GlobalAveragePooling1D", layers::GlobalAveragePooling1D()(ops::ones({2, 10, 4})), {2, 4});
  show("GlobalAveragePooling2D",
       layers::GlobalAveragePooling2D({.keepdims = true})(ops::ones({2, 10, 10, 3})), {2, 1, 1, 3});
  show("GlobalAveragePooling3D", layers::GlobalAveragePooling3D()(ops::ones({2, 4, 4, 4, 3})), {2, 3});
}

void recurrent_layers() {
  show("LSTM", layers::LSTM({.units = 8, .return_sequences = true})(ops::ones({2, 5, 3})), {2, 5, 8});
  show("GRU", layers::GRU({.units = 8})(ops::ones({2, 5, 3})), {2, 8});
  show("SimpleRNN", layers::SimpleRNN({.units = 8})(ops::ones({2, 5, 3})), {2, 8});
  show("ConvLSTM1D", layers::ConvLSTM1D({.filters = 4, .kernel_size = 3})(ops::ones({2, 5, 8, 3})),
       {2, 6, 4});
  show("ConvLSTM2D",
       layers::ConvLSTM2D({.filters = 4, .kernel_size = 3, .padding = "same", .return_sequences = true})(
           ops::ones({2, 5, 8, 8, 3})),
       {2, 5, 8, 8, 4});
  show("ConvLSTM3D", layers::ConvLSTM3D({.filters = 4, .kernel_size = 2})(ops::ones({2, 3, 4, 4, 4, 3})),
       {2, 3, 3, 3, 4});
  show("RNN", layers::RNN(layers::LSTMCell({.units = 8}))(ops::ones({2, 5, 3})), {2, 8});
  show("LSTMCell", layers::RNN(layers::LSTMCell({.units = 8}))(ops::ones({2, 5, 3})), {2, 8});
  show("GRUCell", layers::RNN(layers::GRUCell({.units = 8}))(ops::ones({2, 5, 3})), {2, 8});
  show("SimpleRNNCell", layers::RNN(layers::SimpleRNNCell({.units = 8}))(ops::ones({2, 5, 3})), {2, 8});
  show("StackedRNNCells",
       layers::RNN(layers::StackedRNNCells({layers::GRUCell({.units = 8}), layers::GRUCell({.units = 4})}))(
           ops::ones({2, 5, 3})),
       {2, 4});
  show("Bidirectional", layers::Bidirectional(layers::LSTM({.units = 8}))(ops::ones({2, 5, 3})), {2, 16});
  show("TimeDistributed", layers::TimeDistributed(layers::Dense({.units = 4}))(ops::ones({2, 5, 3})),
       {2, 5, 4});
}

void attention() {
  const Tensor query = ops::ones({2, 4, 8});
  const Tensor value = ops::ones({2, 6, 8});
  show("Attention", layers::Attention()({query, value}), {2, 4, 8});
  show("AdditiveAttention", layers::AdditiveAttention()({query, value}), {2, 4, 8});
  show("MultiHeadAttention", layers::MultiHeadAttention({.num_heads = 2, .key_dim = 4})({query, value}),
       {2, 4, 8});
  show("GroupQueryAttention",
       layers::GroupQueryAttention({.head_dim = 4, .num_query_heads = 4, .num_key_value_heads = 2})(
           {query, value}),
       {2, 4, 8});
}

void normalization_and_regularization() {
  show("BatchNormalization", layers::BatchNormalization({.momentum = 0.9})(ops::ones({2, 3})), {2, 3});
  show("LayerNormalization", layers::LayerNormalization()(ops::ones({2, 3})), {2, 3});
  show("GroupNormalization", layers::GroupNormalization({.groups = 2})(ops::ones({2, 5, 4})), {2, 5, 4});
  show("RMSNormalization", layers::RMSNormalization()(ops::ones({2, 3})), {2, 3});
  show("SpectralNormalization",
       layers::SpectralNormalization(layers::Dense({.units = 4}))(ops::ones({2, 3}), {.training = true}),
       {2, 4});
  show("Dropout", layers::Dropout({.rate = 0.5})(ops::ones({2, 3}), {.training = true}), {2, 3});
  show("AlphaDropout", layers::AlphaDropout({.rate = 0.1})(ops::ones({2, 3}), {.training = true}), {2, 3});
  show("GaussianDropout", layers::GaussianDropout({.rate = 0.1})(ops::ones({2, 3}), {.training = true}),
       {2, 3});
  show("GaussianNoise", layers::GaussianNoise({.stddev = 0.1})(ops::ones({2, 3}), {.training = true}),
       {2, 3});
  show("SpatialDropout1D", layers::SpatialDropout1D({.rate = 0.5})(ops::ones({2, 5, 3}), {.training = true}),
       {2, 5, 3});
  show("SpatialDropout2D",
       layers::SpatialDropout2D({.rate = 0.5})(ops::ones({2, 5, 5, 3}), {.training = true}), {2, 5, 5, 3});
  show("SpatialDropout3D",
       layers::SpatialDropout3D({.rate = 0.5})(ops::ones({2, 4, 4, 4, 3}), {.training = true}),
       {2, 4, 4, 4, 3});
}

void shapes_and_merging() {
  const Tensor a = ops::ones({2, 3});
  const Tensor b = ops::ones({2, 3});
  show("Add", layers::Add()({a, b}), {2, 3});
  show("Subtract", layers::Subtract()({a, b}), {2, 3});
  show("Multiply", layers::Multiply()({a, b}), {2, 3});
  show("Average", layers::Average()({a, b}), {2, 3});
  show("Maximum", layers::Maximum()({a, b}), {2, 3});
  show("Minimum", layers::Minimum()({a, b}), {2, 3});
  show("Concatenate", layers::Concatenate({.axis = -1})({a, b}), {2, 6});
  show("Dot", layers::Dot({.axes = 1})({a, b}), {2, 1});
  show("Flatten", layers::Flatten()(ops::ones({2, 4, 3})), {2, 12});
  show("Reshape", layers::Reshape({.target_shape = {2, -1}})(ops::ones({2, 6})), {2, 2, 3});
  show("Permute", layers::Permute({.dims = {2, 1}})(ops::ones({2, 4, 3})), {2, 3, 4});
  show("RepeatVector", layers::RepeatVector({.n = 4})(ops::ones({2, 3})), {2, 4, 3});
  show("Cropping1D", layers::Cropping1D({.cropping = 1})(ops::ones({2, 5, 3})), {2, 3, 3});
  show("Cropping2D", layers::Cropping2D({.cropping = {{1, 2}, {0, 1}}})(ops::ones({2, 8, 8, 3})),
       {2, 5, 7, 3});
  show("Cropping3D", layers::Cropping3D({.cropping = 1})(ops::ones({2, 4, 4, 4, 3})), {2, 2, 2, 2, 3});
  show("ZeroPadding1D", layers::ZeroPadding1D({.padding = 1})(ops::ones({2, 5, 3})), {2, 7, 3});
  show("ZeroPadding2D", layers::ZeroPadding2D({.padding = 1})(ops::ones({2, 8, 8, 3})), {2, 10, 10, 3});
  show("ZeroPadding3D", layers::ZeroPadding3D({.padding = 1})(ops::ones({2, 4, 4, 4, 3})), {2, 6, 6, 6, 3});
  show("UpSampling1D", layers::UpSampling1D({.size = 2})(ops::ones({2, 5, 3})), {2, 10, 3});
  show("UpSampling2D",
       layers::UpSampling2D({.size = 2, .interpolation = "bilinear"})(ops::ones({2, 4, 4, 3})), {2, 8, 8, 3});
  show("UpSampling3D", layers::UpSampling3D({.size = 2})(ops::ones({2, 2, 2, 2, 3})), {2, 4, 4, 4, 3});
}

void preprocessing_layers() {
  const data::Strings words{"red", "blue", "red"};
  show("CategoryEncoding",
       layers::CategoryEncoding({.num_tokens = 4, .output_mode = "one_hot"})(
           Tensor::of<std::int64_t>({3}, {0, 2, 3})),
       {3, 4});
  show("Discretization",
       layers::Discretization({.bin_boundaries = {{0.0, 1.0, 2.0}}})(
           Tensor::of<float>({2, 2}, {-1, 0.5, 1.5, 3})),
       {2, 2});
  show("Hashing", layers::Hashing({.num_bins = 8})(words), {3});
  show("HashedCrossing", layers::HashedCrossing({.num_bins = 8})(data::Element({words, words})), {3});
  show("StringLookup", layers::StringLookup({.vocabulary = {"red", "green", "blue"}})(words), {3});
  show("IntegerLookup",
       layers::IntegerLookup({.vocabulary = {10, 20, 30}})(Tensor::of<std::int64_t>({3}, {10, 30, 50})), {3});
  show(
      "TextVectorization",
      layers::TextVectorization({.output_sequence_length = 4, .vocabulary = {"red", "green", "blue"}})(words),
      {3, 4});
  show("Normalization", layers::Normalization({.mean = 0.5, .variance = 0.25})(ops::ones({2, 3})), {2, 3});
  show("Rescaling", layers::Rescaling({.scale = 1.0 / 255})(ops::ones({2, 8, 8, 3})), {2, 8, 8, 3});
  show("Resizing", layers::Resizing({.height = 4, .width = 6})(ops::ones({2, 8, 8, 3})), {2, 4, 6, 3});
  show("CenterCrop", layers::CenterCrop({.height = 4, .width = 6})(ops::ones({2, 8, 8, 3})), {2, 4, 6, 3});
  show("RandomGrayscale", layers::RandomGrayscale()(ops::ones({2, 8, 8, 3}), {.training = true}),
       {2, 8, 8, 3});
  show("RandomInvert", layers::RandomInvert()(ops::ones({2, 8, 8, 3}), {.training = true}), {2, 8, 8, 3});
  show("RandomPosterization",
       layers::RandomPosterization({.factor = 4})(ops::ones({2, 8, 8, 3}), {.training = true}), {2, 8, 8, 3});
  show("RandomHue", layers::RandomHue({.factor = 0.2})(ops::ones({2, 8, 8, 3}), {.training = true}),
       {2, 8, 8, 3});
  show("RandomSaturation",
       layers::RandomSaturation({.factor = 0.2})(ops::ones({2, 8, 8, 3}), {.training = true}), {2, 8, 8, 3});
  show("RandomColorDegeneration",
       layers::RandomColorDegeneration({.factor = 0.2})(ops::ones({2, 8, 8, 3}), {.training = true}),
       {2, 8, 8, 3});
  show("RandomSharpness",
       layers::RandomSharpness({.factor = 0.2})(ops::ones({2, 8, 8, 3}), {.training = true}), {2, 8, 8, 3});
  show("Solarization", layers::Solarization()(ops::ones({2, 8, 8, 3}), {.training = true}), {2, 8, 8, 3});
  show("AutoContrast", layers::AutoContrast()(ops::ones({2, 8, 8, 3}), {.training = true}), {2, 8, 8, 3});
  show("RandomShear", layers::RandomShear({.x_factor = 0.2})(ops::ones({2, 8, 8, 3}), {.training = true}),
       {2, 8, 8, 3});
  show("RandomPerspective",
       layers::RandomPerspective({.scale = 0.5})(ops::ones({2, 8, 8, 3}), {.training = true}), {2, 8, 8, 3});
  show("RandomErasing", layers::RandomErasing()(ops::ones({2, 8, 8, 3}), {.training = true}), {2, 8, 8, 3});
  show("RandomGaussianBlur",
       layers::RandomGaussianBlur({.kernel_size = 3})(ops::ones({2, 8, 8, 3}), {.training = true}),
       {2, 8, 8, 3});
  show("RandomColorJitter",
       layers::RandomColorJitter({.brightness_factor = 0.2})(ops::ones({2, 8, 8, 3}), {.training = true}),
       {2, 8, 8, 3});
  show("Equalization", layers::Equalization()(ops::ones({2, 8, 8, 3}), {.training = true}), {2, 8, 8, 3});
  show("ContrastLimitedAdaptiveHistogramEqualization",
       layers::ContrastLimitedAdaptiveHistogramEqualization({.tile_grid_size = {2, 2}})(
           ops::ones({2, 8, 8, 3}), {.training = true}),
       {2, 8, 8, 3});
  show("MixUp", layers::MixUp()(ops::ones({2, 8, 8, 3}), {.training = true}), {2, 8, 8, 3});
  show("CutMix", layers::CutMix()(ops::ones({2, 8, 8, 3}), {.training = true}), {2, 8, 8, 3});
  show("RandAugment", layers::RandAugment()(ops::ones({2, 8, 8, 3}), {.training = true}), {2, 8, 8, 3});
  show("AugMix", layers::AugMix()(ops::ones({2, 8, 8, 3}), {.training = true}), {2, 8, 8, 3});
  show("RandomElasticTransform",
       layers::RandomElasticTransform()(ops::ones({2, 8, 8, 3}), {.training = true}), {2, 8, 8, 3});
  show("MaxNumBoundingBoxes",
       layers::MaxNumBoundingBoxes({.max_number = 5})
           .call_many({ops::ones({2, 8, 8, 3}), ops::ones({2, 3, 4}), ops::ones({2, 3})})[1],
       {2, 5, 4});
  show("STFTSpectrogram", layers::STFTSpectrogram({.frame_length = 16})(ops::ones({2, 40, 1})), {2, 4, 9});
  show("MelSpectrogram",
       layers::MelSpectrogram({.fft_length = 64, .sequence_stride = 32, .num_mel_bins = 8})(
           ops::ones({2, 320})),
       {2, 8, 11});
  show("Pipeline",
       layers::Pipeline({layers::RandomFlip(), layers::Rescaling({.scale = 1 / 255.0})})(
           ops::ones({2, 8, 8, 3})),
       {2, 8, 8, 3});
  show("RandomBrightness",
       layers::RandomBrightness({.factor = 0.2})(ops::ones({2, 8, 8, 3}), {.training = true}), {2, 8, 8, 3});
  show("RandomContrast", layers::RandomContrast({.factor = 0.2})(ops::ones({2, 8, 8, 3}), {.training = true}),
       {2, 8, 8, 3});
  show("RandomCrop",
       layers::RandomCrop({.height = 4, .width = 4})(ops::ones({2, 8, 8, 3}), {.training = true}),
       {2, 4, 4, 3});
  show("RandomFlip", layers::RandomFlip({.mode = "horizontal"})(ops::ones({2, 8, 8, 3}), {.training = true}),
       {2, 8, 8, 3});
  show("RandomRotation", layers::RandomRotation({.factor = 0.1})(ops::ones({2, 8, 8, 3}), {.training = true}),
       {2, 8, 8, 3});
  show("RandomTranslation",
       layers::RandomTranslation({.height_factor = 0.1, .width_factor = 0.1})(ops::ones({2, 8, 8, 3}),
                                                                              {.training = true}),
       {2, 8, 8, 3});
  show("RandomZoom", layers::RandomZoom({.height_factor = 0.2})(ops::ones({2, 8, 8, 3}), {.training = true}),
       {2, 8, 8, 3});
}

}  // namespace reference_examples
