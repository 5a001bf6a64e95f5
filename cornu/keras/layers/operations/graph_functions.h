#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "cornu/base/string_argument.h"
#include "cornu/keras/layers/operations/operations.h"
#include "cornu/tensor/ops.h"
#include "cornu/tensor/ops/attention.h"

namespace cornu::inline v0::keras {

using cornu::Ellipsis, cornu::Index, cornu::kEllipsis, cornu::kNewAxis, cornu::NewAxis;

}  // namespace cornu::inline v0::keras

/// keras.ops with options, for tensors of functional models. Each function adds the operation of its name to
/// the graph and takes the same arguments as the function on tensors. An option that may be a tensor of the
/// graph is a member of an aggregate whose name begins with Graph. At least one of several tensors must be of
/// the graph. For functions without an overload here there is keras::operation().
namespace cornu::inline v0::ops {

keras::KerasTensor sum(const keras::KerasTensor& x, const ReduceOptions& options = {});
keras::KerasTensor mean(const keras::KerasTensor& x, const ReduceOptions& options = {});
keras::KerasTensor amax(const keras::KerasTensor& x, const ReduceOptions& options = {});
keras::KerasTensor amin(const keras::KerasTensor& x, const ReduceOptions& options = {});
keras::KerasTensor ptp(const keras::KerasTensor& x, const ReduceOptions& options = {});
keras::KerasTensor var(const keras::KerasTensor& x, const ReduceOptions& options = {});
keras::KerasTensor std(const keras::KerasTensor& x, const ReduceOptions& options = {});
keras::KerasTensor median(const keras::KerasTensor& x, const ReduceOptions& options = {});
keras::KerasTensor all(const keras::KerasTensor& x, const ReduceOptions& options = {});
keras::KerasTensor any(const keras::KerasTensor& x, const ReduceOptions& options = {});
keras::KerasTensor logsumexp(const keras::KerasTensor& x, const ReduceOptions& options = {});
keras::KerasTensor max(const keras::KerasTensor& x, const ExtremumOptions& options = {});
keras::KerasTensor min(const keras::KerasTensor& x, const ExtremumOptions& options = {});
keras::KerasTensor prod(const keras::KerasTensor& x, const ProdOptions& options = {});
keras::KerasTensor argmax(const keras::KerasTensor& x, const ArgOptions& options = {});
keras::KerasTensor argmin(const keras::KerasTensor& x, const ArgOptions& options = {});
keras::KerasTensor cumsum(const keras::KerasTensor& x, const CumulativeOptions& options = {});
keras::KerasTensor cumprod(const keras::KerasTensor& x, const CumulativeOptions& options = {});
keras::KerasTensor quantile(const keras::KerasTensor& x, const Quantiles& q,
                            const QuantileOptions& options = {});
keras::KerasTensor percentile(const keras::KerasTensor& x, const Quantiles& q,
                              const QuantileOptions& options = {});
keras::KerasTensor norm(const keras::KerasTensor& x, const NormOptions& options = {});
struct GraphAverageOptions {
  Axes axis = {};
  keras::OperationArgument weights = Tensor();  // undefined: none
};
keras::KerasTensor average(const keras::KerasTensor& x, const GraphAverageOptions& options = {});
keras::KerasTensor count_nonzero(const keras::KerasTensor& x, const CountNonzeroOptions& options = {});
keras::KerasTensor softmax(const keras::KerasTensor& x, const SoftmaxOptions& options = {});
keras::KerasTensor log_softmax(const keras::KerasTensor& x, const SoftmaxOptions& options = {});
keras::KerasTensor gelu(const keras::KerasTensor& x, const GeluOptions& options = {});
keras::KerasTensor elu(const keras::KerasTensor& x, const EluOptions& options = {});
keras::KerasTensor celu(const keras::KerasTensor& x, const EluOptions& options = {});
keras::KerasTensor leaky_relu(const keras::KerasTensor& x, const LeakyReluOptions& options = {});
keras::KerasTensor soft_shrink(const keras::KerasTensor& x, const ShrinkOptions& options = {});
keras::KerasTensor hard_shrink(const keras::KerasTensor& x, const ShrinkOptions& options = {});
keras::KerasTensor squareplus(const keras::KerasTensor& x, const SquareplusOptions& options = {});
keras::KerasTensor threshold(const keras::KerasTensor& x, double threshold, double default_value);
keras::KerasTensor glu(const keras::KerasTensor& x, const LastAxisOptions& options = {});
keras::KerasTensor sparsemax(const keras::KerasTensor& x, const LastAxisOptions& options = {});
keras::KerasTensor sort(const keras::KerasTensor& x, const SortAxisOptions& options = {});
keras::KerasTensor argsort(const keras::KerasTensor& x, const SortAxisOptions& options = {});
keras::KerasTensor normalize(const keras::KerasTensor& x, const NormalizeOptions& options = {});
keras::KerasTensor round(const keras::KerasTensor& x, const RoundOptions& options = {});
keras::KerasTensor clip(const keras::KerasTensor& x, double x_min, double x_max);
keras::KerasTensor nan_to_num(const keras::KerasTensor& x, const NanToNumOptions& options = {});
keras::KerasTensor isclose(const keras::KerasTensor& x, const keras::OperationArgument& y,
                           const IsCloseOptions& options = {});
keras::KerasTensor allclose(const keras::KerasTensor& x, const keras::OperationArgument& y,
                            const IsCloseOptions& options = {});
keras::KerasTensor cast(const keras::KerasTensor& x, DType dtype);
keras::KerasTensor saturate_cast(const keras::KerasTensor& x, DType dtype);
keras::KerasTensor convert_to_tensor(const keras::KerasTensor& x, const ConvertOptions& options = {});
keras::KerasTensor one_hot(const keras::KerasTensor& x, std::int64_t num_classes,
                           const OneHotOptions& options = {});
keras::KerasTensor multi_hot(const keras::KerasTensor& x, std::int64_t num_classes,
                             const OneHotOptions& options = {});
keras::KerasTensor reshape(const keras::KerasTensor& x, const Dims& newshape);
keras::KerasTensor transpose(const keras::KerasTensor& x, const TransposeOptions& options = {});
keras::KerasTensor swapaxes(const keras::KerasTensor& x, std::int64_t axis1, std::int64_t axis2);
keras::KerasTensor moveaxis(const keras::KerasTensor& x, const Axes& source, const Axes& destination);
keras::KerasTensor broadcast_to(const keras::KerasTensor& x, const Dims& shape);
keras::KerasTensor expand_dims(const keras::KerasTensor& x, const Axes& axis);
keras::KerasTensor squeeze(const keras::KerasTensor& x, const SqueezeOptions& options = {});
keras::KerasTensor tile(const keras::KerasTensor& x, const IntOrInts& repeats);
keras::KerasTensor repeat(const keras::KerasTensor& x, const IntOrInts& repeats,
                          const RepeatOptions& options = {});
keras::KerasTensor flip(const keras::KerasTensor& x, const FlipOptions& options = {});
keras::KerasTensor roll(const keras::KerasTensor& x, const IntOrInts& shift, const RollOptions& options = {});
keras::KerasTensor rot90(const keras::KerasTensor& x, const Rot90Options& options = {});
keras::KerasTensor diff(const keras::KerasTensor& x, const DiffOptions& options = {});
keras::KerasTensor diag(const keras::KerasTensor& x, const DiagOptions& options = {});
keras::KerasTensor diagflat(const keras::KerasTensor& x, const DiagOptions& options = {});
keras::KerasTensor tril(const keras::KerasTensor& x, const DiagOptions& options = {});
keras::KerasTensor triu(const keras::KerasTensor& x, const DiagOptions& options = {});
keras::KerasTensor diagonal(const keras::KerasTensor& x, const DiagonalOptions& options = {});
keras::KerasTensor trace(const keras::KerasTensor& x, const DiagonalOptions& options = {});
keras::KerasTensor zeros_like(const keras::KerasTensor& x, const CreateLikeOptions& options = {});
keras::KerasTensor ones_like(const keras::KerasTensor& x, const CreateLikeOptions& options = {});
keras::KerasTensor empty_like(const keras::KerasTensor& x, const CreateLikeOptions& options = {});
keras::KerasTensor full_like(const keras::KerasTensor& x, const keras::OperationArgument& fill_value,
                             const CreateLikeOptions& options = {});
keras::KerasTensor full(const Dims& shape, const keras::KerasTensor& fill_value,
                        const CreateOptions& options = {});
keras::KerasTensor linspace(const keras::KerasTensor& start, const keras::OperationArgument& stop,
                            const LinspaceOptions& options = {});
keras::KerasTensor linspace(const Tensor& start, const keras::KerasTensor& stop,
                            const LinspaceOptions& options = {});
/// The extents; kUnknown for open ones.
Dims shape(const keras::KerasTensor& x);
/// What a product of attention adds and hides; tensors of the graph or constants.
struct GraphAttentionOptions {
  keras::OperationArgument bias = Tensor();  // undefined: none
  keras::OperationArgument mask = Tensor();
  std::optional<double> scale = {};  // none: 1 / sqrt(dim)
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
keras::KerasTensor max_pool(const keras::KerasTensor& inputs, const IntOrInts& pool_size,
                            const PoolOptions& options = {});
keras::KerasTensor average_pool(const keras::KerasTensor& inputs, const IntOrInts& pool_size,
                                const PoolOptions& options = {});

keras::KerasTensor categorical_crossentropy(const keras::KerasTensor& target,
                                            const keras::OperationArgument& output,
                                            const CrossentropyOptions& options = {});
keras::KerasTensor categorical_crossentropy(const Tensor& target, const keras::KerasTensor& output,
                                            const CrossentropyOptions& options = {});
keras::KerasTensor sparse_categorical_crossentropy(const keras::KerasTensor& target,
                                                   const keras::OperationArgument& output,
                                                   const CrossentropyOptions& options = {});
keras::KerasTensor sparse_categorical_crossentropy(const Tensor& target, const keras::KerasTensor& output,
                                                   const CrossentropyOptions& options = {});
keras::KerasTensor binary_crossentropy(const keras::KerasTensor& target,
                                       const keras::OperationArgument& output,
                                       const BinaryCrossentropyOptions& options = {});
keras::KerasTensor binary_crossentropy(const Tensor& target, const keras::KerasTensor& output,
                                       const BinaryCrossentropyOptions& options = {});

struct GraphBatchNormalizationOptions {
  std::int64_t axis = -1;
  keras::OperationArgument offset = Tensor();  // undefined: none
  keras::OperationArgument scale = Tensor();
  double epsilon = 1e-3;
};
keras::KerasTensor batch_normalization(const keras::KerasTensor& x, const keras::OperationArgument& mean,
                                       const keras::OperationArgument& variance,
                                       const GraphBatchNormalizationOptions& options = {});
struct GraphLayerNormalizationOptions {
  keras::OperationArgument gamma = Tensor();  // undefined: none
  keras::OperationArgument beta = Tensor();
  Axes axis = -1;
  std::optional<double> epsilon = {};  // none: 1e-7
};
keras::KerasTensor layer_normalization(const keras::KerasTensor& x,
                                       const GraphLayerNormalizationOptions& options = {});
struct GraphRmsNormalizationOptions {
  keras::OperationArgument scale = Tensor();  // undefined: none
  Axes axis = -1;
  std::optional<double> epsilon = {};  // none: 1e-7
};
keras::KerasTensor rms_normalization(const keras::KerasTensor& x,
                                     const GraphRmsNormalizationOptions& options = {});

keras::KerasTensor cross(const keras::KerasTensor& x, const keras::OperationArgument& y,
                         const CrossOptions& options = {});
keras::KerasTensor tensordot(const keras::KerasTensor& x, const keras::OperationArgument& y,
                             const TensordotOptions& options = {});
keras::KerasTensor tensordot(const Tensor& x, const keras::KerasTensor& y,
                             const TensordotOptions& options = {});

keras::KerasTensor concatenate(const keras::KerasTensors& xs, const JoinOptions& options = {});
keras::KerasTensor stack(const keras::KerasTensors& x, const JoinOptions& options = {});
keras::KerasTensor hstack(const keras::KerasTensors& xs);
keras::KerasTensor vstack(const keras::KerasTensors& xs);
keras::KerasTensor einsum(StringViewArgument subscripts, const keras::KerasTensors& operands);
keras::KerasTensor append(const keras::KerasTensor& x, const keras::OperationArgument& y,
                          const AppendOptions& options = {});
keras::KerasTensor append(const Tensor& x, const keras::KerasTensor& y, const AppendOptions& options = {});
std::vector<keras::KerasTensor> meshgrid(const keras::KerasTensors& vectors,
                                         const MeshgridOptions& options = {});
/// Splits into a number of parts; Keras's operation does not take positions.
std::vector<keras::KerasTensor> array_split(const keras::KerasTensor& x, std::int64_t sections,
                                            const SplitOptions& options = {});
std::vector<keras::KerasTensor> split(const keras::KerasTensor& x, const IntOrInts& indices_or_sections,
                                      const SplitOptions& options = {});
std::vector<keras::KerasTensor> unstack(const keras::KerasTensor& x, const SplitOptions& options = {});
struct GraphTopK {
  keras::KerasTensor values, indices;
};
GraphTopK top_k(const keras::KerasTensor& x, std::int64_t k, const TopKOptions& options = {});
struct GraphMoments {
  keras::KerasTensor mean, variance;
};
GraphMoments moments(const keras::KerasTensor& x, const Axes& axes, const MomentsOptions& options = {});

keras::KerasTensor where(const keras::KerasTensor& condition, const keras::OperationArgument& x1,
                         const keras::OperationArgument& x2);
struct GraphSelectOptions {
  keras::OperationArgument fallback = 0;  // Keras's `default`
};
keras::KerasTensor select(const keras::KerasTensors& conditions,
                          const std::vector<keras::OperationArgument>& choices,
                          const GraphSelectOptions& options = {});
keras::KerasTensor take(const keras::KerasTensor& x, const keras::OperationArgument& indices,
                        const TakeOptions& options = {});
/// Rows of a table.
keras::KerasTensor take(const Tensor& x, const keras::KerasTensor& indices, const TakeOptions& options = {});
keras::KerasTensor take_along_axis(const keras::KerasTensor& x, const keras::OperationArgument& indices,
                                   const TakeOptions& options = {});
keras::KerasTensor pad(const keras::KerasTensor& x,
                       const std::vector<std::pair<std::int64_t, std::int64_t>>& pad_width,
                       const PadOptions& options = {});
keras::KerasTensor get_item(const keras::KerasTensor& x, const std::vector<Index>& key);

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
keras::KerasTensor scatter(const keras::KerasTensor& indices, const keras::OperationArgument& values,
                           const Dims& shape);
keras::KerasTensor scatter(const Tensor& indices, const keras::KerasTensor& values, const Dims& shape);
keras::KerasTensor scatter_update(const keras::KerasTensor& inputs, const keras::OperationArgument& indices,
                                  const keras::OperationArgument& updates,
                                  const ScatterUpdateOptions& options = {});
// In a graph the number of segments must be given.
keras::KerasTensor segment_sum(const keras::KerasTensor& data, const keras::OperationArgument& segment_ids,
                               const SegmentOptions& options = {});
keras::KerasTensor segment_max(const keras::KerasTensor& data, const keras::OperationArgument& segment_ids,
                               const SegmentOptions& options = {});
keras::KerasTensor segment_min(const keras::KerasTensor& data, const keras::OperationArgument& segment_ids,
                               const SegmentOptions& options = {});
keras::KerasTensor segment_prod(const keras::KerasTensor& data, const keras::OperationArgument& segment_ids,
                                const SegmentOptions& options = {});
keras::KerasTensor in_top_k(const keras::KerasTensor& targets, const keras::OperationArgument& predictions,
                            std::int64_t k);
keras::KerasTensor in_top_k(const Tensor& targets, const keras::KerasTensor& predictions, std::int64_t k);
keras::KerasTensor searchsorted(const keras::KerasTensor& sorted_sequence,
                                const keras::OperationArgument& values,
                                const SearchSortedOptions& options = {});
keras::KerasTensor searchsorted(const Tensor& sorted_sequence, const keras::KerasTensor& values,
                                const SearchSortedOptions& options = {});
keras::KerasTensor digitize(const keras::KerasTensor& x, const Tensor& bins);
keras::KerasTensor bincount(const keras::KerasTensor& x, const BincountOptions& options = {});
keras::KerasTensor extract_sequences(const keras::KerasTensor& x, std::int64_t sequence_length,
                                     std::int64_t sequence_stride);

}  // namespace cornu::inline v0::ops
