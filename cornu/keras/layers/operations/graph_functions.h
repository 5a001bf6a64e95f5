#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "cornu/keras/layers/operations/operations.h"
#include "cornu/tensor/ops.h"
#include "cornu/tensor/ops/attention.h"

namespace cornu::inline v0::keras {

/// As many whole axes as an index leaves over.
struct Ellipsis {};
inline constexpr Ellipsis kEllipsis;
/// An axis of extent one.
struct NewAxis {};
inline constexpr NewAxis kNewAxis;

/// A part of an index: x[:, 0, ..., None] of Python is get_item(x, {Slice(), 0, kEllipsis, kNewAxis}).
class Index {
 public:
  Index(int position) : config_(position) {}
  Index(std::int64_t position) : config_(position) {}
  Index(const Slice& slice);
  Index(Ellipsis);
  Index(NewAxis) {}
  /// As files have it.
  const Config& config() const { return config_; }

 private:
  Config config_;
};

}  // namespace cornu::inline v0::keras

/// keras.ops with options on tensors of functional models; each adds the operation of its name to the graph
/// and takes what the function on tensors takes. For those that are not here there is keras::operation().
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
keras::KerasTensor count_nonzero(const keras::KerasTensor& x, const CountNonzeroOptions& options = {});
keras::KerasTensor softmax(const keras::KerasTensor& x, const SoftmaxOptions& options = {});
keras::KerasTensor log_softmax(const keras::KerasTensor& x, const SoftmaxOptions& options = {});
keras::KerasTensor gelu(const keras::KerasTensor& x, const GeluOptions& options = {});
keras::KerasTensor elu(const keras::KerasTensor& x, const EluOptions& options = {});
keras::KerasTensor celu(const keras::KerasTensor& x, const EluOptions& options = {});
keras::KerasTensor leaky_relu(const keras::KerasTensor& x, const LeakyReluOptions& options = {});
keras::KerasTensor glu(const keras::KerasTensor& x, const LastAxisOptions& options = {});
keras::KerasTensor sparsemax(const keras::KerasTensor& x, const LastAxisOptions& options = {});
keras::KerasTensor sort(const keras::KerasTensor& x, const LastAxisOptions& options = {});
keras::KerasTensor argsort(const keras::KerasTensor& x, const LastAxisOptions& options = {});
keras::KerasTensor normalize(const keras::KerasTensor& x, const NormalizeOptions& options = {});
keras::KerasTensor round(const keras::KerasTensor& x, const RoundOptions& options = {});
keras::KerasTensor clip(const keras::KerasTensor& x, double x_min, double x_max);
keras::KerasTensor cast(const keras::KerasTensor& x, DType dtype);
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
keras::KerasTensor tril(const keras::KerasTensor& x, const DiagOptions& options = {});
keras::KerasTensor triu(const keras::KerasTensor& x, const DiagOptions& options = {});
keras::KerasTensor diagonal(const keras::KerasTensor& x, const DiagonalOptions& options = {});
keras::KerasTensor trace(const keras::KerasTensor& x, const DiagonalOptions& options = {});
keras::KerasTensor zeros_like(const keras::KerasTensor& x, const CreateLikeOptions& options = {});
keras::KerasTensor ones_like(const keras::KerasTensor& x, const CreateLikeOptions& options = {});
/// What a product of attention adds and hides; tensors of the graph or constants.
struct GraphAttentionOptions {
  keras::OperationArgument bias = Tensor();  // undefined: none
  keras::OperationArgument mask = Tensor();
  std::optional<double> scale = {};  // none: 1 / sqrt(dim)
  bool is_causal = false;
};
/// As the function on tensors.
keras::KerasTensor dot_product_attention(const keras::KerasTensor& query, const keras::KerasTensor& key,
                                         const keras::KerasTensor& value,
                                         const GraphAttentionOptions& options = {});

keras::KerasTensor concatenate(const keras::KerasTensors& xs, const JoinOptions& options = {});
keras::KerasTensor stack(const keras::KerasTensors& x, const JoinOptions& options = {});
keras::KerasTensor hstack(const keras::KerasTensors& xs);
keras::KerasTensor vstack(const keras::KerasTensors& xs);
keras::KerasTensor einsum(std::string_view subscripts, const keras::KerasTensors& operands);
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
keras::KerasTensor take(const keras::KerasTensor& x, const keras::OperationArgument& indices,
                        const TakeOptions& options = {});
/// Rows of a table.
keras::KerasTensor take(const Tensor& x, const keras::KerasTensor& indices, const TakeOptions& options = {});
keras::KerasTensor take_along_axis(const keras::KerasTensor& x, const keras::OperationArgument& indices,
                                   const TakeOptions& options = {});
keras::KerasTensor pad(const keras::KerasTensor& x,
                       const std::vector<std::pair<std::int64_t, std::int64_t>>& pad_width,
                       const PadOptions& options = {});
/// x[key].
/// Errors: InvalidArgument for more positions than x has axes; OutOfRange for a position outside its axis.
keras::KerasTensor get_item(const keras::KerasTensor& x, const std::vector<keras::Index>& key);

}  // namespace cornu::inline v0::ops
