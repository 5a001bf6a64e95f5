#include <array>

#include "cornu/keras/config/registry_support.h"
#include "cornu/keras/layer/field_values_support.h"
#include "cornu/keras/layers/applications/application_layers_support.h"

namespace cornu::inline v0::keras::saving {

std::span<const ClassRow<Layer>> application_rows() {
  using namespace layers;
  static const std::array kRows = {
      row_of<Layer, LayerScale, LayerScaleOptions>("LayerScale"),
      row_of<Layer, StochasticDepth, StochasticDepthOptions>("StochasticDepth"),
      row_of<Layer, CustomScaleLayer, CustomScaleLayerOptions>("CustomScaleLayer")};
  return kRows;
}

const char* application_module(std::string_view class_name) {
  if (class_name == "LayerScale" || class_name == "StochasticDepth") return "keras.src.applications.convnext";
  if (class_name == "CustomScaleLayer") return "keras.src.applications.inception_resnet_v2";
  return nullptr;
}

}  // namespace cornu::inline v0::keras::saving
