#include <memory>

#include "benchmarks/functions/cases.h"

namespace cornu::inline v0::benchmarks {
namespace {

using Results = std::vector<Tensor>;
namespace layers = keras::layers;

/// The outputs of a layer, and the gradients of their sum with respect to its weights.
void add_recurrent(std::vector<FunctionCase>& all, const char* name, const keras::LayerHandle& layer,
                   const Tensor& x) {
  layer(x);  // builds it
  all.push_back({name, {x}, [layer](const Results& v) -> Results { return {layer(v[0])}; }});
  all.push_back({std::string(name) + "_gradient", {x}, [layer](const Results& v) -> Results {
                   GradientTape tape;
                   const Tensor loss = ops::sum(layer(v[0], {.training = true}));
                   return tape.gradient(loss, layer.trainable_variables());
                 }});
}

void add_ctc(std::vector<FunctionCase>& all) {
  const Tensor target = ops::cast(numbers({32, 32}, 62), DType::kI32) + 1, output = numbers({32, 128, 64});
  const Tensor target_length = ops::full({32}, 24, {.dtype = DType::kI32}),
               output_length = ops::full({32}, 120, {.dtype = DType::kI32});
  const std::vector<Tensor> inputs = {target, output, target_length, output_length};
  all.push_back({"ctc_loss", inputs,
                 [](const Results& x) -> Results { return {ops::ctc_loss(x[0], x[1], x[2], x[3])}; }});
  all.push_back({"ctc_loss_gradient", inputs, [](const Results& x) -> Results {
                   GradientTape tape;
                   tape.watch(x[1]);
                   return {tape.gradient(ops::sum(ops::ctc_loss(x[0], x[1], x[2], x[3])), x[1])};
                 }});
  all.push_back({"ctc_decode", {output, output_length}, [](const Results& x) -> Results {
                   const auto [decoded, scores] = ops::ctc_decode(x[0], x[1]);
                   return {decoded, scores};
                 }});
}

void add_augmentation(std::vector<FunctionCase>& all) {
  const Tensor images = numbers({8, 224, 224, 3}, 255);
  const auto add = [&](const char* name, const keras::LayerHandle& layer) {
    layer(images, {.training = true});
    all.push_back(
        {name, {images}, [layer](const Results& x) -> Results { return {layer(x[0], {.training = true})}; }});
  };
  add("RandomFlip", layers::RandomFlip());
  add("RandomRotation", layers::RandomRotation({.factor = 0.1}));
  add("RandomZoom", layers::RandomZoom({.height_factor = 0.2}));
  add("RandomTranslation", layers::RandomTranslation({.height_factor = 0.1, .width_factor = 0.1}));
  add("RandomShear", layers::RandomShear({.x_factor = 0.2, .y_factor = 0.2}));
  add("RandomPerspective", layers::RandomPerspective());
  add("RandomCrop", layers::RandomCrop({.height = 200, .width = 200}));
  add("RandomContrast", layers::RandomContrast({.factor = 0.3}));
  add("RandomBrightness", layers::RandomBrightness({.factor = 0.3}));
  add("RandomHue", layers::RandomHue({.factor = 0.3}));
  add("RandomSaturation", layers::RandomSaturation({.factor = 0.3}));
  add("RandomSharpness", layers::RandomSharpness({.factor = 0.3}));
  add("RandomGrayscale", layers::RandomGrayscale());
  add("RandomPosterization", layers::RandomPosterization({.factor = 4.0}));
  add("RandomErasing", layers::RandomErasing());
  add("RandomGaussianBlur", layers::RandomGaussianBlur());
  add("RandomColorJitter",
      layers::RandomColorJitter(
          {.brightness_factor = 0.2, .contrast_factor = 0.2, .saturation_factor = 0.2, .hue_factor = 0.2}));
  add("RandomElasticTransform", layers::RandomElasticTransform());
  add("Solarization", layers::Solarization({.addition_factor = 0.2, .threshold_factor = 0.2}));
  add("AutoContrast", layers::AutoContrast());
  add("Equalization", layers::Equalization());
  add("MixUp", layers::MixUp());
  add("CutMix", layers::CutMix());
}

}  // namespace

std::vector<FunctionCase> layer_cases() {
  std::vector<FunctionCase> all;
  add_recurrent(all, "ConvLSTM1D", layers::ConvLSTM1D({.filters = 32, .kernel_size = 3, .padding = "same"}),
                numbers({16, 16, 64, 16}));
  add_recurrent(all, "ConvLSTM2D", layers::ConvLSTM2D({.filters = 16, .kernel_size = 3, .padding = "same"}),
                numbers({4, 8, 32, 32, 8}));
  add_ctc(all);
  const Tensor sound = numbers({8, 16000});
  for (const auto& [name, layer] :
       {std::pair<const char*, keras::LayerHandle>{"MelSpectrogram", layers::MelSpectrogram()},
        {"STFTSpectrogram", layers::STFTSpectrogram()}}) {
    const Tensor x = name[0] == 'M' ? sound : ops::reshape(sound, {8, 16000, 1});
    layer(x);
    all.push_back({name, {x}, [layer = layer](const Results& v) -> Results { return {layer(v[0])}; }});
  }
  add_augmentation(all);
  return all;
}

}  // namespace cornu::inline v0::benchmarks
