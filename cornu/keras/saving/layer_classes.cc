#include <vector>

#include "cornu/keras/config/registry_support.h"
#include "cornu/keras/layer/field_values_support.h"
#include "cornu/keras/layers/layers.h"

namespace cornu::inline v0::keras::saving {

template <>
std::span<const ClassRow<Layer>> class_rows<Layer>() {
  static const auto& rows = *new std::vector<ClassRow<Layer>>([] {
    std::vector<ClassRow<Layer>> all(composite_rows().begin(), composite_rows().end());
    all.insert(all.end(), application_rows().begin(), application_rows().end());
#define CORNU_CLASSES_LAYERS
#define CORNU_CLASS(family, name, options) all.push_back(row_of<Layer, family::name, options>(#name));
#include "cornu/keras/saving/classes.inc"
#undef CORNU_CLASS
#undef CORNU_CLASSES_LAYERS
    return all;
  }());
  return rows;
}

}  // namespace cornu::inline v0::keras::saving
