// Written by tools/make_functions.py from cornu/tensor/ops/functions/*.toml.
// clang-format off
#pragma once

#include <cstdint>
#include <vector>
#include "cornu/base/string_argument.h"
#include "cornu/keras/layers/operations/operations.h"
#include "cornu/tensor/ops.h"

/// Functions of keras.ops with options, for tensors of functional models.
namespace cornu::inline v0::ops {

keras::KerasTensor allclose(const keras::KerasTensor& x1, const keras::OperationArgument& x2, const
    IsCloseOptions& options = {});
keras::KerasTensor round(const keras::KerasTensor& x, const RoundOptions& options = {});
keras::KerasTensor nan_to_num(const keras::KerasTensor& x, const NanToNumOptions& options = {});
keras::KerasTensor clip(const keras::KerasTensor& x, double x_min, double x_max);
keras::KerasTensor cast(const keras::KerasTensor& x, DType dtype);
keras::KerasTensor saturate_cast(const keras::KerasTensor& x, DType dtype);
keras::KerasTensor convert_to_tensor(const keras::KerasTensor& x, const ConvertOptions& options = {});
keras::KerasTensor sum(const keras::KerasTensor& x, const ReduceOptions& options = {});
keras::KerasTensor mean(const keras::KerasTensor& x, const ReduceOptions& options = {});
keras::KerasTensor prod(const keras::KerasTensor& x, const ProdOptions& options = {});
keras::KerasTensor max(const keras::KerasTensor& x, const ExtremumOptions& options = {});
keras::KerasTensor min(const keras::KerasTensor& x, const ExtremumOptions& options = {});
keras::KerasTensor amax(const keras::KerasTensor& x, const ReduceOptions& options = {});
keras::KerasTensor amin(const keras::KerasTensor& x, const ReduceOptions& options = {});
keras::KerasTensor ptp(const keras::KerasTensor& x, const ReduceOptions& options = {});
keras::KerasTensor var(const keras::KerasTensor& x, const ReduceOptions& options = {});
keras::KerasTensor std(const keras::KerasTensor& x, const ReduceOptions& options = {});
keras::KerasTensor median(const keras::KerasTensor& x, const ReduceOptions& options = {});
keras::KerasTensor logsumexp(const keras::KerasTensor& x, const ReduceOptions& options = {});
keras::KerasTensor all(const keras::KerasTensor& x, const ReduceOptions& options = {});
keras::KerasTensor any(const keras::KerasTensor& x, const ReduceOptions& options = {});
keras::KerasTensor count_nonzero(const keras::KerasTensor& x, const CountNonzeroOptions& options = {});
keras::KerasTensor argmax(const keras::KerasTensor& x, const ArgOptions& options = {});
keras::KerasTensor argmin(const keras::KerasTensor& x, const ArgOptions& options = {});
keras::KerasTensor cumsum(const keras::KerasTensor& x, const CumulativeOptions& options = {});
keras::KerasTensor cumprod(const keras::KerasTensor& x, const CumulativeOptions& options = {});
keras::KerasTensor nansum(const keras::KerasTensor& x, const ReduceOptions& options = {});
keras::KerasTensor nanprod(const keras::KerasTensor& x, const ReduceOptions& options = {});
keras::KerasTensor nanmax(const keras::KerasTensor& x, const ReduceOptions& options = {});
keras::KerasTensor nanmin(const keras::KerasTensor& x, const ReduceOptions& options = {});
keras::KerasTensor nanmean(const keras::KerasTensor& x, const ReduceOptions& options = {});
keras::KerasTensor nanvar(const keras::KerasTensor& x, const ReduceOptions& options = {});
keras::KerasTensor nanstd(const keras::KerasTensor& x, const ReduceOptions& options = {});
keras::KerasTensor nancumsum(const keras::KerasTensor& x, const CumulativeOptions& options = {});
keras::KerasTensor nancumprod(const keras::KerasTensor& x, const CumulativeOptions& options = {});
keras::KerasTensor nanargmax(const keras::KerasTensor& x, const ArgOptions& options = {});
keras::KerasTensor nanargmin(const keras::KerasTensor& x, const ArgOptions& options = {});
keras::KerasTensor nanmedian(const keras::KerasTensor& x, const ReduceOptions& options = {});
keras::KerasTensor reshape(const keras::KerasTensor& x, const Dims& newshape);
keras::KerasTensor swapaxes(const keras::KerasTensor& x, std::int64_t axis1, std::int64_t axis2);
keras::KerasTensor moveaxis(const keras::KerasTensor& x, const Axes& source, const Axes& destination);
keras::KerasTensor broadcast_to(const keras::KerasTensor& x, const Dims& shape);
keras::KerasTensor expand_dims(const keras::KerasTensor& x, const Axes& axis);
keras::KerasTensor squeeze(const keras::KerasTensor& x, const SqueezeOptions& options = {});
keras::KerasTensor concatenate(const keras::KerasTensors& xs, const JoinOptions& options = {});
keras::KerasTensor stack(const keras::KerasTensors& x, const JoinOptions& options = {});
keras::KerasTensor hstack(const keras::KerasTensors& xs);
keras::KerasTensor vstack(const keras::KerasTensors& xs);
keras::KerasTensor append(const keras::KerasTensor& x1, const keras::OperationArgument& x2, const
    AppendOptions& options = {});
keras::KerasTensor append(const Tensor& x1, const keras::KerasTensor& x2, const AppendOptions& options = {});
std::vector<keras::KerasTensor> unstack(const keras::KerasTensor& x, const SplitOptions& options = {});
std::vector<keras::KerasTensor> split(const keras::KerasTensor& x, const IntOrInts& indices_or_sections, const
    SplitOptions& options = {});
keras::KerasTensor tile(const keras::KerasTensor& x, const IntOrInts& repeats);
keras::KerasTensor repeat(const keras::KerasTensor& x, const IntOrInts& repeats, const RepeatOptions& options
    = {});
keras::KerasTensor flip(const keras::KerasTensor& x, const FlipOptions& options = {});
keras::KerasTensor rot90(const keras::KerasTensor& array, const Rot90Options& options = {});
keras::KerasTensor roll(const keras::KerasTensor& x, const IntOrInts& shift, const RollOptions& options = {});
keras::KerasTensor diag(const keras::KerasTensor& x, const DiagOptions& options = {});
keras::KerasTensor diagflat(const keras::KerasTensor& x, const DiagOptions& options = {});
keras::KerasTensor diagonal(const keras::KerasTensor& x, const DiagonalOptions& options = {});
keras::KerasTensor trace(const keras::KerasTensor& x, const DiagonalOptions& options = {});
keras::KerasTensor tril(const keras::KerasTensor& x, const DiagOptions& options = {});
keras::KerasTensor triu(const keras::KerasTensor& x, const DiagOptions& options = {});
keras::KerasTensor diff(const keras::KerasTensor& a, const DiffOptions& options = {});
std::vector<keras::KerasTensor> meshgrid(const keras::KerasTensors& x, const MeshgridOptions& options = {});
keras::KerasTensor full(const Dims& shape, const keras::KerasTensor& fill_value, const CreateOptions& options
    = {});
keras::KerasTensor zeros_like(const keras::KerasTensor& x, const CreateLikeOptions& options = {});
keras::KerasTensor ones_like(const keras::KerasTensor& x, const CreateLikeOptions& options = {});
keras::KerasTensor empty_like(const keras::KerasTensor& x, const CreateLikeOptions& options = {});
keras::KerasTensor full_like(const keras::KerasTensor& x, const keras::OperationArgument& fill_value, const
    CreateLikeOptions& options = {});
keras::KerasTensor linspace(const keras::KerasTensor& start, const keras::OperationArgument& stop, const
    LinspaceOptions& options = {});
keras::KerasTensor linspace(const Tensor& start, const keras::KerasTensor& stop, const LinspaceOptions&
    options = {});
keras::KerasTensor take(const keras::KerasTensor& x, const keras::OperationArgument& indices, const
    TakeOptions& options = {});
keras::KerasTensor take(const Tensor& x, const keras::KerasTensor& indices, const TakeOptions& options = {});
keras::KerasTensor take_along_axis(const keras::KerasTensor& x, const keras::OperationArgument& indices, const
    TakeOptions& options = {});
keras::KerasTensor scatter(const keras::KerasTensor& indices, const keras::OperationArgument& values, const
    Dims& shape);
keras::KerasTensor scatter(const Tensor& indices, const keras::KerasTensor& values, const Dims& shape);
keras::KerasTensor scatter_update(const keras::KerasTensor& inputs, const keras::OperationArgument& indices,
    const keras::OperationArgument& updates, const ScatterUpdateOptions& options = {});
/// In a graph num_segments must be given.
keras::KerasTensor segment_sum(const keras::KerasTensor& data, const keras::OperationArgument& segment_ids,
    const SegmentOptions& options = {});
/// In a graph num_segments must be given.
keras::KerasTensor segment_max(const keras::KerasTensor& data, const keras::OperationArgument& segment_ids,
    const SegmentOptions& options = {});
/// In a graph num_segments must be given.
keras::KerasTensor segment_min(const keras::KerasTensor& data, const keras::OperationArgument& segment_ids,
    const SegmentOptions& options = {});
/// In a graph num_segments must be given.
keras::KerasTensor segment_prod(const keras::KerasTensor& data, const keras::OperationArgument& segment_ids,
    const SegmentOptions& options = {});
keras::KerasTensor one_hot(const keras::KerasTensor& x, std::int64_t num_classes, const OneHotOptions& options
    = {});
keras::KerasTensor multi_hot(const keras::KerasTensor& inputs, std::int64_t num_classes, const OneHotOptions&
    options = {});
keras::KerasTensor sort(const keras::KerasTensor& x, const SortAxisOptions& options = {});
keras::KerasTensor argsort(const keras::KerasTensor& x, const SortAxisOptions& options = {});
keras::KerasTensor in_top_k(const keras::KerasTensor& targets, const keras::OperationArgument& predictions,
    std::int64_t k);
keras::KerasTensor in_top_k(const Tensor& targets, const keras::KerasTensor& predictions, std::int64_t k);
keras::KerasTensor searchsorted(const keras::KerasTensor& sorted_sequence, const keras::OperationArgument&
    values, const SearchSortedOptions& options = {});
keras::KerasTensor searchsorted(const Tensor& sorted_sequence, const keras::KerasTensor& values, const
    SearchSortedOptions& options = {});
keras::KerasTensor bincount(const keras::KerasTensor& x, const BincountOptions& options = {});
keras::KerasTensor extract_sequences(const keras::KerasTensor& x, std::int64_t sequence_length, std::int64_t
    sequence_stride);
keras::KerasTensor cross(const keras::KerasTensor& x1, const keras::OperationArgument& x2, const CrossOptions&
    options = {});
keras::KerasTensor einsum(StringViewArgument subscripts, const keras::KerasTensors& operands);
keras::KerasTensor leaky_relu(const keras::KerasTensor& x, const LeakyReluOptions& options = {});
keras::KerasTensor elu(const keras::KerasTensor& x, const EluOptions& options = {});
keras::KerasTensor celu(const keras::KerasTensor& x, const EluOptions& options = {});
keras::KerasTensor gelu(const keras::KerasTensor& x, const GeluOptions& options = {});
keras::KerasTensor soft_shrink(const keras::KerasTensor& x, const ShrinkOptions& options = {});
keras::KerasTensor hard_shrink(const keras::KerasTensor& x, const ShrinkOptions& options = {});
keras::KerasTensor threshold(const keras::KerasTensor& x, double threshold, double default_value);
keras::KerasTensor glu(const keras::KerasTensor& x, const LastAxisOptions& options = {});
keras::KerasTensor softmax(const keras::KerasTensor& x, const SoftmaxOptions& options = {});
keras::KerasTensor log_softmax(const keras::KerasTensor& x, const SoftmaxOptions& options = {});
keras::KerasTensor sparsemax(const keras::KerasTensor& x, const LastAxisOptions& options = {});
keras::KerasTensor categorical_crossentropy(const keras::KerasTensor& target, const keras::OperationArgument&
    output, const CrossentropyOptions& options = {});
keras::KerasTensor categorical_crossentropy(const Tensor& target, const keras::KerasTensor& output, const
    CrossentropyOptions& options = {});
keras::KerasTensor sparse_categorical_crossentropy(const keras::KerasTensor& target, const
    keras::OperationArgument& output, const CrossentropyOptions& options = {});
keras::KerasTensor sparse_categorical_crossentropy(const Tensor& target, const keras::KerasTensor& output,
    const CrossentropyOptions& options = {});
keras::KerasTensor binary_crossentropy(const keras::KerasTensor& target, const keras::OperationArgument&
    output, const BinaryCrossentropyOptions& options = {});
keras::KerasTensor binary_crossentropy(const Tensor& target, const keras::KerasTensor& output, const
    BinaryCrossentropyOptions& options = {});
keras::KerasTensor psnr(const keras::KerasTensor& x1, const keras::OperationArgument& x2, double max_val);
keras::KerasTensor psnr(const Tensor& x1, const keras::KerasTensor& x2, double max_val);
keras::KerasTensor normalize(const keras::KerasTensor& x, const NormalizeOptions& options = {});
keras::KerasTensor max_pool(const keras::KerasTensor& inputs, const IntOrInts& pool_size, const PoolOptions&
    options = {});
keras::KerasTensor average_pool(const keras::KerasTensor& inputs, const IntOrInts& pool_size, const
    PoolOptions& options = {});
keras::KerasTensor adaptive_max_pool(const keras::KerasTensor& inputs, const IntOrInts& output_size, const
    AdaptivePoolOptions& options = {});
keras::KerasTensor adaptive_average_pool(const keras::KerasTensor& inputs, const IntOrInts& output_size, const
    AdaptivePoolOptions& options = {});
keras::KerasTensor ctc_loss(const keras::KerasTensor& target, const keras::OperationArgument& output, const
    keras::OperationArgument& target_length, const keras::OperationArgument& output_length, const
    CtcLossOptions& options = {});
keras::KerasTensor ctc_loss(const Tensor& target, const keras::KerasTensor& output, const
    keras::OperationArgument& target_length, const keras::OperationArgument& output_length, const
    CtcLossOptions& options = {});
std::vector<keras::KerasTensor> ctc_decode(const keras::KerasTensor& inputs, const keras::OperationArgument&
    sequence_lengths, const CtcDecodeOptions& options = {});
std::vector<keras::KerasTensor> hsplit(const keras::KerasTensor& x, const IntOrInts& indices_or_sections);
std::vector<keras::KerasTensor> vsplit(const keras::KerasTensor& x, const IntOrInts& indices_or_sections);
std::vector<keras::KerasTensor> dsplit(const keras::KerasTensor& x, const IntOrInts& indices_or_sections);
keras::KerasTensor dstack(const keras::KerasTensors& xs);
keras::KerasTensor view(const keras::KerasTensor& x, DType dtype);
keras::KerasTensor depth_to_space(const keras::KerasTensor& x, std::int64_t block_size, const BlockOptions&
    options = {});
keras::KerasTensor space_to_depth(const keras::KerasTensor& x, std::int64_t block_size, const BlockOptions&
    options = {});
keras::KerasTensor unfold(const keras::KerasTensor& x, const IntOrInts& kernel_size, const FoldOptions&
    options = {});
keras::KerasTensor fold(const keras::KerasTensor& x, const IntOrInts& output_size, const IntOrInts&
    kernel_size, const FoldOptions& options = {});
std::vector<keras::KerasTensor> unravel_index(const keras::KerasTensor& indices, const Dims& shape);
keras::KerasTensor isin(const keras::KerasTensor& x1, const keras::OperationArgument& x2, const IsInOptions&
    options = {});
keras::KerasTensor isin(const Tensor& x1, const keras::KerasTensor& x2, const IsInOptions& options = {});
std::vector<keras::KerasTensor> histogram(const keras::KerasTensor& x, const HistogramOptions& options = {});
keras::KerasTensor argpartition(const keras::KerasTensor& x, std::int64_t kth, const ArgPartitionOptions&
    options = {});
keras::KerasTensor correlate(const keras::KerasTensor& x1, const keras::OperationArgument& x2, const
    CorrelateOptions& options = {});
keras::KerasTensor trapezoid(const keras::KerasTensor& y, const TrapezoidOptions& options = {});
keras::KerasTensor vander(const keras::KerasTensor& x, const VanderOptions& options = {});
keras::KerasTensor logspace(const keras::KerasTensor& start, const keras::OperationArgument& stop, const
    LogspaceOptions& options = {});
keras::KerasTensor logspace(const Tensor& start, const keras::KerasTensor& stop, const LogspaceOptions&
    options = {});
keras::KerasTensor geomspace(const keras::KerasTensor& start, const keras::OperationArgument& stop, const
    LinspaceOptions& options = {});
keras::KerasTensor geomspace(const Tensor& start, const keras::KerasTensor& stop, const LinspaceOptions&
    options = {});
std::vector<keras::KerasTensor> fft(const keras::KerasTensors& x);
std::vector<keras::KerasTensor> fft2(const keras::KerasTensors& x);
std::vector<keras::KerasTensor> ifft2(const keras::KerasTensors& x);
std::vector<keras::KerasTensor> rfft(const keras::KerasTensor& x, const FftLengthOptions& options = {});
keras::KerasTensor irfft(const keras::KerasTensors& x, const FftLengthOptions& options = {});
std::vector<keras::KerasTensor> stft(const keras::KerasTensor& x, std::int64_t sequence_length, std::int64_t
    sequence_stride, std::int64_t fft_length, const StftOptions& options = {});
keras::KerasTensor istft(const keras::KerasTensors& x, std::int64_t sequence_length, std::int64_t
    sequence_stride, std::int64_t fft_length, const IstftOptions& options = {});
keras::KerasTensor cholesky(const keras::KerasTensor& x, const TriangleOptions& options = {});
keras::KerasTensor cholesky_inverse(const keras::KerasTensor& x, const TriangleOptions& options = {});
keras::KerasTensor solve_triangular(const keras::KerasTensor& a, const keras::OperationArgument& b, const
    SolveTriangularOptions& options = {});
keras::KerasTensor solve_triangular(const Tensor& a, const keras::KerasTensor& b, const
    SolveTriangularOptions& options = {});
std::vector<keras::KerasTensor> qr(const keras::KerasTensor& x, const QrOptions& options = {});
std::vector<keras::KerasTensor> svd(const keras::KerasTensor& x, const SvdOptions& options = {});
keras::KerasTensor pinv(const keras::KerasTensor& x, const CutoffOptions& options = {});
keras::KerasTensor lstsq(const keras::KerasTensor& a, const keras::OperationArgument& b, const CutoffOptions&
    options = {});
keras::KerasTensor matrix_rank(const keras::KerasTensor& x, const MatrixRankOptions& options = {});
keras::KerasTensor rgb_to_grayscale(const keras::KerasTensor& images, const ImageOptions& options = {});
keras::KerasTensor rgb_to_hsv(const keras::KerasTensor& images, const ImageOptions& options = {});
keras::KerasTensor hsv_to_rgb(const keras::KerasTensor& images, const ImageOptions& options = {});
keras::KerasTensor resize(const keras::KerasTensor& images, const IntOrInts& size, const ResizeOptions&
    options = {});
keras::KerasTensor map_coordinates(const keras::KerasTensor& inputs, const keras::OperationArgument&
    coordinates, std::int64_t order, const MapCoordinatesOptions& options = {});
keras::KerasTensor map_coordinates(const Tensor& inputs, const keras::KerasTensor& coordinates, std::int64_t
    order, const MapCoordinatesOptions& options = {});
keras::KerasTensor affine_transform(const keras::KerasTensor& images, const keras::OperationArgument&
    transform, const AffineTransformOptions& options = {});
keras::KerasTensor affine_transform(const Tensor& images, const keras::KerasTensor& transform, const
    AffineTransformOptions& options = {});
keras::KerasTensor perspective_transform(const keras::KerasTensor& images, const keras::OperationArgument&
    start_points, const keras::OperationArgument& end_points, const PerspectiveTransformOptions& options =
    {});
keras::KerasTensor elastic_transform(const keras::KerasTensor& images, const ElasticTransformOptions& options
    = {});
keras::KerasTensor gaussian_blur(const keras::KerasTensor& images, const GaussianBlurOptions& options = {});
keras::KerasTensor sobel_edges(const keras::KerasTensor& images, const ImageOptions& options = {});
keras::KerasTensor pad_images(const keras::KerasTensor& images, const PadImagesOptions& options = {});
keras::KerasTensor crop_images(const keras::KerasTensor& images, const CropImagesOptions& options = {});
keras::KerasTensor extract_patches(const keras::KerasTensor& images, const IntOrInts& size, const
    ExtractPatchesOptions& options = {});
keras::KerasTensor extract_patches_3d(const keras::KerasTensor& volumes, const IntOrInts& size, const
    ExtractPatchesOptions& options = {});
keras::KerasTensor ssim(const keras::KerasTensor& image1, const keras::OperationArgument& image2, const
    SsimOptions& options = {});

}  // namespace cornu::inline v0::ops
