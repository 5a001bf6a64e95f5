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

/// The source from which the host reads a log: a metric's variables, or a variable that holds the last step's
/// value.
struct LogSource {
  std::string name;
  std::shared_ptr<Metric> metric;  // null: read `value`
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

  /// The sources of the logs that the step reported, by name. Results of metrics are read from the metrics;
  /// other values go into variables, new ones if `known` has none of that name and type.
  /// Errors: InvalidArgument for a log that is undefined or reported twice.
  std::vector<LogSource> log_sources(const StepLogs& logs, const std::vector<LogSource>& known) const;

 private:
  const ModelParts& parts_;
  /// The lists that were returned while the network was not yet built; its own step builds it.
  std::deque<std::vector<Variable>> trainable_;
  StepLogs results_;            // of compute_metrics
  std::vector<Tensor> losses_;  // of compute_loss
};

/// The arrays of a batch as a step takes them; floating-point arrays are converted to the dtype in which
/// models train.
StepData step_data(const ArrayData& batch, const RowMask& rows);

/// The type in which a model takes data: f32 for floating-point data, as Keras's floatx; unchanged for
/// integers and booleans.
TensorType model_type(TensorType type);

// One step of the network, traced or op by op. Reported values go into the variables of `known` that have the
// same name.
/// `assigned`: the variables that the step has assigned so far; called only if updates are checked for
/// faults.
std::vector<LogSource> train_step(const ModelParts& parts, const StepData& data,
                                  const std::vector<LogSource>& known,
                                  const std::function<std::vector<Variable>()>& assigned);
/// `only_read`: the variables that a training step read and did not assign.
/// Errors: FailedPrecondition if one is trainable and not a weight of the network: it would never be trained.
///         Most often its layer was not passed to track().
void refuse_untracked(const Layer& network, std::span<const Variable> only_read);
std::vector<LogSource> test_step(const ModelParts& parts, const StepData& data,
                                 const std::vector<LogSource>& known);
Tensors predict_step(const ModelParts& parts, const StepData& data);

}  // namespace cornu::inline v0::keras
