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

/// A metric with its name in the logs.
struct NamedMetric {
  std::string name;
  std::shared_ptr<Metric> metric;
};

/// The losses and metrics of one output, made from the options of compile() for the output's shapes.
struct OutputParts {
  std::shared_ptr<Loss> loss;  // null if the output has none
  double loss_weight = 1;
  std::shared_ptr<metrics::MeanMetric> loss_tracker;  // null if there is only one loss
  std::vector<std::shared_ptr<Metric>> metrics;
  std::vector<std::shared_ptr<Metric>> weighted_metrics;
};

/// The parts of a compiled model from which programs are traced.
struct ModelParts {
  std::shared_ptr<Network> network;
  std::shared_ptr<Optimizer> optimizer;
  std::vector<Variable> trainable;  // as of the first run after compile(), when losses and metrics were made
  std::shared_ptr<metrics::MeanMetric> loss_tracker;
  std::vector<OutputParts> outputs;
  /// The loss tracker, the compiled metrics and those of the network, in Keras's order.
  std::vector<NamedMetric> metrics;
  FaultOptions faults;  // the faults that steps look for
  runtime::ConvolutionAlgorithm convolution_algorithm = runtime::ConvolutionAlgorithm::kAuto;
  runtime::Precision precision = runtime::Precision::kAuto;

  bool has_loss() const;
  bool needs_labels(std::size_t output) const;
};

/// Checks losses and metrics as far as possible before shapes are known: names, numbers, names of outputs.
/// Errors: InvalidArgument.
void check_compile_options(const CompileOptions& options, const std::vector<std::string>& output_names);

/// Makes `outputs` and `metrics` of `parts` from the options of compile().
/// Semantics: names as in Keras: "loss"; with several outputs "<output>_loss" and "<output>_<metric>"; the
///            prefix "weighted_" or a numeric suffix where names would clash.
/// Errors:    InvalidArgument for lists of a wrong length and for names of outputs that do not exist.
void make_parts(ModelParts& parts, const CompileOptions& options, const std::vector<TensorType>& labels,
                const std::vector<TensorType>& outputs, const std::vector<std::string>& output_names);

/// True for each output that has a loss.
std::vector<bool> outputs_with_loss(const CompileOptions& options, std::size_t num_outputs,
                                    const std::vector<std::string>& output_names);

/// Makes the loss of a spec for these shapes: "crossentropy" and "ce" become the binary, sparse or
/// categorical one, as in Keras.
std::shared_ptr<Loss> make_loss(const LossSpec& spec, const Dims& labels, const Dims& output);

}  // namespace cornu::inline v0::keras
