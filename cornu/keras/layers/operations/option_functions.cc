// Written by tools/make_functions.py from cornu/tensor/ops/functions/*.toml.
// clang-format off
#include "cornu/keras/layers/operations/option_functions.h"
#include "cornu/keras/layers/operations/graph_call_support.h"

namespace cornu::inline v0::ops {
using namespace graph;

keras::KerasTensor allclose(const keras::KerasTensor& x1, const keras::OperationArgument& x2, const
    IsCloseOptions& options) {
  return call("AllClose", {x1, x2}, {{"rtol", options.rtol}, {"atol", options.atol}, {"equal_nan",
      options.equal_nan}});
}
keras::KerasTensor round(const keras::KerasTensor& x, const RoundOptions& options) {
  return call("Round", {x}, {{"decimals", options.decimals}});
}
keras::KerasTensor nan_to_num(const keras::KerasTensor& x, const NanToNumOptions& options) {
  return call("NanToNum", {x}, {{"nan", options.nan}, {"posinf", options.posinf}, {"neginf",
      options.neginf}});
}
keras::KerasTensor clip(const keras::KerasTensor& x, double x_min, double x_max) {
  return call("Clip", {x}, {{"x_min", x_min}, {"x_max", x_max}});
}
keras::KerasTensor cast(const keras::KerasTensor& x, DType dtype) {
  return call("Cast", {x}, {{"dtype", dtype}});
}
keras::KerasTensor saturate_cast(const keras::KerasTensor& x, DType dtype) {
  return call("SaturateCast", {x}, {{"dtype", dtype}});
}
keras::KerasTensor convert_to_tensor(const keras::KerasTensor& x, const ConvertOptions& options) {
  return call("ConvertToTensor", {x}, {{"dtype", options.dtype}, {"sparse", Config()}, {"ragged", Config()}});
}
keras::KerasTensor sum(const keras::KerasTensor& x, const ReduceOptions& options) {
  return call("Sum", {x}, {{"axis", options.axis}, {"keepdims", options.keepdims}});
}
keras::KerasTensor mean(const keras::KerasTensor& x, const ReduceOptions& options) {
  return call("Mean", {x}, {{"axis", options.axis}, {"keepdims", options.keepdims}});
}
keras::KerasTensor prod(const keras::KerasTensor& x, const ProdOptions& options) {
  return call("Prod", {x}, {{"axis", options.axis}, {"keepdims", options.keepdims}, {"dtype",
      options.dtype}});
}
keras::KerasTensor max(const keras::KerasTensor& x, const ExtremumOptions& options) {
  return call("Max", {x}, {{"axis", options.axis}, {"keepdims", options.keepdims}, {"initial",
      options.initial}});
}
keras::KerasTensor min(const keras::KerasTensor& x, const ExtremumOptions& options) {
  return call("Min", {x}, {{"axis", options.axis}, {"keepdims", options.keepdims}, {"initial",
      options.initial}});
}
keras::KerasTensor amax(const keras::KerasTensor& x, const ReduceOptions& options) {
  return call("Amax", {x}, {{"axis", options.axis}, {"keepdims", options.keepdims}});
}
keras::KerasTensor amin(const keras::KerasTensor& x, const ReduceOptions& options) {
  return call("Amin", {x}, {{"axis", options.axis}, {"keepdims", options.keepdims}});
}
keras::KerasTensor ptp(const keras::KerasTensor& x, const ReduceOptions& options) {
  return call("Ptp", {x}, {{"axis", options.axis}, {"keepdims", options.keepdims}});
}
keras::KerasTensor var(const keras::KerasTensor& x, const ReduceOptions& options) {
  return call("Var", {x}, {{"axis", options.axis}, {"keepdims", options.keepdims}});
}
keras::KerasTensor std(const keras::KerasTensor& x, const ReduceOptions& options) {
  return call("Std", {x}, {{"axis", options.axis}, {"keepdims", options.keepdims}});
}
keras::KerasTensor median(const keras::KerasTensor& x, const ReduceOptions& options) {
  return call("Median", {x}, {{"axis", options.axis}, {"keepdims", options.keepdims}});
}
keras::KerasTensor logsumexp(const keras::KerasTensor& x, const ReduceOptions& options) {
  return call("Logsumexp", {x}, {{"axis", options.axis}, {"keepdims", options.keepdims}});
}
keras::KerasTensor all(const keras::KerasTensor& x, const ReduceOptions& options) {
  return call("All", {x}, {{"axis", options.axis}, {"keepdims", options.keepdims}});
}
keras::KerasTensor any(const keras::KerasTensor& x, const ReduceOptions& options) {
  return call("Any", {x}, {{"axis", options.axis}, {"keepdims", options.keepdims}});
}
keras::KerasTensor count_nonzero(const keras::KerasTensor& x, const CountNonzeroOptions& options) {
  return call("CountNonzero", {x}, {{"axis", options.axis}});
}
keras::KerasTensor argmax(const keras::KerasTensor& x, const ArgOptions& options) {
  return call("Argmax", {x}, {{"axis", options.axis}, {"keepdims", options.keepdims}});
}
keras::KerasTensor argmin(const keras::KerasTensor& x, const ArgOptions& options) {
  return call("Argmin", {x}, {{"axis", options.axis}, {"keepdims", options.keepdims}});
}
keras::KerasTensor cumsum(const keras::KerasTensor& x, const CumulativeOptions& options) {
  return call("Cumsum", {x}, {{"axis", options.axis}, {"dtype", options.dtype}});
}
keras::KerasTensor cumprod(const keras::KerasTensor& x, const CumulativeOptions& options) {
  return call("Cumprod", {x}, {{"axis", options.axis}, {"dtype", options.dtype}});
}
keras::KerasTensor nansum(const keras::KerasTensor& x, const ReduceOptions& options) {
  return call("Nansum", {x}, {{"axis", options.axis}, {"keepdims", options.keepdims}});
}
keras::KerasTensor nanprod(const keras::KerasTensor& x, const ReduceOptions& options) {
  return call("Nanprod", {x}, {{"axis", options.axis}, {"keepdims", options.keepdims}});
}
keras::KerasTensor nanmax(const keras::KerasTensor& x, const ReduceOptions& options) {
  return call("Nanmax", {x}, {{"axis", options.axis}, {"keepdims", options.keepdims}});
}
keras::KerasTensor nanmin(const keras::KerasTensor& x, const ReduceOptions& options) {
  return call("Nanmin", {x}, {{"axis", options.axis}, {"keepdims", options.keepdims}});
}
keras::KerasTensor nanmean(const keras::KerasTensor& x, const ReduceOptions& options) {
  return call("Nanmean", {x}, {{"axis", options.axis}, {"keepdims", options.keepdims}});
}
keras::KerasTensor nanvar(const keras::KerasTensor& x, const ReduceOptions& options) {
  return call("Nanvar", {x}, {{"axis", options.axis}, {"keepdims", options.keepdims}});
}
keras::KerasTensor nanstd(const keras::KerasTensor& x, const ReduceOptions& options) {
  return call("Nanstd", {x}, {{"axis", options.axis}, {"keepdims", options.keepdims}});
}
keras::KerasTensor nancumsum(const keras::KerasTensor& x, const CumulativeOptions& options) {
  return call("Nancumsum", {x}, {{"axis", options.axis}, {"dtype", options.dtype}});
}
keras::KerasTensor nancumprod(const keras::KerasTensor& x, const CumulativeOptions& options) {
  return call("Nancumprod", {x}, {{"axis", options.axis}, {"dtype", options.dtype}});
}
keras::KerasTensor nanargmax(const keras::KerasTensor& x, const ArgOptions& options) {
  return call("Nanargmax", {x}, {{"axis", options.axis}, {"keepdims", options.keepdims}});
}
keras::KerasTensor nanargmin(const keras::KerasTensor& x, const ArgOptions& options) {
  return call("Nanargmin", {x}, {{"axis", options.axis}, {"keepdims", options.keepdims}});
}
keras::KerasTensor nanmedian(const keras::KerasTensor& x, const ReduceOptions& options) {
  return call("Nanmedian", {x}, {{"axis", options.axis}, {"keepdims", options.keepdims}});
}
keras::KerasTensor reshape(const keras::KerasTensor& x, const Dims& newshape) {
  return call("Reshape", {x}, {{"newshape", newshape}});
}
keras::KerasTensor swapaxes(const keras::KerasTensor& x, std::int64_t axis1, std::int64_t axis2) {
  return call("Swapaxes", {x}, {{"axis1", axis1}, {"axis2", axis2}});
}
keras::KerasTensor moveaxis(const keras::KerasTensor& x, const Axes& source, const Axes& destination) {
  return call("Moveaxis", {x}, {{"source", source}, {"destination", destination}});
}
keras::KerasTensor broadcast_to(const keras::KerasTensor& x, const Dims& shape) {
  return call("BroadcastTo", {x}, {{"shape", shape}});
}
keras::KerasTensor expand_dims(const keras::KerasTensor& x, const Axes& axis) {
  return call("ExpandDims", {x}, {{"axis", axis}});
}
keras::KerasTensor squeeze(const keras::KerasTensor& x, const SqueezeOptions& options) {
  return call("Squeeze", {x}, {{"axis", options.axis}});
}
keras::KerasTensor concatenate(const keras::KerasTensors& xs, const JoinOptions& options) {
  return call("Concatenate", all_of(xs), {{"axis", options.axis}});
}
keras::KerasTensor stack(const keras::KerasTensors& x, const JoinOptions& options) {
  return call("Stack", all_of(x), {{"axis", options.axis}});
}
keras::KerasTensor hstack(const keras::KerasTensors& xs) { return call("Hstack", all_of(xs)); }
keras::KerasTensor vstack(const keras::KerasTensors& xs) { return call("Vstack", all_of(xs)); }
keras::KerasTensor append(const keras::KerasTensor& x1, const keras::OperationArgument& x2, const
    AppendOptions& options) {
  return call("Append", {x1, x2}, {{"axis", options.axis}});
}
keras::KerasTensor append(const Tensor& x1, const keras::KerasTensor& x2, const AppendOptions& options) {
  return call("Append", {x1, x2}, {{"axis", options.axis}});
}
std::vector<keras::KerasTensor> unstack(const keras::KerasTensor& x, const SplitOptions& options) {
  return call_many("Unstack", {x}, {{"num", Config()}, {"axis", options.axis}});
}
std::vector<keras::KerasTensor> split(const keras::KerasTensor& x, const IntOrInts& indices_or_sections, const
    SplitOptions& options) {
  return call_many("Split", {x}, {{"indices_or_sections", indices_or_sections}, {"axis", options.axis}});
}
keras::KerasTensor tile(const keras::KerasTensor& x, const IntOrInts& repeats) {
  return call("Tile", {x}, {{"repeats", repeats}});
}
keras::KerasTensor repeat(const keras::KerasTensor& x, const IntOrInts& repeats, const RepeatOptions& options)
    {
  return call("Repeat", {x}, {{"repeats", repeats}, {"axis", options.axis}});
}
keras::KerasTensor flip(const keras::KerasTensor& x, const FlipOptions& options) {
  return call("Flip", {x}, {{"axis", options.axis}});
}
keras::KerasTensor rot90(const keras::KerasTensor& array, const Rot90Options& options) {
  return call("Rot90", {array}, {{"k", options.k}, {"axes", options.axes}});
}
keras::KerasTensor roll(const keras::KerasTensor& x, const IntOrInts& shift, const RollOptions& options) {
  return call("Roll", {x}, {{"shift", shift}, {"axis", options.axis}});
}
keras::KerasTensor diag(const keras::KerasTensor& x, const DiagOptions& options) {
  return call("Diag", {x}, {{"k", options.k}});
}
keras::KerasTensor diagflat(const keras::KerasTensor& x, const DiagOptions& options) {
  return call("Diagflat", {x}, {{"k", options.k}});
}
keras::KerasTensor diagonal(const keras::KerasTensor& x, const DiagonalOptions& options) {
  return call("Diagonal", {x}, {{"offset", options.offset}, {"axis1", options.axis1}, {"axis2",
      options.axis2}});
}
keras::KerasTensor trace(const keras::KerasTensor& x, const DiagonalOptions& options) {
  return call("Trace", {x}, {{"offset", options.offset}, {"axis1", options.axis1}, {"axis2", options.axis2}});
}
keras::KerasTensor tril(const keras::KerasTensor& x, const DiagOptions& options) {
  return call("Tril", {x}, {{"k", options.k}});
}
keras::KerasTensor triu(const keras::KerasTensor& x, const DiagOptions& options) {
  return call("Triu", {x}, {{"k", options.k}});
}
keras::KerasTensor diff(const keras::KerasTensor& a, const DiffOptions& options) {
  return call("Diff", {a}, {{"n", options.n}, {"axis", options.axis}});
}
std::vector<keras::KerasTensor> meshgrid(const keras::KerasTensors& x, const MeshgridOptions& options) {
  return call_many("Meshgrid", all_of(x), {{"indexing", options.indexing}});
}
keras::KerasTensor full(const Dims& shape, const keras::KerasTensor& fill_value, const CreateOptions& options)
    {
  return call("Full", {fill_value}, {{"shape", shape}, {"dtype", options.dtype}});
}
keras::KerasTensor zeros_like(const keras::KerasTensor& x, const CreateLikeOptions& options) {
  return call("ZerosLike", {x}, {{"dtype", options.dtype}});
}
keras::KerasTensor ones_like(const keras::KerasTensor& x, const CreateLikeOptions& options) {
  return call("OnesLike", {x}, {{"dtype", options.dtype}});
}
keras::KerasTensor empty_like(const keras::KerasTensor& x, const CreateLikeOptions& options) {
  return call("EmptyLike", {x}, {{"dtype", options.dtype}});
}
keras::KerasTensor full_like(const keras::KerasTensor& x, const keras::OperationArgument& fill_value, const
    CreateLikeOptions& options) {
  return call("FullLike", {x, fill_value}, {{"dtype", options.dtype}});
}
keras::KerasTensor linspace(const keras::KerasTensor& start, const keras::OperationArgument& stop, const
    LinspaceOptions& options) {
  return call("Linspace", {start, stop}, {{"num", options.num}, {"endpoint", options.endpoint}, {"retstep",
      false}, {"dtype", options.dtype}, {"axis", options.axis}});
}
keras::KerasTensor linspace(const Tensor& start, const keras::KerasTensor& stop, const LinspaceOptions&
    options) {
  return call("Linspace", {start, stop}, {{"num", options.num}, {"endpoint", options.endpoint}, {"retstep",
      false}, {"dtype", options.dtype}, {"axis", options.axis}});
}
keras::KerasTensor take(const keras::KerasTensor& x, const keras::OperationArgument& indices, const
    TakeOptions& options) {
  return call("Take", {x, indices}, {{"axis", options.axis}});
}
keras::KerasTensor take(const Tensor& x, const keras::KerasTensor& indices, const TakeOptions& options) {
  return call("Take", {x, indices}, {{"axis", options.axis}});
}
keras::KerasTensor take_along_axis(const keras::KerasTensor& x, const keras::OperationArgument& indices, const
    TakeOptions& options) {
  return call("TakeAlongAxis", {x, indices}, {{"axis", options.axis}});
}
keras::KerasTensor scatter(const keras::KerasTensor& indices, const keras::OperationArgument& values, const
    Dims& shape) {
  return call("Scatter", {indices, values}, {{"shape", shape}});
}
keras::KerasTensor scatter(const Tensor& indices, const keras::KerasTensor& values, const Dims& shape) {
  return call("Scatter", {indices, values}, {{"shape", shape}});
}
keras::KerasTensor scatter_update(const keras::KerasTensor& inputs, const keras::OperationArgument& indices,
    const keras::OperationArgument& updates, const ScatterUpdateOptions& options) {
  return call("ScatterUpdate", {inputs, indices, updates}, {{"reduction", options.reduction}});
}
keras::KerasTensor segment_sum(const keras::KerasTensor& data, const keras::OperationArgument& segment_ids,
    const SegmentOptions& options) {
  return call("SegmentSum", {data, segment_ids}, {{"num_segments", options.num_segments}, {"sorted",
      options.sorted}});
}
keras::KerasTensor segment_max(const keras::KerasTensor& data, const keras::OperationArgument& segment_ids,
    const SegmentOptions& options) {
  return call("SegmentMax", {data, segment_ids}, {{"num_segments", options.num_segments}, {"sorted",
      options.sorted}});
}
keras::KerasTensor segment_min(const keras::KerasTensor& data, const keras::OperationArgument& segment_ids,
    const SegmentOptions& options) {
  return call("SegmentMin", {data, segment_ids}, {{"num_segments", options.num_segments}, {"sorted",
      options.sorted}});
}
keras::KerasTensor segment_prod(const keras::KerasTensor& data, const keras::OperationArgument& segment_ids,
    const SegmentOptions& options) {
  return call("SegmentProd", {data, segment_ids}, {{"num_segments", options.num_segments}, {"sorted",
      options.sorted}});
}
keras::KerasTensor one_hot(const keras::KerasTensor& x, std::int64_t num_classes, const OneHotOptions&
    options) {
  return call("OneHot", {x}, {{"num_classes", num_classes}, {"axis", options.axis}, {"dtype", options.dtype},
      {"sparse", false}});
}
keras::KerasTensor multi_hot(const keras::KerasTensor& inputs, std::int64_t num_classes, const OneHotOptions&
    options) {
  return call("MultiHot", {inputs}, {{"num_classes", num_classes}, {"axis", options.axis}, {"dtype",
      options.dtype}, {"sparse", false}});
}
keras::KerasTensor sort(const keras::KerasTensor& x, const SortAxisOptions& options) {
  return call("Sort", {x}, {{"axis", options.axis}});
}
keras::KerasTensor argsort(const keras::KerasTensor& x, const SortAxisOptions& options) {
  return call("Argsort", {x}, {{"axis", options.axis}});
}
keras::KerasTensor in_top_k(const keras::KerasTensor& targets, const keras::OperationArgument& predictions,
    std::int64_t k) {
  return call("InTopK", {targets, predictions}, {{"k", k}});
}
keras::KerasTensor in_top_k(const Tensor& targets, const keras::KerasTensor& predictions, std::int64_t k) {
  return call("InTopK", {targets, predictions}, {{"k", k}});
}
keras::KerasTensor searchsorted(const keras::KerasTensor& sorted_sequence, const keras::OperationArgument&
    values, const SearchSortedOptions& options) {
  return call("SearchSorted", {sorted_sequence, values}, {{"side", options.side}});
}
keras::KerasTensor searchsorted(const Tensor& sorted_sequence, const keras::KerasTensor& values, const
    SearchSortedOptions& options) {
  return call("SearchSorted", {sorted_sequence, values}, {{"side", options.side}});
}
keras::KerasTensor bincount(const keras::KerasTensor& x, const BincountOptions& options) {
  return call("Bincount", {x}, {{"weights", options.weights}, {"minlength", options.minlength}, {"sparse",
      false}});
}
keras::KerasTensor extract_sequences(const keras::KerasTensor& x, std::int64_t sequence_length, std::int64_t
    sequence_stride) {
  return call("ExtractSequences", {x}, {{"sequence_length", sequence_length}, {"sequence_stride",
      sequence_stride}});
}
keras::KerasTensor cross(const keras::KerasTensor& x1, const keras::OperationArgument& x2, const CrossOptions&
    options) {
  return call("Cross", {x1, x2}, {{"axisa", options.axisa}, {"axisb", options.axisb}, {"axisc",
      options.axisc}, {"axis", options.axis}});
}
keras::KerasTensor einsum(StringViewArgument subscripts, const keras::KerasTensors& operands) {
  return call("Einsum", all_of(operands), {{"subscripts", subscripts}});
}
keras::KerasTensor leaky_relu(const keras::KerasTensor& x, const LeakyReluOptions& options) {
  return call("LeakyRelu", {x}, {{"negative_slope", options.negative_slope}});
}
keras::KerasTensor elu(const keras::KerasTensor& x, const EluOptions& options) {
  return call("Elu", {x}, {{"alpha", options.alpha}});
}
keras::KerasTensor celu(const keras::KerasTensor& x, const EluOptions& options) {
  return call("Celu", {x}, {{"alpha", options.alpha}});
}
keras::KerasTensor gelu(const keras::KerasTensor& x, const GeluOptions& options) {
  return call("Gelu", {x}, {{"approximate", options.approximate}});
}
keras::KerasTensor soft_shrink(const keras::KerasTensor& x, const ShrinkOptions& options) {
  return call("SoftShrink", {x}, {{"threshold", options.threshold}});
}
keras::KerasTensor hard_shrink(const keras::KerasTensor& x, const ShrinkOptions& options) {
  return call("HardShrink", {x}, {{"threshold", options.threshold}});
}
keras::KerasTensor threshold(const keras::KerasTensor& x, double threshold, double default_value) {
  return call("Threshold", {x}, {{"threshold", threshold}, {"default_value", default_value}});
}
keras::KerasTensor glu(const keras::KerasTensor& x, const LastAxisOptions& options) {
  return call("Glu", {x}, {{"axis", options.axis}});
}
keras::KerasTensor softmax(const keras::KerasTensor& x, const SoftmaxOptions& options) {
  return call("Softmax", {x}, {{"axis", options.axis}});
}
keras::KerasTensor log_softmax(const keras::KerasTensor& x, const SoftmaxOptions& options) {
  return call("LogSoftmax", {x}, {{"axis", options.axis}});
}
keras::KerasTensor sparsemax(const keras::KerasTensor& x, const LastAxisOptions& options) {
  return call("Sparsemax", {x}, {{"axis", options.axis}});
}
keras::KerasTensor categorical_crossentropy(const keras::KerasTensor& target, const keras::OperationArgument&
    output, const CrossentropyOptions& options) {
  return call("CategoricalCrossentropy", {target, output}, {{"from_logits", options.from_logits}, {"axis",
      options.axis}});
}
keras::KerasTensor categorical_crossentropy(const Tensor& target, const keras::KerasTensor& output, const
    CrossentropyOptions& options) {
  return call("CategoricalCrossentropy", {target, output}, {{"from_logits", options.from_logits}, {"axis",
      options.axis}});
}
keras::KerasTensor sparse_categorical_crossentropy(const keras::KerasTensor& target, const
    keras::OperationArgument& output, const CrossentropyOptions& options) {
  return call("SparseCategoricalCrossentropy", {target, output}, {{"from_logits", options.from_logits},
      {"axis", options.axis}});
}
keras::KerasTensor sparse_categorical_crossentropy(const Tensor& target, const keras::KerasTensor& output,
    const CrossentropyOptions& options) {
  return call("SparseCategoricalCrossentropy", {target, output}, {{"from_logits", options.from_logits},
      {"axis", options.axis}});
}
keras::KerasTensor binary_crossentropy(const keras::KerasTensor& target, const keras::OperationArgument&
    output, const BinaryCrossentropyOptions& options) {
  return call("BinaryCrossentropy", {target, output}, {{"from_logits", options.from_logits}});
}
keras::KerasTensor binary_crossentropy(const Tensor& target, const keras::KerasTensor& output, const
    BinaryCrossentropyOptions& options) {
  return call("BinaryCrossentropy", {target, output}, {{"from_logits", options.from_logits}});
}
keras::KerasTensor psnr(const keras::KerasTensor& x1, const keras::OperationArgument& x2, double max_val) {
  return call("PSNR", {x1, x2}, {{"max_val", max_val}});
}
keras::KerasTensor psnr(const Tensor& x1, const keras::KerasTensor& x2, double max_val) {
  return call("PSNR", {x1, x2}, {{"max_val", max_val}});
}
keras::KerasTensor normalize(const keras::KerasTensor& x, const NormalizeOptions& options) {
  return call("Normalize", {x}, {{"axis", options.axis}, {"order", options.order}, {"epsilon",
      options.epsilon}});
}
keras::KerasTensor max_pool(const keras::KerasTensor& inputs, const IntOrInts& pool_size, const PoolOptions&
    options) {
  return call("MaxPool", {inputs}, {{"pool_size", pool_size}, {"strides", options.strides}, {"padding",
      options.padding}, {"data_format", options.data_format}});
}
keras::KerasTensor average_pool(const keras::KerasTensor& inputs, const IntOrInts& pool_size, const
    PoolOptions& options) {
  return call("AveragePool", {inputs}, {{"pool_size", pool_size}, {"strides", options.strides}, {"padding",
      options.padding}, {"data_format", options.data_format}});
}
keras::KerasTensor adaptive_max_pool(const keras::KerasTensor& inputs, const IntOrInts& output_size, const
    AdaptivePoolOptions& options) {
  return call("AdaptiveMaxPool", {inputs}, {{"output_size", output_size}, {"data_format",
      options.data_format}});
}
keras::KerasTensor adaptive_average_pool(const keras::KerasTensor& inputs, const IntOrInts& output_size, const
    AdaptivePoolOptions& options) {
  return call("AdaptiveAveragePool", {inputs}, {{"output_size", output_size}, {"data_format",
      options.data_format}});
}
keras::KerasTensor ctc_loss(const keras::KerasTensor& target, const keras::OperationArgument& output, const
    keras::OperationArgument& target_length, const keras::OperationArgument& output_length, const
    CtcLossOptions& options) {
  return call("CTCLoss", {target, output, target_length, output_length}, {{"mask_index",
      options.mask_index}});
}
keras::KerasTensor ctc_loss(const Tensor& target, const keras::KerasTensor& output, const
    keras::OperationArgument& target_length, const keras::OperationArgument& output_length, const
    CtcLossOptions& options) {
  return call("CTCLoss", {target, output, target_length, output_length}, {{"mask_index",
      options.mask_index}});
}
std::vector<keras::KerasTensor> ctc_decode(const keras::KerasTensor& inputs, const keras::OperationArgument&
    sequence_lengths, const CtcDecodeOptions& options) {
  return call_many("CTCDecode", {inputs, sequence_lengths}, {{"strategy", options.strategy}, {"beam_width",
      options.beam_width}, {"top_paths", options.top_paths}, {"merge_repeated", options.merge_repeated},
      {"mask_index", options.mask_index}});
}
std::vector<keras::KerasTensor> hsplit(const keras::KerasTensor& x, const IntOrInts& indices_or_sections) {
  return call_many("Hsplit", {x}, {{"indices_or_sections", indices_or_sections}});
}
std::vector<keras::KerasTensor> vsplit(const keras::KerasTensor& x, const IntOrInts& indices_or_sections) {
  return call_many("Vsplit", {x}, {{"indices_or_sections", indices_or_sections}});
}
std::vector<keras::KerasTensor> dsplit(const keras::KerasTensor& x, const IntOrInts& indices_or_sections) {
  return call_many("Dsplit", {x}, {{"indices_or_sections", indices_or_sections}});
}
keras::KerasTensor dstack(const keras::KerasTensors& xs) { return call("Dstack", all_of(xs)); }
keras::KerasTensor view(const keras::KerasTensor& x, DType dtype) {
  return call("View", {x}, {{"dtype", dtype}});
}
keras::KerasTensor depth_to_space(const keras::KerasTensor& x, std::int64_t block_size, const BlockOptions&
    options) {
  return call("DepthToSpace", {x}, {{"block_size", block_size}, {"data_format", options.data_format}});
}
keras::KerasTensor space_to_depth(const keras::KerasTensor& x, std::int64_t block_size, const BlockOptions&
    options) {
  return call("SpaceToDepth", {x}, {{"block_size", block_size}, {"data_format", options.data_format}});
}
keras::KerasTensor unfold(const keras::KerasTensor& x, const IntOrInts& kernel_size, const FoldOptions&
    options) {
  return call("Unfold", {x}, {{"kernel_size", kernel_size}, {"dilation", options.dilation}, {"padding",
      options.padding}, {"stride", options.stride}});
}
keras::KerasTensor fold(const keras::KerasTensor& x, const IntOrInts& output_size, const IntOrInts&
    kernel_size, const FoldOptions& options) {
  return call("Fold", {x}, {{"output_size", output_size}, {"kernel_size", kernel_size}, {"dilation",
      options.dilation}, {"padding", options.padding}, {"stride", options.stride}});
}
std::vector<keras::KerasTensor> unravel_index(const keras::KerasTensor& indices, const Dims& shape) {
  return call_many("UnravelIndex", {indices}, {{"shape", shape}});
}
keras::KerasTensor isin(const keras::KerasTensor& x1, const keras::OperationArgument& x2, const IsInOptions&
    options) {
  return call("IsIn", {x1, x2}, {{"assume_unique", options.assume_unique}, {"invert", options.invert}});
}
keras::KerasTensor isin(const Tensor& x1, const keras::KerasTensor& x2, const IsInOptions& options) {
  return call("IsIn", {x1, x2}, {{"assume_unique", options.assume_unique}, {"invert", options.invert}});
}
std::vector<keras::KerasTensor> histogram(const keras::KerasTensor& x, const HistogramOptions& options) {
  return call_many("Histogram", {x}, {{"bins", options.bins}, {"range", options.range}});
}
keras::KerasTensor argpartition(const keras::KerasTensor& x, std::int64_t kth, const ArgPartitionOptions&
    options) {
  return call("Argpartition", {x}, {{"kth", kth}, {"axis", options.axis}});
}
keras::KerasTensor correlate(const keras::KerasTensor& x1, const keras::OperationArgument& x2, const
    CorrelateOptions& options) {
  return call("Correlate", {x1, x2}, {{"mode", options.mode}});
}
keras::KerasTensor trapezoid(const keras::KerasTensor& y, const TrapezoidOptions& options) {
  return call("Trapezoid", {y}, {{"x", Config()}, {"dx", options.dx}, {"axis", options.axis}});
}
keras::KerasTensor vander(const keras::KerasTensor& x, const VanderOptions& options) {
  return call("Vander", {x}, {{"N", options.n}, {"increasing", options.increasing}});
}
keras::KerasTensor logspace(const keras::KerasTensor& start, const keras::OperationArgument& stop, const
    LogspaceOptions& options) {
  return call("Logspace", {start, stop}, {{"num", options.num}, {"endpoint", options.endpoint}, {"base",
      options.base}, {"dtype", options.dtype}, {"axis", options.axis}});
}
keras::KerasTensor logspace(const Tensor& start, const keras::KerasTensor& stop, const LogspaceOptions&
    options) {
  return call("Logspace", {start, stop}, {{"num", options.num}, {"endpoint", options.endpoint}, {"base",
      options.base}, {"dtype", options.dtype}, {"axis", options.axis}});
}
keras::KerasTensor geomspace(const keras::KerasTensor& start, const keras::OperationArgument& stop, const
    LinspaceOptions& options) {
  return call("Geomspace", {start, stop}, {{"num", options.num}, {"endpoint", options.endpoint}, {"dtype",
      options.dtype}, {"axis", options.axis}});
}
keras::KerasTensor geomspace(const Tensor& start, const keras::KerasTensor& stop, const LinspaceOptions&
    options) {
  return call("Geomspace", {start, stop}, {{"num", options.num}, {"endpoint", options.endpoint}, {"dtype",
      options.dtype}, {"axis", options.axis}});
}
std::vector<keras::KerasTensor> fft(const keras::KerasTensors& x) { return call_many("FFT", all_of(x)); }
std::vector<keras::KerasTensor> fft2(const keras::KerasTensors& x) { return call_many("FFT2", all_of(x)); }
std::vector<keras::KerasTensor> ifft2(const keras::KerasTensors& x) { return call_many("IFFT2", all_of(x)); }
std::vector<keras::KerasTensor> rfft(const keras::KerasTensor& x, const FftLengthOptions& options) {
  return call_many("RFFT", {x}, {{"fft_length", options.fft_length}});
}
keras::KerasTensor irfft(const keras::KerasTensors& x, const FftLengthOptions& options) {
  return call("IRFFT", all_of(x), {{"fft_length", options.fft_length}});
}
std::vector<keras::KerasTensor> stft(const keras::KerasTensor& x, std::int64_t sequence_length, std::int64_t
    sequence_stride, std::int64_t fft_length, const StftOptions& options) {
  return call_many("STFT", {x}, {{"sequence_length", sequence_length}, {"sequence_stride", sequence_stride},
      {"fft_length", fft_length}, {"window", options.window}, {"center", options.center}});
}
keras::KerasTensor istft(const keras::KerasTensors& x, std::int64_t sequence_length, std::int64_t
    sequence_stride, std::int64_t fft_length, const IstftOptions& options) {
  return call("ISTFT", all_of(x), {{"sequence_length", sequence_length}, {"sequence_stride", sequence_stride},
      {"fft_length", fft_length}, {"length", options.length}, {"window", options.window}, {"center",
      options.center}});
}
keras::KerasTensor cholesky(const keras::KerasTensor& x, const TriangleOptions& options) {
  return call("Cholesky", {x}, {{"upper", options.upper}});
}
keras::KerasTensor cholesky_inverse(const keras::KerasTensor& x, const TriangleOptions& options) {
  return call("CholeskyInverse", {x}, {{"upper", options.upper}});
}
keras::KerasTensor solve_triangular(const keras::KerasTensor& a, const keras::OperationArgument& b, const
    SolveTriangularOptions& options) {
  return call("SolveTriangular", {a, b}, {{"lower", options.lower}});
}
keras::KerasTensor solve_triangular(const Tensor& a, const keras::KerasTensor& b, const
    SolveTriangularOptions& options) {
  return call("SolveTriangular", {a, b}, {{"lower", options.lower}});
}
std::vector<keras::KerasTensor> qr(const keras::KerasTensor& x, const QrOptions& options) {
  return call_many("Qr", {x}, {{"mode", options.mode}});
}
std::vector<keras::KerasTensor> svd(const keras::KerasTensor& x, const SvdOptions& options) {
  return call_many("SVD", {x}, {{"full_matrices", options.full_matrices}, {"compute_uv",
      options.compute_uv}});
}
keras::KerasTensor pinv(const keras::KerasTensor& x, const CutoffOptions& options) {
  return call("Pinv", {x}, {{"rcond", options.rcond}});
}
keras::KerasTensor lstsq(const keras::KerasTensor& a, const keras::OperationArgument& b, const CutoffOptions&
    options) {
  return call("Lstsq", {a, b}, {{"rcond", options.rcond}});
}
keras::KerasTensor matrix_rank(const keras::KerasTensor& x, const MatrixRankOptions& options) {
  return call("MatrixRank", {x}, {{"tol", options.tol}});
}
keras::KerasTensor rgb_to_grayscale(const keras::KerasTensor& images, const ImageOptions& options) {
  return call("RGBToGrayscale", {images}, {{"data_format", options.data_format}});
}
keras::KerasTensor rgb_to_hsv(const keras::KerasTensor& images, const ImageOptions& options) {
  return call("RGBToHSV", {images}, {{"data_format", options.data_format}});
}
keras::KerasTensor hsv_to_rgb(const keras::KerasTensor& images, const ImageOptions& options) {
  return call("HSVToRGB", {images}, {{"data_format", options.data_format}});
}
keras::KerasTensor resize(const keras::KerasTensor& images, const IntOrInts& size, const ResizeOptions&
    options) {
  return call("Resize", {images}, {{"size", size}, {"interpolation", options.interpolation}, {"antialias",
      options.antialias}, {"crop_to_aspect_ratio", options.crop_to_aspect_ratio}, {"pad_to_aspect_ratio",
      options.pad_to_aspect_ratio}, {"fill_mode", options.fill_mode}, {"fill_value", options.fill_value},
      {"data_format", options.data_format}});
}
keras::KerasTensor map_coordinates(const keras::KerasTensor& inputs, const keras::OperationArgument&
    coordinates, std::int64_t order, const MapCoordinatesOptions& options) {
  return call("MapCoordinates", {inputs, coordinates}, {{"order", order}, {"fill_mode", options.fill_mode},
      {"fill_value", options.fill_value}});
}
keras::KerasTensor map_coordinates(const Tensor& inputs, const keras::KerasTensor& coordinates, std::int64_t
    order, const MapCoordinatesOptions& options) {
  return call("MapCoordinates", {inputs, coordinates}, {{"order", order}, {"fill_mode", options.fill_mode},
      {"fill_value", options.fill_value}});
}
keras::KerasTensor affine_transform(const keras::KerasTensor& images, const keras::OperationArgument&
    transform, const AffineTransformOptions& options) {
  return call("AffineTransform", {images, transform}, {{"interpolation", options.interpolation}, {"fill_mode",
      options.fill_mode}, {"fill_value", options.fill_value}, {"data_format", options.data_format}});
}
keras::KerasTensor affine_transform(const Tensor& images, const keras::KerasTensor& transform, const
    AffineTransformOptions& options) {
  return call("AffineTransform", {images, transform}, {{"interpolation", options.interpolation}, {"fill_mode",
      options.fill_mode}, {"fill_value", options.fill_value}, {"data_format", options.data_format}});
}
keras::KerasTensor perspective_transform(const keras::KerasTensor& images, const keras::OperationArgument&
    start_points, const keras::OperationArgument& end_points, const PerspectiveTransformOptions& options) {
  return call("PerspectiveTransform", {images, start_points, end_points}, {{"interpolation",
      options.interpolation}, {"fill_value", options.fill_value}, {"data_format", options.data_format}});
}
keras::KerasTensor elastic_transform(const keras::KerasTensor& images, const ElasticTransformOptions& options)
    {
  return call("ElasticTransform", {images}, {{"alpha", options.alpha}, {"sigma", options.sigma},
      {"interpolation", options.interpolation}, {"fill_mode", options.fill_mode}, {"fill_value",
      options.fill_value}, {"seed", options.seed}, {"data_format", options.data_format}});
}
keras::KerasTensor gaussian_blur(const keras::KerasTensor& images, const GaussianBlurOptions& options) {
  return call("GaussianBlur", {images}, {{"kernel_size", options.kernel_size}, {"sigma", options.sigma},
      {"data_format", options.data_format}});
}
keras::KerasTensor sobel_edges(const keras::KerasTensor& images, const ImageOptions& options) {
  return call("SobelEdges", {images}, {{"data_format", options.data_format}});
}
keras::KerasTensor pad_images(const keras::KerasTensor& images, const PadImagesOptions& options) {
  return call("PadImages", {images}, {{"top_padding", options.top_padding}, {"left_padding",
      options.left_padding}, {"bottom_padding", options.bottom_padding}, {"right_padding",
      options.right_padding}, {"target_height", options.target_height}, {"target_width",
      options.target_width}, {"data_format", options.data_format}});
}
keras::KerasTensor crop_images(const keras::KerasTensor& images, const CropImagesOptions& options) {
  return call("CropImages", {images}, {{"top_cropping", options.top_cropping}, {"left_cropping",
      options.left_cropping}, {"bottom_cropping", options.bottom_cropping}, {"right_cropping",
      options.right_cropping}, {"target_height", options.target_height}, {"target_width",
      options.target_width}, {"data_format", options.data_format}});
}
keras::KerasTensor extract_patches(const keras::KerasTensor& images, const IntOrInts& size, const
    ExtractPatchesOptions& options) {
  return call("ExtractPatches", {images}, {{"size", size}, {"strides", options.strides}, {"dilation_rate",
      options.dilation_rate}, {"padding", options.padding}, {"data_format", options.data_format}});
}
keras::KerasTensor extract_patches_3d(const keras::KerasTensor& volumes, const IntOrInts& size, const
    ExtractPatchesOptions& options) {
  return call("ExtractPatches", {volumes}, {{"size", size}, {"strides", options.strides}, {"dilation_rate",
      options.dilation_rate}, {"padding", options.padding}, {"data_format", options.data_format}});
}
keras::KerasTensor ssim(const keras::KerasTensor& image1, const keras::OperationArgument& image2, const
    SsimOptions& options) {
  return call("SSIM", {image1, image2}, {{"max_val", options.max_val}, {"filter_size", options.filter_size},
      {"filter_sigma", options.filter_sigma}, {"k1", options.k1}, {"k2", options.k2}, {"data_format",
      options.data_format}});
}

}  // namespace cornu::inline v0::ops
