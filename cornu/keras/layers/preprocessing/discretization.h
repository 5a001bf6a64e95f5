#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cornu/keras/config/fields.h"
#include "cornu/keras/layer/layer.h"
#include "cornu/keras/layers/preprocessing/batches.h"

namespace cornu::inline v0::keras::layers {

struct DiscretizationOptions {  // options/layers.toml
  /// Boundaries of the bins, rising; unset: adapt() finds them from num_bins.
  std::optional<std::vector<double>> bin_boundaries = {};
  /// Number of bins that adapt() makes; unset: bin_boundaries decides. With both, bin_boundaries is what
  /// adapt() found before.
  std::optional<std::int64_t> num_bins = {};
  /// Precision of the quantiles that adapt() finds, as a share of the number of values.
  double epsilon = 0.01;
  /// "int", "one_hot", "multi_hot" or "count".
  std::string output_mode = "int";
  /// Name of the layer, unique in a model; empty: the class in snake_case, with a number if it is taken.
  std::string name = {};
  /// False: the weights are frozen.
  bool trainable = true;
  /// Dtype or policy, such as "mixed_bfloat16"; unset: the global policy.
  std::optional<DTypePolicy> dtype = {};
  /// Shape of one row of the input without the batch, for the first layer of a Sequential; unset: the input
  /// decides.
  OptionalDims input_shape = {};
};
CORNU_FIELDS(DiscretizationOptions, bin_boundaries, num_bins, epsilon, output_mode, name, trainable, dtype,
             input_shape)

/// Maps values to the index of their range between boundaries: int32, or vectors as in CategoryEncoding.
/// Boundaries are given, or are quantiles of the data that the layer adapts to.
///
/// Shapes:  any -> the same ("int"); with other output modes those of CategoryEncoding.
/// Errors:  InvalidArgument unless boundaries or a number of bins are given; FailedPrecondition for a call
///          before adapt().
class Discretization : public LayerHandle {
 public:
  explicit Discretization(DiscretizationOptions options);

  void adapt(const Tensor& data) const;
  /// Adapts to each batch, or each x of (x, y), of a data set or a range.
  template <BatchIterable Batches>
  void adapt(const Batches& batches) const {
    begin_adapt();
    for (const auto& batch : batches) adapt_batch(batch_tensor(batch));
    end_adapt();
  }
  /// The boundaries, given or found by adapt().
  const std::vector<double>& bin_boundaries() const;

 private:
  void begin_adapt() const;
  void adapt_batch(const Tensor& batch) const;
  void end_adapt() const;
};

}  // namespace cornu::inline v0::keras::layers
