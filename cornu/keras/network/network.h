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

/// One batch, as a step receives it.
struct StepData {
  Tensors x;
  Tensors y;              // empty in predict_step
  Tensors sample_weight;  // empty: 1 each
  RowMask rows;           // the rows that are data; undefined: all
};

/// The results that a step reports, by name: scalars, or arrays.
using StepLogs = std::vector<std::pair<std::string, Tensor>>;

/// The tools of a network's step: the optimizer, loss and metrics of compile().
class StepTools {
 public:
  virtual ~StepTools() = default;
  virtual Optimizer& optimizer() = 0;
  /// Calls optimizer().apply(), and checks the gradients and updates for stop_on_nan.
  virtual void apply(std::span<const Tensor> gradients, std::span<const Variable> variables) = 0;
  /// The trainable variables as of the first run after compile(); for a network that its own step builds,
  /// those that exist.
  /// Lifetime: the step.
  virtual std::span<const Variable> trainable_variables() = 0;
  /// The compiled losses with their weights, plus the network's own losses().
  virtual Tensor compute_loss(const StepData& data, const Tensors& y_pred) = 0;
  /// Updates the loss tracker and the compiled metrics; returns their names and results, then those of the
  /// network's metrics().
  virtual StepLogs compute_metrics(const StepData& data, const Tensors& y_pred, const Tensor& loss) = 0;
};

/// While it lives, this thread does not build networks by calling them on symbolic tensors: inner layers are
/// built when they are called. So call() may look at values.
class OpByOpScope {
 public:
  OpByOpScope();
  ~OpByOpScope();
  OpByOpScope(const OpByOpScope&) = delete;
  OpByOpScope& operator=(const OpByOpScope&) = delete;

 private:
  bool before_;
};

/// The layer of a Model: Sequential, a functional graph, or a user's class that overrides call() and, to
/// train differently, train_step().
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

  /// The layers in the result of Model::layers(), counted as Keras counts them. Unless overridden: the
  /// tracked layers.
  virtual std::vector<std::shared_ptr<Layer>> layers() const { return sublayers(); }
  /// The input and output tensors of a functional model, or of a Sequential that is built; empty if there is
  /// no graph.
  virtual std::vector<KerasTensor> inputs() const { return {}; }
  virtual std::vector<KerasTensor> outputs() const { return {}; }
  /// The names of the layers that return the outputs: the keys of losses and metrics. Empty if there is no
  /// graph.
  virtual std::vector<std::string> output_names() const { return {}; }

  /// The metrics that the network updates itself in its steps: fit and evaluate reset and report them.
  virtual std::vector<MetricHandle> metrics() const { return metrics_; }

  /// One training step: forward, loss, gradients, update, metrics; runs in a trace, or op by op with
  /// run_eagerly. Returns the logs; values that are not results of metrics are those of the last step.
  virtual StepLogs train_step(StepTools& tools, const StepData& data);
  virtual StepLogs test_step(StepTools& tools, const StepData& data);
  virtual Tensors predict_step(const StepData& data);
  /// The scalar that the steps above minimize. Unless overridden: the compiled losses and the network's
  /// losses().
  virtual Tensor compute_loss(StepTools& tools, const StepData& data, const Tensors& y_pred);
  /// The logs that the steps above report. Unless overridden: the compiled metrics and the network's
  /// metrics().
  virtual StepLogs compute_metrics(StepTools& tools, const StepData& data, const Tensors& y_pred,
                                   const Tensor& loss);

 protected:
  /// Unless overridden: runs call() in a trace that is discarded, so that inner layers make their weights.
  /// Does nothing in an OpByOpScope.
  void build_for(std::span<const Dims> input_shapes) override;
  /// For inputs of the types that the network was built for: one trace besides that of building, once.
  std::vector<TensorType> trace_types(std::span<const TensorType> inputs) override;

  /// Keeps a metric as one of metrics(), anything else like Layer::track; returns it. Errors:
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
  using Layer::track;  // with the attribute's name in files

 private:
  /// True if the inputs have the types that build_for() traced.
  bool are_of_build(std::span<const TensorType> inputs) const;

  std::vector<MetricHandle> metrics_;
  /// The output types of the trace that built the network, in which open extents are kFirstTracedExtent;
  /// empty if there was none.
  std::vector<TensorType> types_of_build_;
  /// The same types with open extents, once they were requested.
  std::optional<std::vector<TensorType>> output_types_;
};

// The steps of any layer that is trained; Network's steps unless overridden.
StepLogs default_train_step(Layer& layer, StepTools& tools, const StepData& data);
StepLogs default_test_step(Layer& layer, StepTools& tools, const StepData& data);
Tensors default_predict_step(Layer& layer, const StepData& data);

}  // namespace cornu::inline v0::keras
