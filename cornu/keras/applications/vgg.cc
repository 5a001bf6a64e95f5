#include "cornu/keras/applications/blocks_support.h"

namespace cornu::inline v0::keras::applications {
namespace {

/// The networks of K. Simonyan and A. Zisserman, "Very Deep Convolutional Networks for Large-Scale Image
/// Recognition", 2014: blocks of 3 x 3 convolutions.
Model build_vgg(const Arguments& a, const char* name, int convolutions_of_last_blocks) {
  const KerasTensor input = image_input(a, {224});
  KerasTensor x = input;
  const std::int64_t filters[] = {64, 128, 256, 512, 512};
  for (int block = 0; block < 5; ++block) {
    const std::string prefix = "block" + std::to_string(block + 1);
    for (int i = 1; i <= (block < 2 ? 2 : convolutions_of_last_blocks); ++i) {
      x = conv(x, prefix + "_conv" + std::to_string(i),
               {.filters = filters[block], .kernel = 3, .bias = true, .activation = "relu"});
    }
    x = max_pool(x, prefix + "_pool", {.size = 2});
  }
  if (!a.include_top) return finish(a, input, pooled(a, x), name);
  x = flatten(x, "flatten");
  x = dense(x, "fc1", 4096, "relu");
  x = dense(x, "fc2", 4096, "relu");
  return finish(a, input, dense(x, "predictions", a.classes, a.classifier_activation), name);
}

}  // namespace

VGG16::VGG16(const ApplicationOptions& options)
    : Model(build_vgg(arguments_of("VGG16", options), "vgg16", 3)) {}
VGG19::VGG19(const ApplicationOptions& options)
    : Model(build_vgg(arguments_of("VGG19", options), "vgg19", 4)) {}

}  // namespace cornu::inline v0::keras::applications
