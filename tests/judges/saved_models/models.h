#pragma once

#include <functional>
#include <string>
#include <vector>

#include "cornu/keras/keras.h"

/// Models of Cornu's own making, compiled and with data to train on, for a judge that opens what they
/// are saved as.
namespace cornu::inline v0::keras {

struct JudgedModel {
  Model model;
  Tensors x;
  Tensors y;
};

struct JudgedModelCase {
  std::string name;
  std::function<JudgedModel()> make;
  bool has_old_form = true;  // whether Keras itself can save it as .h5 and open that again
};

const std::vector<JudgedModelCase>& judged_models();

}  // namespace cornu::inline v0::keras
