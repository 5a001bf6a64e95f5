#pragma once

#include <deque>
#include <functional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "cornu/keras/network/network.h"
#include "cornu/keras/trainer/array_data.h"
#include "cornu/keras/trainer/compiled_parts.h"

namespace cornu::inline v0::keras {

/// Where the host reads a log from: a metric's variables, or a variable that holds the last step's value.
struct LogSource {
  std::string name;
  std::shared_ptr<Metric> metric;  // null: the variable
  Variable value;
};

/// The tools of one step, for ModelParts.
class ModelStepTools : public StepTools {
 public:
  explicit ModelStepTools(const ModelParts& parts) : parts_(parts) {}

  Optimizer& optimizer() override { return *parts_.optimizer; }
  std::span<const Variable> trainable_variables() override;
  void apply(std::span<const Tensor> gradients, std::span<const Variable> variables) override;
  Tensor compute_loss(const StepData& data, const Tensors& y_pred) override;
  StepLogs compute_metrics(const StepData& data, const Tensors& y_pred, const Tensor& loss) override;

  /// The sources of what the step reported, by name. Results of metrics are read from the metrics; other
  /// values go into variables, new ones where `known` has none of that name and type.
  /// Errors: InvalidArgument for a log that is undefined or comes twice.
  std::vector<LogSource> log_sources(const StepLogs& logs, const std::vector<LogSource>& known) const;

 private:
  const ModelParts& parts_;
  /// All lists that were given out, where the network is built by its own step.
  std::deque<std::vector<Variable>> trainable_;
  StepLogs results_;            // of compute_metrics
  std::vector<Tensor> losses_;  // of compute_loss
};

/// The arrays of a batch as a step takes them: floating-point ones in the dtype that models train in.
StepData step_data(const ArrayData& batch, const RowMask& rows);

/// Floating-point data are trained on in f32, as Keras's floatx; integers and booleans go to the model as
/// they are.
TensorType model_type(TensorType type);

// One step of the network, traced or op by op. Values that it reports go into the variables of `known` where
// it has the name.
/// `assigned`: the variables that the step has assigned so far; asked only where updates are looked at.
std::vector<LogSource> train_step(const ModelParts& parts, const StepData& data,
                                  const std::vector<LogSource>& known,
                                  const std::function<std::vector<Variable>()>& assigned);
/// `only_read`: what a training step read and did not assign.
/// Errors: FailedPrecondition when one is trainable and no weight of the network: nothing would ever train
/// it. Most often it is of a layer that was not given to track().
void refuse_untracked(const Layer& network, std::span<const Variable> only_read);
std::vector<LogSource> test_step(const ModelParts& parts, const StepData& data,
                                 const std::vector<LogSource>& known);
Tensors predict_step(const ModelParts& parts, const StepData& data);

}  // namespace cornu::inline v0::keras
