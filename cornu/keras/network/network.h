#pragma once

#include <concepts>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "cornu/keras/base/row_mask.h"
#include "cornu/keras/base/tensors.h"
#include "cornu/keras/layer/layer.h"
#include "cornu/keras/metrics/metric.h"

namespace cornu::inline v0::keras {

class Optimizer;

/// One batch, as a step sees it.
struct StepData {
  Tensors x;
  Tensors y;              // empty in predict_step
  Tensors sample_weight;  // empty: 1 each
  RowMask rows;           // which rows are data; undefined: all
};

/// What a step reports by name: scalars, or arrays.
using StepLogs = std::vector<std::pair<std::string, Tensor>>;

/// What a network's step works with: the optimizer, loss and metrics of compile().
class StepTools {
 public:
  virtual ~StepTools() = default;
  virtual Optimizer& optimizer() = 0;
  /// optimizer().apply(), and what stop_on_nan watches.
  virtual void apply(std::span<const Tensor> gradients, std::span<const Variable> variables) = 0;
  /// The trainable variables as of the first run behind compile(); of a network that its own step builds,
  /// those that there are.
  /// Lifetime: the step.
  virtual std::span<const Variable> trainable_variables() = 0;
  /// The compiled losses with their weights, plus the network's own losses().
  virtual Tensor compute_loss(const StepData& data, const Tensors& y_pred) = 0;
  /// Updates the loss tracker and the compiled metrics; returns their names and results, then those of the
  /// network's metrics().
  virtual StepLogs compute_metrics(const StepData& data, const Tensors& y_pred, const Tensor& loss) = 0;
};

/// While it lives, this thread's networks are not called on symbolic tensors to be built: the layers inside
/// are built as they are called. So call() may look at values.
class OpByOpScope {
 public:
  OpByOpScope();
  ~OpByOpScope();
  OpByOpScope(const OpByOpScope&) = delete;
  OpByOpScope& operator=(const OpByOpScope&) = delete;

 private:
  bool before_;
};

/// A layer that a Model is made of: Sequential, a functional graph, or a class of the user's that overrides
/// call() and, for another way of training, train_step().
///
///     class Mlp : public keras::Network {
///      public:
///       Mlp() : Network("Mlp", "") {}
///       Tensor call(const Tensor& x, const CallContext&) override { return output_(hidden_(x)); }
///      private:
///       LayerHandle hidden_ = track(layers::Dense({.units = 32, .activation = "relu"}));
///       LayerHandle output_ = track(layers::Dense({.units = 3}));
///     };
///     keras::Model model(std::make_shared<Mlp>());
class Network : public Layer {
 public:
  static constexpr const char* kHandleKind = "model";  // see Handle

  using Layer::Layer;

  std::shared_ptr<Network> as_network() override {
    return std::static_pointer_cast<Network>(shared_from_this());
  }
  Network* network_or_null() final { return this; }
  const Network* network_or_null() const final { return this; }

  /// What Model::layers() gives, as Keras counts them. Unless overridden: those that were tracked.
  virtual std::vector<std::shared_ptr<Layer>> layers() const { return sublayers(); }
  /// The tensors of a functional model, or of a Sequential that is built; empty where there is no graph.
  virtual std::vector<KerasTensor> inputs() const { return {}; }
  virtual std::vector<KerasTensor> outputs() const { return {}; }
  /// The names of the layers that give the outputs: keys of losses and metrics. Empty where there is no
  /// graph.
  virtual std::vector<std::string> output_names() const { return {}; }

  /// The metrics that the network updates itself in its steps: fit and evaluate reset and report them.
  virtual std::vector<MetricHandle> metrics() const { return metrics_; }

  /// For inputs of the types that it was built for, one trace besides that of building finds them, once.
  std::vector<TensorType> compute_output_types(std::span<const TensorType> inputs) const override;

  /// One training step: forward, loss, gradients, update, metrics; runs in a trace, or op by op with
  /// run_eagerly. What it reports is what logs hold; values that are no metric's result are those of the last
  /// step.
  virtual StepLogs train_step(StepTools& tools, const StepData& data);
  virtual StepLogs test_step(StepTools& tools, const StepData& data);
  virtual Tensors predict_step(const StepData& data);
  /// What the steps above minimize: a scalar. Unless overridden: the compiled losses and the network's
  /// losses().
  virtual Tensor compute_loss(StepTools& tools, const StepData& data, const Tensors& y_pred);
  /// What the steps above report. Unless overridden: the compiled metrics and the network's metrics().
  virtual StepLogs compute_metrics(StepTools& tools, const StepData& data, const Tensors& y_pred,
                                   const Tensor& loss);

 protected:
  /// Unless overridden: runs call() in a trace that is thrown away, so that the layers inside make their
  /// weights. Nothing in an OpByOpScope.
  void build_for(std::span<const Dims> input_shapes) override;

  /// Holds a metric as one of metrics(), anything else as Layer::track does; returns it. Errors:
  /// FailedPrecondition for an undefined metric.
  template <typename T>
  T track(T object) {
    if constexpr (std::derived_from<T, MetricHandle>) {
      require_defined(object.shared(), Metric::kHandleKind);
      metrics_.push_back(object);
    } else {
      Layer::track(object);
    }
    return object;
  }
  using Layer::track;  // with what files call it

 private:
  /// Whether the inputs are of the types that the trace of build_for() was for.
  bool are_of_build(std::span<const TensorType> inputs) const;

  std::vector<MetricHandle> metrics_;
  /// Of the trace that built it, in which open extents are kFirstTracedExtent; empty without one.
  std::vector<TensorType> types_of_build_;
  /// The same with open extents, once they were asked for.
  std::optional<std::vector<TensorType>> output_types_;
};

// The steps of any layer that is trained: what Network's do unless overridden.
StepLogs default_train_step(Layer& layer, StepTools& tools, const StepData& data);
StepLogs default_test_step(Layer& layer, StepTools& tools, const StepData& data);
Tensors default_predict_step(Layer& layer, const StepData& data);

}  // namespace cornu::inline v0::keras
