#include <array>

#include "cornu/keras/config/registry_support.h"
#include "cornu/keras/layer/field_values_support.h"
#include "cornu/keras/layers/applications/application_layers_support.h"

namespace cornu::inline v0::keras::saving {

std::span<const ClassRow<Layer>> application_rows() {
  using namespace layers;
// A class and its module in keras.applications.
#define CORNU_APPLICATION_CLASS(name, module) \
  row_of<Layer, name, name##Options>(#name, "keras.src.applications." module)
  static const std::array kRows = {CORNU_APPLICATION_CLASS(LayerScale, "convnext"),
                                   CORNU_APPLICATION_CLASS(StochasticDepth, "convnext"),
                                   CORNU_APPLICATION_CLASS(CustomScaleLayer, "inception_resnet_v2")};
#undef CORNU_APPLICATION_CLASS
  return kRows;
}

}  // namespace cornu::inline v0::keras::saving
