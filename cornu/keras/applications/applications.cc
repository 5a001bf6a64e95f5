#include <algorithm>
#include <array>

#include "cornu/base/check.h"
#include "cornu/base/nearest_names.h"
#include "cornu/keras/applications/applications.h"

namespace cornu::inline v0::keras::applications {
namespace {

struct Entry {
  const char* name;
  Model (*make)(const ApplicationOptions&);
};

/// Options of a family, which begin with those of all networks.
template <typename Network, typename Options = ApplicationOptions>
Model made(const ApplicationOptions& o) {
  return Network(Options{.include_top = o.include_top,
                         .weights = o.weights,
                         .input_tensor = o.input_tensor,
                         .input_shape = o.input_shape,
                         .pooling = o.pooling,
                         .classes = o.classes,
                         .classifier_activation = o.classifier_activation,
                         .name = o.name});
}

constexpr Entry kNetworks[] = {
    {"ConvNeXtBase", made<ConvNeXtBase, ConvNeXtOptions>},
    {"ConvNeXtLarge", made<ConvNeXtLarge, ConvNeXtOptions>},
    {"ConvNeXtSmall", made<ConvNeXtSmall, ConvNeXtOptions>},
    {"ConvNeXtTiny", made<ConvNeXtTiny, ConvNeXtOptions>},
    {"ConvNeXtXLarge", made<ConvNeXtXLarge, ConvNeXtOptions>},
    {"DenseNet121", made<DenseNet121>},
    {"DenseNet169", made<DenseNet169>},
    {"DenseNet201", made<DenseNet201>},
    {"EfficientNetB0", made<EfficientNetB0>},
    {"EfficientNetB1", made<EfficientNetB1>},
    {"EfficientNetB2", made<EfficientNetB2>},
    {"EfficientNetB3", made<EfficientNetB3>},
    {"EfficientNetB4", made<EfficientNetB4>},
    {"EfficientNetB5", made<EfficientNetB5>},
    {"EfficientNetB6", made<EfficientNetB6>},
    {"EfficientNetB7", made<EfficientNetB7>},
    {"EfficientNetV2B0", made<EfficientNetV2B0, EfficientNetV2Options>},
    {"EfficientNetV2B1", made<EfficientNetV2B1, EfficientNetV2Options>},
    {"EfficientNetV2B2", made<EfficientNetV2B2, EfficientNetV2Options>},
    {"EfficientNetV2B3", made<EfficientNetV2B3, EfficientNetV2Options>},
    {"EfficientNetV2L", made<EfficientNetV2L, EfficientNetV2Options>},
    {"EfficientNetV2M", made<EfficientNetV2M, EfficientNetV2Options>},
    {"EfficientNetV2S", made<EfficientNetV2S, EfficientNetV2Options>},
    {"InceptionResNetV2", made<InceptionResNetV2>},
    {"InceptionV3", made<InceptionV3>},
    {"MobileNet", made<MobileNet, MobileNetOptions>},
    {"MobileNetV2", made<MobileNetV2, MobileNetV2Options>},
    {"MobileNetV3Large", made<MobileNetV3Large, MobileNetV3Options>},
    {"MobileNetV3Small", made<MobileNetV3Small, MobileNetV3Options>},
    {"NASNetLarge", made<NASNetLarge>},
    {"NASNetMobile", made<NASNetMobile>},
    {"ResNet101", made<ResNet101>},
    {"ResNet101V2", made<ResNet101V2>},
    {"ResNet152", made<ResNet152>},
    {"ResNet152V2", made<ResNet152V2>},
    {"ResNet50", made<ResNet50>},
    {"ResNet50V2", made<ResNet50V2>},
    {"VGG16", made<VGG16>},
    {"VGG19", made<VGG19>},
    {"Xception", made<Xception>},
};

}  // namespace

std::span<const char* const> names() {
  static const auto kNames = [] {
    std::array<const char*, std::size(kNetworks)> names{};
    std::ranges::transform(kNetworks, names.begin(), &Entry::name);
    return names;
  }();
  return kNames;
}

Model make(const StringArgument& name, const ApplicationOptions& options) {
  const auto* entry = std::ranges::find(kNetworks, std::string_view(name), &Entry::name);
  if (entry != std::end(kNetworks)) return entry->make(options);
  const std::vector<std::string> known(names().begin(), names().end());
  invalid_argument({.argument = "name"}, "[applications::make] there is no network \"{}\"; {}",
                   std::string_view(name), name_proposal(name, known));
}

}  // namespace cornu::inline v0::keras::applications
