#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "cornu/keras/layer/layer.h"
#include "tests/keras_cases/case_values.h"

namespace cornu::inline v0::tests {

enum class Outcome { kSame, kRefused, kDifferent };

struct Replayed {
  Outcome outcome = Outcome::kSame;
  std::string message = {};  // of the error or the difference
};

/// Makes the object of a case, computes what is recorded outside and inside a compiled function, and compares.
Replayed replay(const Config& recorded);

// The cases of each kind. Errors: Error for an object or a call that Cornu refuses, Difference.
void replay_layer(const Config& recorded);
/// A function as a model of one operation; without a model where the number of results follows from values, or where the
/// function runs on the host.
void replay_op(const Config& recorded);
void replay_loss(const Config& recorded);
void replay_regularizer(const Config& recorded);
void replay_constraint(const Config& recorded);
void replay_schedule(const Config& recorded);
void replay_initializer(const Config& recorded);
/// Layers that map texts or integers on the host; false for others.
bool replay_elements(const Config& recorded);
/// Layers of images that get a dictionary with boxes, masks or labels, outside of compiled functions; false for others.
bool replay_labeled_images(const Config& recorded);
/// Adapts the layer to the data of the case, or sets the vocabulary of the case, if it has one.
void teach_as_recorded(const std::shared_ptr<keras::Layer>& layer, const Config& recorded);
/// Steps of a compiled model on one batch.
void replay_training(const Config& recorded);
/// Epochs over several batches, then evaluate and predict.
void replay_fit(const Config& recorded);
void replay_metric(const Config& recorded);
void replay_optimizer(const Config& recorded);

/// Computes a function of tensors and, with recorded cotangents, its gradients; outside and inside a compiled
/// function.
void replay_function(const Config& recorded, const std::vector<Tensor>& inputs,
                     const std::function<std::vector<Tensor>(const std::vector<Tensor>&)>& function);

}  // namespace cornu::inline v0::tests
