#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "cornu/keras/distribution/distribution.h"
#include "cornu/tensor/trace/variable_parts.h"
#include "tests/strategies/training_cases_test_support.h"

// Layouts of the weights of models that are trained with and without a strategy.
namespace cornu::inline v0::keras {

/// Cuts each weight of the model along one of its dimensions, each next weight along another one.
inline distribution::LayoutMap layouts_of_all(const Case& it, const distribution::DeviceMesh& mesh) {
  clear_session();
  distribution::LayoutMap layouts(mesh);
  Sequential model = it.make();
  model.compile(it.options());
  const Flowers data(4);
  model.train_on_batch(data.x, data.class_id);
  std::size_t count = 0;
  for (const Variable& weight : model.trainable_weights()) {
    distribution::LayoutAxes axes(weight.shape().size());
    if (!axes.empty()) axes[count++ % axes.size()] = "model";
    layouts.set(weight.path(), axes);
  }
  return layouts;
}

inline std::size_t num_in_parts(const std::vector<Variable>& variables) {
  return static_cast<std::size_t>(std::count_if(variables.begin(), variables.end(), [](const Variable& each) {
    return detail::parts_of(each) != nullptr;
  }));
}

}  // namespace cornu::inline v0::keras
