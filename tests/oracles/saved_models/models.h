#pragma once

#include <functional>
#include <string>
#include <vector>

#include "cornu/keras/keras.h"

/// Models of Cornu's own making, compiled and with data to train on, for an oracle that opens what they
/// are saved as.
namespace cornu::inline v0::keras {

struct CheckedModel {
  Model model;
  Tensors x;
  Tensors y;
};

struct CheckedModelCase {
  std::string name;
  std::function<CheckedModel()> make;
  bool has_old_form = true;  // whether Keras itself can save it as .h5 and open that again
};

const std::vector<CheckedModelCase>& checked_models();

}  // namespace cornu::inline v0::keras
