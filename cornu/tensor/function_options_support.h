// Written by tools/make_functions.py from cornu/tensor/ops/functions/*.toml.
// clang-format off
#pragma once

#include "cornu/tensor/ops.h"
#include "cornu/tensor/ops/attention.h"

/// Options of functions, read from the arguments of a call (function_calls_support.h).
namespace cornu::inline v0::ops::calls {

template <typename Call>
IsCloseOptions is_close_options(const Call& c) {
  using O = IsCloseOptions;
  return c.template options<O>("rtol", &O::rtol, "atol", &O::atol, "equal_nan", &O::equal_nan);
}
template <typename Call>
RoundOptions round_options(const Call& c) {
  using O = RoundOptions;
  return c.template options<O>("decimals", &O::decimals);
}
template <typename Call>
NanToNumOptions nan_to_num_options(const Call& c) {
  using O = NanToNumOptions;
  return c.template options<O>("nan", &O::nan, "posinf", &O::posinf, "neginf", &O::neginf);
}
template <typename Call>
ConvertOptions convert_options(const Call& c) {
  using O = ConvertOptions;
  return c.template options<O>("dtype", &O::dtype);
}
template <typename Call>
ReduceOptions reduce_options(const Call& c) {
  using O = ReduceOptions;
  return c.template options<O>("axis", &O::axis, "keepdims", &O::keepdims);
}
template <typename Call>
ProdOptions prod_options(const Call& c) {
  using O = ProdOptions;
  return c.template options<O>("axis", &O::axis, "keepdims", &O::keepdims, "dtype", &O::dtype);
}
template <typename Call>
ExtremumOptions extremum_options(const Call& c) {
  using O = ExtremumOptions;
  return c.template options<O>("axis", &O::axis, "keepdims", &O::keepdims, "initial", &O::initial);
}
template <typename Call>
QuantileOptions quantile_options(const Call& c) {
  using O = QuantileOptions;
  return c.template options<O>("axis", &O::axis, "method", &O::method, "keepdims", &O::keepdims);
}
template <typename Call>
CountNonzeroOptions count_nonzero_options(const Call& c) {
  using O = CountNonzeroOptions;
  return c.template options<O>("axis", &O::axis);
}
template <typename Call>
AverageOptions average_options(const Call& c) {
  using O = AverageOptions;
  return c.template options<O>("axis", &O::axis, "weights", &O::weights);
}
template <typename Call>
ArgOptions arg_options(const Call& c) {
  using O = ArgOptions;
  return c.template options<O>("axis", &O::axis, "keepdims", &O::keepdims);
}
template <typename Call>
CumulativeOptions cumulative_options(const Call& c) {
  using O = CumulativeOptions;
  return c.template options<O>("axis", &O::axis, "dtype", &O::dtype);
}
template <typename Call>
NormOptions norm_options(const Call& c) {
  using O = NormOptions;
  return c.template options<O>("ord", &O::ord, "axis", &O::axis, "keepdims", &O::keepdims);
}
template <typename Call>
TransposeOptions transpose_options(const Call& c) {
  using O = TransposeOptions;
  return c.template options<O>("axes", &O::axes);
}
template <typename Call>
SqueezeOptions squeeze_options(const Call& c) {
  using O = SqueezeOptions;
  return c.template options<O>("axis", &O::axis);
}
template <typename Call>
JoinOptions join_options(const Call& c) {
  using O = JoinOptions;
  return c.template options<O>("axis", &O::axis);
}
template <typename Call>
AppendOptions append_options(const Call& c) {
  using O = AppendOptions;
  return c.template options<O>("axis", &O::axis);
}
template <typename Call>
SplitOptions split_options(const Call& c) {
  using O = SplitOptions;
  return c.template options<O>("axis", &O::axis);
}
template <typename Call>
RepeatOptions repeat_options(const Call& c) {
  using O = RepeatOptions;
  return c.template options<O>("axis", &O::axis);
}
template <typename Call>
FlipOptions flip_options(const Call& c) {
  using O = FlipOptions;
  return c.template options<O>("axis", &O::axis);
}
template <typename Call>
Rot90Options rot90_options(const Call& c) {
  using O = Rot90Options;
  return c.template options<O>("k", &O::k, "axes", &O::axes);
}
template <typename Call>
RollOptions roll_options(const Call& c) {
  using O = RollOptions;
  return c.template options<O>("axis", &O::axis);
}
template <typename Call>
PadOptions pad_options(const Call& c) {
  using O = PadOptions;
  return c.template options<O>("mode", &O::mode, "constant_values", &O::constant_values);
}
template <typename Call>
DiagOptions diag_options(const Call& c) {
  using O = DiagOptions;
  return c.template options<O>("k", &O::k);
}
template <typename Call>
DiagonalOptions diagonal_options(const Call& c) {
  using O = DiagonalOptions;
  return c.template options<O>("offset", &O::offset, "axis1", &O::axis1, "axis2", &O::axis2);
}
template <typename Call>
DiffOptions diff_options(const Call& c) {
  using O = DiffOptions;
  return c.template options<O>("n", &O::n, "axis", &O::axis);
}
template <typename Call>
MeshgridOptions meshgrid_options(const Call& c) {
  using O = MeshgridOptions;
  return c.template options<O>("indexing", &O::indexing);
}
template <typename Call>
CreateOptions create_options(const Call& c) {
  using O = CreateOptions;
  return c.template options<O>("dtype", &O::dtype);
}
template <typename Call>
CreateLikeOptions create_like_options(const Call& c) {
  using O = CreateLikeOptions;
  return c.template options<O>("dtype", &O::dtype);
}
template <typename Call>
EyeOptions eye_options(const Call& c) {
  using O = EyeOptions;
  return c.template options<O>("M", &O::m, "k", &O::k, "dtype", &O::dtype);
}
template <typename Call>
LinspaceOptions linspace_options(const Call& c) {
  using O = LinspaceOptions;
  return c.template options<O>("num", &O::num, "endpoint", &O::endpoint, "dtype", &O::dtype, "axis",
      &O::axis);
}
template <typename Call>
TakeOptions take_options(const Call& c) {
  using O = TakeOptions;
  return c.template options<O>("axis", &O::axis);
}
template <typename Call>
ScatterUpdateOptions scatter_update_options(const Call& c) {
  using O = ScatterUpdateOptions;
  return c.template options<O>("reduction", Call::null_is_default(&O::reduction));
}
template <typename Call>
SegmentOptions segment_options(const Call& c) {
  using O = SegmentOptions;
  return c.template options<O>("num_segments", &O::num_segments, "sorted", &O::sorted);
}
template <typename Call>
OneHotOptions one_hot_options(const Call& c) {
  using O = OneHotOptions;
  return c.template options<O>("axis", &O::axis, "dtype", Call::null_is_default(&O::dtype));
}
template <typename Call>
SortAxisOptions sort_axis_options(const Call& c) {
  using O = SortAxisOptions;
  return c.template options<O>("axis", &O::axis);
}
template <typename Call>
TopKOptions top_k_options(const Call& c) {
  using O = TopKOptions;
  return c.template options<O>("sorted", &O::sorted);
}
template <typename Call>
SearchSortedOptions search_sorted_options(const Call& c) {
  using O = SearchSortedOptions;
  return c.template options<O>("side", &O::side);
}
template <typename Call>
BincountOptions bincount_options(const Call& c) {
  using O = BincountOptions;
  return c.template options<O>("weights", &O::weights, "minlength", &O::minlength);
}
template <typename Call>
TensordotOptions tensordot_options(const Call& c) {
  using O = TensordotOptions;
  return c.template options<O>("axes", &O::axes);
}
template <typename Call>
CrossOptions cross_options(const Call& c) {
  using O = CrossOptions;
  return c.template options<O>("axisa", &O::axisa, "axisb", &O::axisb, "axisc", &O::axisc, "axis", &O::axis);
}
template <typename Call>
LeakyReluOptions leaky_relu_options(const Call& c) {
  using O = LeakyReluOptions;
  return c.template options<O>("negative_slope", &O::negative_slope);
}
template <typename Call>
EluOptions elu_options(const Call& c) {
  using O = EluOptions;
  return c.template options<O>("alpha", &O::alpha);
}
template <typename Call>
GeluOptions gelu_options(const Call& c) {
  using O = GeluOptions;
  return c.template options<O>("approximate", &O::approximate);
}
template <typename Call>
ShrinkOptions shrink_options(const Call& c) {
  using O = ShrinkOptions;
  return c.template options<O>("threshold", &O::threshold);
}
template <typename Call>
SquareplusOptions squareplus_options(const Call& c) {
  using O = SquareplusOptions;
  return c.template options<O>("b", &O::b);
}
template <typename Call>
LastAxisOptions last_axis_options(const Call& c) {
  using O = LastAxisOptions;
  return c.template options<O>("axis", &O::axis);
}
template <typename Call>
SoftmaxOptions softmax_options(const Call& c) {
  using O = SoftmaxOptions;
  return c.template options<O>("axis", &O::axis);
}
template <typename Call>
CrossentropyOptions crossentropy_options(const Call& c) {
  using O = CrossentropyOptions;
  return c.template options<O>("from_logits", &O::from_logits, "axis", &O::axis);
}
template <typename Call>
BinaryCrossentropyOptions binary_crossentropy_options(const Call& c) {
  using O = BinaryCrossentropyOptions;
  return c.template options<O>("from_logits", &O::from_logits);
}
template <typename Call>
MomentsOptions moments_options(const Call& c) {
  using O = MomentsOptions;
  return c.template options<O>("keepdims", &O::keepdims);
}
template <typename Call>
NormalizeOptions normalize_options(const Call& c) {
  using O = NormalizeOptions;
  return c.template options<O>("axis", &O::axis, "order", &O::order, "epsilon", &O::epsilon);
}
template <typename Call>
BatchNormalizationOptions batch_normalization_options(const Call& c) {
  using O = BatchNormalizationOptions;
  return c.template options<O>("axis", &O::axis, "epsilon", &O::epsilon, "offset", &O::offset, "scale",
      &O::scale);
}
template <typename Call>
LayerNormalizationOptions layer_normalization_options(const Call& c) {
  using O = LayerNormalizationOptions;
  return c.template options<O>("axis", &O::axis, "epsilon", &O::epsilon, "gamma", &O::gamma, "beta",
      &O::beta);
}
template <typename Call>
RmsNormalizationOptions rms_normalization_options(const Call& c) {
  using O = RmsNormalizationOptions;
  return c.template options<O>("axis", &O::axis, "epsilon", &O::epsilon, "scale", &O::scale);
}
template <typename Call>
ConvOptions conv_options(const Call& c) {
  using O = ConvOptions;
  return c.template options<O>("strides", &O::strides, "padding", &O::padding, "data_format",
      Call::null_is_default(&O::data_format), "dilation_rate", &O::dilation_rate);
}
template <typename Call>
ConvTransposeOptions conv_transpose_options(const Call& c) {
  using O = ConvTransposeOptions;
  return c.template options<O>("strides", &O::strides, "padding", &O::padding, "output_padding",
      &O::output_padding, "data_format", Call::null_is_default(&O::data_format), "dilation_rate",
      &O::dilation_rate);
}
template <typename Call>
PoolOptions pool_options(const Call& c) {
  using O = PoolOptions;
  return c.template options<O>("strides", &O::strides, "padding", &O::padding, "data_format",
      Call::null_is_default(&O::data_format));
}
template <typename Call>
AdaptivePoolOptions adaptive_pool_options(const Call& c) {
  using O = AdaptivePoolOptions;
  return c.template options<O>("data_format", Call::null_is_default(&O::data_format));
}
template <typename Call>
AttentionOptions attention_options(const Call& c) {
  using O = AttentionOptions;
  return c.template options<O>("is_causal", &O::is_causal, "scale", &O::scale, "bias", &O::bias, "mask",
      &O::mask);
}
template <typename Call>
CtcLossOptions ctc_loss_options(const Call& c) {
  using O = CtcLossOptions;
  return c.template options<O>("mask_index", &O::mask_index);
}
template <typename Call>
CtcDecodeOptions ctc_decode_options(const Call& c) {
  using O = CtcDecodeOptions;
  return c.template options<O>("strategy", &O::strategy, "beam_width", &O::beam_width, "top_paths",
      &O::top_paths, "merge_repeated", &O::merge_repeated, "mask_index", &O::mask_index);
}
template <typename Call>
RearrangeOptions rearrange_options(const Call& c) {
  using O = RearrangeOptions;
  return c.template options<O>("axes_lengths", &O::axes_lengths);
}
template <typename Call>
BlockOptions block_options(const Call& c) {
  using O = BlockOptions;
  return c.template options<O>("data_format", &O::data_format);
}
template <typename Call>
FoldOptions fold_options(const Call& c) {
  using O = FoldOptions;
  return c.template options<O>("dilation", &O::dilation, "padding", &O::padding, "stride", &O::stride);
}
template <typename Call>
IsInOptions is_in_options(const Call& c) {
  using O = IsInOptions;
  return c.template options<O>("assume_unique", &O::assume_unique, "invert", &O::invert);
}
template <typename Call>
HistogramOptions histogram_options(const Call& c) {
  using O = HistogramOptions;
  return c.template options<O>("bins", &O::bins, "range", Call::null_is_default(&O::range));
}
template <typename Call>
ArgPartitionOptions arg_partition_options(const Call& c) {
  using O = ArgPartitionOptions;
  return c.template options<O>("axis", &O::axis);
}
template <typename Call>
UniqueOptions unique_options(const Call& c) {
  using O = UniqueOptions;
  return c.template options<O>("axis", &O::axis, "size", &O::size, "fill_value", &O::fill_value);
}
template <typename Call>
NonzeroOptions nonzero_options(const Call& c) {
  using O = NonzeroOptions;
  return c.template options<O>("size", &O::size, "fill_value", &O::fill_value);
}
template <typename Call>
CorrelateOptions correlate_options(const Call& c) {
  using O = CorrelateOptions;
  return c.template options<O>("mode", &O::mode);
}
template <typename Call>
TrapezoidOptions trapezoid_options(const Call& c) {
  using O = TrapezoidOptions;
  return c.template options<O>("dx", &O::dx, "axis", &O::axis);
}
template <typename Call>
VanderOptions vander_options(const Call& c) {
  using O = VanderOptions;
  return c.template options<O>("N", &O::n, "increasing", &O::increasing);
}
template <typename Call>
LogspaceOptions logspace_options(const Call& c) {
  using O = LogspaceOptions;
  return c.template options<O>("num", &O::num, "endpoint", &O::endpoint, "base", &O::base, "dtype", &O::dtype,
      "axis", &O::axis);
}
template <typename Call>
FftLengthOptions fft_length_options(const Call& c) {
  using O = FftLengthOptions;
  return c.template options<O>("fft_length", &O::fft_length);
}
template <typename Call>
StftOptions stft_options(const Call& c) {
  using O = StftOptions;
  return c.template options<O>("window", &O::window, "center", &O::center);
}
template <typename Call>
IstftOptions istft_options(const Call& c) {
  using O = IstftOptions;
  return c.template options<O>("length", &O::length, "window", &O::window, "center", &O::center);
}
template <typename Call>
TriangleOptions triangle_options(const Call& c) {
  using O = TriangleOptions;
  return c.template options<O>("upper", &O::upper);
}
template <typename Call>
SolveTriangularOptions solve_triangular_options(const Call& c) {
  using O = SolveTriangularOptions;
  return c.template options<O>("lower", &O::lower);
}
template <typename Call>
QrOptions qr_options(const Call& c) {
  using O = QrOptions;
  return c.template options<O>("mode", &O::mode);
}
template <typename Call>
SvdOptions svd_options(const Call& c) {
  using O = SvdOptions;
  return c.template options<O>("full_matrices", &O::full_matrices, "compute_uv", &O::compute_uv);
}
template <typename Call>
CutoffOptions cutoff_options(const Call& c) {
  using O = CutoffOptions;
  return c.template options<O>("rcond", &O::rcond);
}
template <typename Call>
MatrixRankOptions matrix_rank_options(const Call& c) {
  using O = MatrixRankOptions;
  return c.template options<O>("tol", &O::tol);
}
template <typename Call>
ImageOptions image_options(const Call& c) {
  using O = ImageOptions;
  return c.template options<O>("data_format", Call::null_is_default(&O::data_format));
}
template <typename Call>
ResizeOptions resize_options(const Call& c) {
  using O = ResizeOptions;
  return c.template options<O>("interpolation", &O::interpolation, "antialias", &O::antialias,
      "crop_to_aspect_ratio", &O::crop_to_aspect_ratio, "pad_to_aspect_ratio", &O::pad_to_aspect_ratio,
      "fill_mode", &O::fill_mode, "fill_value", &O::fill_value, "data_format",
      Call::null_is_default(&O::data_format));
}
template <typename Call>
ScaleAndTranslateOptions scale_and_translate_options(const Call& c) {
  using O = ScaleAndTranslateOptions;
  return c.template options<O>("antialias", &O::antialias);
}
template <typename Call>
MapCoordinatesOptions map_coordinates_options(const Call& c) {
  using O = MapCoordinatesOptions;
  return c.template options<O>("fill_mode", &O::fill_mode, "fill_value", &O::fill_value);
}
template <typename Call>
AffineTransformOptions affine_transform_options(const Call& c) {
  using O = AffineTransformOptions;
  return c.template options<O>("interpolation", &O::interpolation, "fill_mode", &O::fill_mode, "fill_value",
      &O::fill_value, "data_format", Call::null_is_default(&O::data_format));
}
template <typename Call>
PerspectiveTransformOptions perspective_transform_options(const Call& c) {
  using O = PerspectiveTransformOptions;
  return c.template options<O>("interpolation", &O::interpolation, "fill_value", &O::fill_value,
      "data_format", Call::null_is_default(&O::data_format));
}
template <typename Call>
ElasticTransformOptions elastic_transform_options(const Call& c) {
  using O = ElasticTransformOptions;
  return c.template options<O>("alpha", &O::alpha, "sigma", &O::sigma, "interpolation", &O::interpolation,
      "fill_mode", &O::fill_mode, "fill_value", &O::fill_value, "seed", &O::seed, "data_format",
      Call::null_is_default(&O::data_format));
}
template <typename Call>
GaussianBlurOptions gaussian_blur_options(const Call& c) {
  using O = GaussianBlurOptions;
  return c.template options<O>("kernel_size", &O::kernel_size, "sigma", &O::sigma, "data_format",
      Call::null_is_default(&O::data_format));
}
template <typename Call>
PadImagesOptions pad_images_options(const Call& c) {
  using O = PadImagesOptions;
  return c.template options<O>("top_padding", &O::top_padding, "left_padding", &O::left_padding,
      "bottom_padding", &O::bottom_padding, "right_padding", &O::right_padding, "target_height",
      &O::target_height, "target_width", &O::target_width, "data_format",
      Call::null_is_default(&O::data_format));
}
template <typename Call>
CropImagesOptions crop_images_options(const Call& c) {
  using O = CropImagesOptions;
  return c.template options<O>("top_cropping", &O::top_cropping, "left_cropping", &O::left_cropping,
      "bottom_cropping", &O::bottom_cropping, "right_cropping", &O::right_cropping, "target_height",
      &O::target_height, "target_width", &O::target_width, "data_format",
      Call::null_is_default(&O::data_format));
}
template <typename Call>
ExtractPatchesOptions extract_patches_options(const Call& c) {
  using O = ExtractPatchesOptions;
  return c.template options<O>("strides", &O::strides, "dilation_rate", &O::dilation_rate, "padding",
      &O::padding, "data_format", Call::null_is_default(&O::data_format));
}
template <typename Call>
SsimOptions ssim_options(const Call& c) {
  using O = SsimOptions;
  return c.template options<O>("max_val", &O::max_val, "filter_size", &O::filter_size, "filter_sigma",
      &O::filter_sigma, "k1", &O::k1, "k2", &O::k2, "data_format", Call::null_is_default(&O::data_format));
}

}  // namespace cornu::inline v0::ops::calls
