#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "cornu/base/string_argument.h"
#include "cornu/keras/layers/operations/operations.h"
#include "cornu/keras/layers/operations/option_functions.h"
#include "cornu/keras/layers/operations/tensor_functions.h"
#include "cornu/tensor/ops.h"
#include "cornu/tensor/ops/attention.h"

namespace cornu::inline v0::keras {

using cornu::Ellipsis, cornu::Index, cornu::kEllipsis, cornu::kNewAxis, cornu::NewAxis;

}  // namespace cornu::inline v0::keras

/// keras.ops with options, for tensors of functional models. Each function adds the operation of its name to
/// the graph and takes the same arguments as the function on tensors. An option that may be a tensor of the
/// graph is a member of an aggregate whose name begins with Graph. At least one of several tensors must be of
/// the graph. For functions without an overload there is keras::operation(). Overloads with the arguments of Keras's
/// classes are in tensor_functions.h and option_functions.h.
namespace cornu::inline v0::ops {

keras::KerasTensor quantile(const keras::KerasTensor& x, const Quantiles& q,
                            const QuantileOptions& options = {});
keras::KerasTensor percentile(const keras::KerasTensor& x, const Quantiles& q,
                              const QuantileOptions& options = {});
keras::KerasTensor nanquantile(const keras::KerasTensor& x, const Quantiles& q,
                               const QuantileOptions& options = {});
keras::KerasTensor nanpercentile(const keras::KerasTensor& x, const Quantiles& q,
                                 const QuantileOptions& options = {});
keras::KerasTensor norm(const keras::KerasTensor& x, const NormOptions& options = {});
struct GraphAverageOptions {  // options/graph_functions.toml
  /// Axes that are reduced; negative: from the end. Unset: all.
  Axes axis = {};
  /// Weights of the shape of x, or a vector along the one axis; undefined: 1.
  keras::OperationArgument weights = Tensor();
};
keras::KerasTensor average(const keras::KerasTensor& x, const GraphAverageOptions& options = {});
keras::KerasTensor squareplus(const keras::KerasTensor& x, const SquareplusOptions& options = {});
keras::KerasTensor isclose(const keras::KerasTensor& x, const keras::OperationArgument& y,
                           const IsCloseOptions& options = {});
keras::KerasTensor transpose(const keras::KerasTensor& x, const TransposeOptions& options = {});
/// The extents; kUnknown for open ones.
Dims shape(const keras::KerasTensor& x);
/// The numbers that attention adds and the scores that it hides; tensors of the graph or constants.
struct GraphAttentionOptions {  // options/graph_functions.toml
  /// Numbers that are added to the scores, of a shape that broadcasts to [batch, heads, T, S]; undefined:
  /// none.
  keras::OperationArgument bias = Tensor();
  /// False, or 0, where a query does not attend to a key: i1 or numbers, of a shape that broadcasts to
  /// [batch, heads, T, S]; undefined: all keys.
  keras::OperationArgument mask = Tensor();
  /// Factor of the products of queries and keys; unset: 1 / sqrt(dim).
  std::optional<double> scale = {};
  /// True: query t attends to keys 0 to t only.
  bool is_causal = false;
};
/// The graph form of the function on tensors.
keras::KerasTensor dot_product_attention(const keras::KerasTensor& query, const keras::KerasTensor& key,
                                         const keras::KerasTensor& value,
                                         const GraphAttentionOptions& options = {});

// Convolutions have neither bias nor activation here, like Keras's operations.
keras::KerasTensor conv(const keras::KerasTensor& inputs, const keras::OperationArgument& kernel,
                        const ConvOptions& options = {});
keras::KerasTensor depthwise_conv(const keras::KerasTensor& inputs, const keras::OperationArgument& kernel,
                                  const ConvOptions& options = {});
keras::KerasTensor separable_conv(const keras::KerasTensor& inputs,
                                  const keras::OperationArgument& depthwise_kernel,
                                  const keras::OperationArgument& pointwise_kernel,
                                  const ConvOptions& options = {});
keras::KerasTensor conv_transpose(const keras::KerasTensor& inputs, const keras::OperationArgument& kernel,
                                  const ConvTransposeOptions& options = {});

struct GraphBatchNormalizationOptions {  // options/graph_functions.toml
  /// Axis along which mean, variance, offset and scale are vectors; negative: from the end.
  std::int64_t axis = -1;
  /// Vector that is added; undefined: 0.
  keras::OperationArgument offset = Tensor();
  /// Factor of the normalized x; undefined: 1.
  keras::OperationArgument scale = Tensor();
  /// Number that is added to the variance.
  double epsilon = 1e-3;
};
keras::KerasTensor batch_normalization(const keras::KerasTensor& x, const keras::OperationArgument& mean,
                                       const keras::OperationArgument& variance,
                                       const GraphBatchNormalizationOptions& options = {});
struct GraphLayerNormalizationOptions {  // options/graph_functions.toml
  /// Factor of the normalized x; undefined: 1.
  keras::OperationArgument gamma = Tensor();
  /// Summand after the factor; undefined: 0.
  keras::OperationArgument beta = Tensor();
  /// Axes along which mean and variance are computed; negative: from the end.
  Axes axis = -1;
  /// Number that is added to the variance; unset: that of set_epsilon, 1e-7 at first.
  std::optional<double> epsilon = {};
};
keras::KerasTensor layer_normalization(const keras::KerasTensor& x,
                                       const GraphLayerNormalizationOptions& options = {});
struct GraphRmsNormalizationOptions {  // options/graph_functions.toml
  /// Factor of the normalized x; undefined: 1.
  keras::OperationArgument scale = Tensor();
  /// Axes along which the mean square is computed; negative: from the end.
  Axes axis = -1;
  /// Number that is added to the mean square; unset: that of set_epsilon, 1e-7 at first.
  std::optional<double> epsilon = {};
};
keras::KerasTensor rms_normalization(const keras::KerasTensor& x,
                                     const GraphRmsNormalizationOptions& options = {});

keras::KerasTensor tensordot(const keras::KerasTensor& x, const keras::OperationArgument& y,
                             const TensordotOptions& options = {});
keras::KerasTensor tensordot(const Tensor& x, const keras::KerasTensor& y,
                             const TensordotOptions& options = {});

/// Splits into a number of parts; Keras's operation does not take positions.
std::vector<keras::KerasTensor> array_split(const keras::KerasTensor& x, std::int64_t sections,
                                            const SplitOptions& options = {});
struct GraphTopK {
  keras::KerasTensor values, indices;
};
GraphTopK top_k(const keras::KerasTensor& x, std::int64_t k, const TopKOptions& options = {});
struct GraphMoments {
  keras::KerasTensor mean, variance;
};
GraphMoments moments(const keras::KerasTensor& x, const Axes& axes, const MomentsOptions& options = {});

struct GraphSelectOptions {  // options/graph_functions.toml
  /// Value of elements for which no condition holds; Keras's `default`.
  keras::OperationArgument fallback = 0;
};
keras::KerasTensor select(const keras::KerasTensors& conditions,
                          const std::vector<keras::OperationArgument>& choices,
                          const GraphSelectOptions& options = {});
keras::KerasTensor pad(const keras::KerasTensor& x,
                       const std::vector<std::pair<std::int64_t, std::int64_t>>& pad_width,
                       const PadOptions& options = {});
keras::KerasTensor get_item(const keras::KerasTensor& x, const std::vector<Index>& key);
keras::KerasTensor rearrange(const keras::KerasTensor& x, StringViewArgument pattern,
                             const RearrangeOptions& options = {});

/// Start positions of a slice: numbers, or a tensor.
class GraphStartIndices {
 public:
  GraphStartIndices(std::initializer_list<std::int64_t> starts)
      : argument_(keras::OperationArgument::of(Dims(starts))) {}
  GraphStartIndices(const Dims& starts) : argument_(keras::OperationArgument::of(starts)) {}
  GraphStartIndices(const Tensor& starts) : argument_(starts) {}
  GraphStartIndices(const keras::KerasTensor& starts) : argument_(starts) {}
  const keras::OperationArgument& argument() const { return argument_; }

 private:
  keras::OperationArgument argument_;
};
keras::KerasTensor slice(const keras::KerasTensor& inputs, const GraphStartIndices& start_indices,
                         const Dims& shape);
keras::KerasTensor slice_update(const keras::KerasTensor& inputs, const GraphStartIndices& start_indices,
                                const keras::OperationArgument& updates);
keras::KerasTensor digitize(const keras::KerasTensor& x, const Tensor& bins);

}  // namespace cornu::inline v0::ops
