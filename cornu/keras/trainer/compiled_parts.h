#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "cornu/keras/losses/loss.h"
#include "cornu/keras/metrics/metrics.h"
#include "cornu/keras/network/network.h"
#include "cornu/keras/optimizers/optimizer.h"
#include "cornu/keras/trainer/options.h"
#include "cornu/keras/trainer/step_faults.h"

namespace cornu::inline v0::keras {

/// A metric with the name that logs give it.
struct NamedMetric {
  std::string name;
  std::shared_ptr<Metric> metric;
};

/// What compile() said about one output, made for the output's shapes.
struct OutputParts {
  std::shared_ptr<Loss> loss;  // null where there is none
  double loss_weight = 1;
  std::shared_ptr<metrics::MeanMetric> loss_tracker;  // null unless there are several losses
  std::vector<std::shared_ptr<Metric>> metrics;
  std::vector<std::shared_ptr<Metric>> weighted_metrics;
};

/// The parts of a compiled model that programs are traced from.
struct ModelParts {
  std::shared_ptr<Network> network;
  std::shared_ptr<Optimizer> optimizer;
  std::vector<Variable> trainable;  // when losses and metrics were made, in the first run behind compile()
  std::shared_ptr<metrics::MeanMetric> loss_tracker;
  std::vector<OutputParts> outputs;
  /// The loss tracker, the compiled metrics and those of the network, in Keras's order.
  std::vector<NamedMetric> metrics;
  FaultOptions faults;  // what steps look for
  runtime::ConvolutionAlgorithm convolution_algorithm = runtime::ConvolutionAlgorithm::kAuto;
  runtime::Precision precision = runtime::Precision::kAuto;

  bool has_loss() const;
  bool needs_labels(std::size_t output) const;
};

/// Checks what can be known of losses and metrics before there are shapes: names, numbers, names of outputs.
/// Errors: InvalidArgument.
void check_compile_options(const CompileOptions& options, const std::vector<std::string>& output_names);

/// Makes `outputs` and `metrics` of `parts` from what compile() was told.
/// Semantics: names as in Keras: "loss"; with several outputs "<output>_loss" and "<output>_<metric>";
///            "weighted_" before, or a number behind what would clash.
/// Errors:    InvalidArgument for lists of a wrong length and for names of outputs that there are not.
void make_parts(ModelParts& parts, const CompileOptions& options, const std::vector<TensorType>& labels,
                const std::vector<TensorType>& outputs, const std::vector<std::string>& output_names);

/// Whether there is a loss for each output.
std::vector<bool> outputs_with_loss(const CompileOptions& options, std::size_t num_outputs,
                                    const std::vector<std::string>& output_names);

/// The loss of a spec for these shapes: "crossentropy" and "ce" become the binary, sparse or categorical one,
/// as in Keras.
std::shared_ptr<Loss> make_loss(const LossSpec& spec, const Dims& labels, const Dims& output);

}  // namespace cornu::inline v0::keras
