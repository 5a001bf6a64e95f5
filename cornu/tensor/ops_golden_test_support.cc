#include <cmath>

#include "cornu/tensor/ops/attention.h"
#include "cornu/tensor/ops_golden_test_support.h"

namespace cornu::inline v0::ops_golden {
namespace {

using namespace ops;

template <Tensor (*kFunction)(const Tensor&)>
Tensors one(const Call& c) {
  return {kFunction(c[0])};
}
template <Tensor (*kFunction)(const Tensor&, const Tensor&)>
Tensors two(const Call& c) {
  return {kFunction(c[0], c[1])};
}

ReduceOptions reduce_options(const Call& c) {
  return c.options<ReduceOptions>("axis", &ReduceOptions::axis, "keepdims", &ReduceOptions::keepdims);
}
template <Tensor (*kFunction)(const Tensor&, const ReduceOptions&)>
Tensors reduced(const Call& c) {
  return {kFunction(c[0], reduce_options(c))};
}
template <Tensor (*kFunction)(const Tensor&, const ExtremumOptions&)>
Tensors extremum(const Call& c) {
  using O = ExtremumOptions;
  return {kFunction(c[0], c.options<O>("axis", &O::axis, "keepdims", &O::keepdims, "initial", &O::initial))};
}
template <Tensor (*kFunction)(const Tensor&, const ArgOptions&)>
Tensors argument(const Call& c) {
  return {
      kFunction(c[0], c.options<ArgOptions>("axis", &ArgOptions::axis, "keepdims", &ArgOptions::keepdims))};
}
template <Tensor (*kFunction)(const Tensor&, const CumulativeOptions&)>
Tensors cumulative(const Call& c) {
  return {kFunction(c[0], c.options<CumulativeOptions>("axis", &CumulativeOptions::axis, "dtype",
                                                       &CumulativeOptions::dtype))};
}
template <Tensor (*kFunction)(const Tensor&, const Tensor&, const IsCloseOptions&)>
Tensors close(const Call& c) {
  using O = IsCloseOptions;
  return {
      kFunction(c[0], c[1], c.options<O>("rtol", &O::rtol, "atol", &O::atol, "equal_nan", &O::equal_nan))};
}
template <Tensor (*kFunction)(const Tensor&, const Tensor&, const SegmentOptions&)>
Tensors segment(const Call& c) {
  using O = SegmentOptions;
  return {kFunction(c[0], c[1], c.options<O>("num_segments", &O::num_segments, "sorted", &O::sorted))};
}
template <Tensor (*kFunction)(const Tensor&, const Tensor&, const CrossentropyOptions&)>
Tensors crossentropy(const Call& c) {
  using O = CrossentropyOptions;
  return {kFunction(c[0], c[1], c.options<O>("from_logits", &O::from_logits, "axis", &O::axis))};
}
template <Tensor (*kFunction)(const Tensor&, std::int64_t)>
Tensors with_k(const Call& c) {
  return {kFunction(c[0], c.has("k") ? c.get<std::int64_t>("k") : 0)};
}
template <Tensor (*kFunction)(const Dims&, DType)>
Tensors created(const Call& c) {
  return {kFunction(c.get<Dims>("shape"), c.has("dtype") ? c.get<DType>("dtype") : DType::kF32)};
}
template <Tensor (*kFunction)(const Tensor&, std::optional<DType>)>
Tensors created_like(const Call& c) {
  return {kFunction(c[0], c.has("dtype") ? std::optional(c.get<DType>("dtype")) : std::nullopt)};
}
/// Functions of a tensor and one plain parameter with a default.
#define CORNU_WITH(function, type, name)                                                     \
  {#function, [](const Call& c) {                                                            \
     return c.with<type>(name, [&](const auto&... a) { return ops::function(c[0], a...); }); \
   }}

std::int64_t axis_of(const Call& c, std::int64_t otherwise) {
  return c.has("axis") ? c.get<std::int64_t>("axis") : otherwise;
}
/// The key of get_item: [begin, end, step] is a slice, "..." an ellipsis, null a new axis.
std::vector<Index> key_of(const Call& c) {
  std::vector<Index> key;
  for (const nlohmann::json& part : c.get<nlohmann::json>("key")) {
    const auto bound = [&](std::size_t i) {
      return i < part.size() && !part[i].is_null() ? std::optional(part[i].get<std::int64_t>())
                                                   : std::nullopt;
    };
    if (part.is_number()) {
      key.emplace_back(part.get<std::int64_t>());
    } else if (part.is_array() && part.size() == 1) {
      key.emplace_back(Slice{.end = bound(0)});  // as Python's slice(end)
    } else if (part.is_array()) {
      key.emplace_back(Slice{.begin = bound(0), .end = bound(1), .step = bound(2).value_or(1)});
    } else if (part.is_null()) {
      key.emplace_back(kNewAxis);
    } else {
      key.emplace_back(kEllipsis);
    }
  }
  return key;
}
TakeOptions take_options(const Call& c) { return c.options<TakeOptions>("axis", &TakeOptions::axis); }
DiagonalOptions diagonal_options(const Call& c) {
  using O = DiagonalOptions;
  return c.options<O>("offset", &O::offset, "axis1", &O::axis1, "axis2", &O::axis2);
}
EyeOptions eye_options(const Call& c) {
  return c.options<EyeOptions>("M", &EyeOptions::m, "k", &EyeOptions::k, "dtype", &EyeOptions::dtype);
}
OneHotOptions one_hot_options(const Call& c) {
  return c.options<OneHotOptions>("axis", &OneHotOptions::axis, "dtype", &OneHotOptions::dtype);
}

std::vector<Row> elementwise_rows() {
  return {
      {"add", &two<&ops::add>},
      {"subtract", &two<&ops::subtract>},
      {"multiply", &two<&ops::multiply>},
      {"divide", &two<&ops::divide>},
      {"true_divide", &two<&ops::true_divide>},
      {"divide_no_nan", &two<&ops::divide_no_nan>},
      {"floor_divide", &two<&ops::floor_divide>},
      {"mod", &two<&ops::mod>},
      {"fmod", &two<&ops::fmod>},
      {"power", &two<&ops::power>},
      {"maximum", &two<&ops::maximum>},
      {"minimum", &two<&ops::minimum>},
      {"fmax", &two<&ops::fmax>},
      {"fmin", &two<&ops::fmin>},
      {"hypot", &two<&ops::hypot>},
      {"logaddexp", &two<&ops::logaddexp>},
      {"logaddexp2", &two<&ops::logaddexp2>},
      {"heaviside", &two<&ops::heaviside>},
      {"arctan2", &two<&ops::arctan2>},
      {"equal", &two<&ops::equal>},
      {"not_equal", &two<&ops::not_equal>},
      {"less", &two<&ops::less>},
      {"less_equal", &two<&ops::less_equal>},
      {"greater", &two<&ops::greater>},
      {"greater_equal", &two<&ops::greater_equal>},
      {"isclose", &close<&ops::isclose>},
      {"allclose", &close<&ops::allclose>},
      {"logical_and", &two<&ops::logical_and>},
      {"logical_or", &two<&ops::logical_or>},
      {"logical_xor", &two<&ops::logical_xor>},
      {"logical_not", &one<&ops::logical_not>},
      {"bitwise_and", &two<&ops::bitwise_and>},
      {"bitwise_or", &two<&ops::bitwise_or>},
      {"bitwise_xor", &two<&ops::bitwise_xor>},
      {"bitwise_not", &one<&ops::bitwise_not>},
      {"bitwise_invert", &one<&ops::bitwise_invert>},
      {"bitwise_left_shift", &two<&ops::bitwise_left_shift>},
      {"bitwise_right_shift", &two<&ops::bitwise_right_shift>},
      {"left_shift", &two<&ops::left_shift>},
      {"right_shift", &two<&ops::right_shift>},
      {"negative", &one<&ops::negative>},
      {"abs", &one<&ops::abs>},
      {"absolute", &one<&ops::absolute>},
      {"fabs", &one<&ops::fabs>},
      {"sign", &one<&ops::sign>},
      {"signbit", &one<&ops::signbit>},
      {"reciprocal", &one<&ops::reciprocal>},
      {"square", &one<&ops::square>},
      {"exp", &one<&ops::exp>},
      {"exp2", &one<&ops::exp2>},
      {"expm1", &one<&ops::expm1>},
      {"log", &one<&ops::log>},
      {"log1p", &one<&ops::log1p>},
      {"log2", &one<&ops::log2>},
      {"log10", &one<&ops::log10>},
      {"sqrt", &one<&ops::sqrt>},
      {"rsqrt", &one<&ops::rsqrt>},
      {"cbrt", &one<&ops::cbrt>},
      {"sin", &one<&ops::sin>},
      {"cos", &one<&ops::cos>},
      {"tan", &one<&ops::tan>},
      {"arcsin", &one<&ops::arcsin>},
      {"arccos", &one<&ops::arccos>},
      {"arctan", &one<&ops::arctan>},
      {"sinh", &one<&ops::sinh>},
      {"cosh", &one<&ops::cosh>},
      {"tanh", &one<&ops::tanh>},
      {"arcsinh", &one<&ops::arcsinh>},
      {"arccosh", &one<&ops::arccosh>},
      {"arctanh", &one<&ops::arctanh>},
      {"sinc", &one<&ops::sinc>},
      {"deg2rad", &one<&ops::deg2rad>},
      {"rad2deg", &one<&ops::rad2deg>},
      {"erf", &one<&ops::erf>},
      {"erfc", &one<&ops::erfc>},
      {"erfinv", &one<&ops::erfinv>},
      {"floor", &one<&ops::floor>},
      {"ceil", &one<&ops::ceil>},
      {"trunc", &one<&ops::trunc>},
      CORNU_WITH(round, std::int64_t, "decimals"),
      {"isnan", &one<&ops::isnan>},
      {"isinf", &one<&ops::isinf>},
      {"isposinf", &one<&ops::isposinf>},
      {"isneginf", &one<&ops::isneginf>},
      {"isfinite", &one<&ops::isfinite>},
      {"nan_to_num",
       [](const Call& c) {
         using O = NanToNumOptions;
         return Tensors{
             ops::nan_to_num(c[0], c.options<O>("nan", &O::nan, "posinf", &O::posinf, "neginf", &O::neginf))};
       }},
      {"clip",
       [](const Call& c) {
         if (c.inputs().size() == 3) return Tensors{ops::clip(c[0], c[1], c[2])};
         return Tensors{ops::clip(c[0], c.get<double>("x_min"), c.get<double>("x_max"))};
       }},
      {"cast", [](const Call& c) { return Tensors{ops::cast(c[0], c.get<DType>("dtype"))}; }},
      {"saturate_cast",
       [](const Call& c) { return Tensors{ops::saturate_cast(c[0], c.get<DType>("dtype"))}; }},
      CORNU_WITH(convert_to_tensor, DType, "dtype"),
      {"copy", &one<&ops::copy>},
      {"where", [](const Call& c) { return Tensors{ops::where(c[0], c[1], c[2])}; }},
      {"select",
       [](const Call& c) {
         return Tensors{ops::select(Tensors{c[0], c[1]}, Tensors{c[2], c[3]}, c.get<Tensor>("default"))};
       }},
  };
}

std::vector<Row> reduce_rows() {
  return {
      {"sum", &reduced<&ops::sum>},
      {"mean", &reduced<&ops::mean>},
      {"prod",
       [](const Call& c) {
         using O = ProdOptions;
         return Tensors{
             ops::prod(c[0], c.options<O>("axis", &O::axis, "keepdims", &O::keepdims, "dtype", &O::dtype))};
       }},
      {"max", &extremum<&ops::max>},
      {"min", &extremum<&ops::min>},
      {"amax", &reduced<&ops::amax>},
      {"amin", &reduced<&ops::amin>},
      {"ptp", &reduced<&ops::ptp>},
      {"var", &reduced<&ops::var>},
      {"std", &reduced<&ops::std>},
      {"median", &reduced<&ops::median>},
      {"quantile",
       [](const Call& c) {
         using O = QuantileOptions;
         const O options = c.options<O>("axis", &O::axis, "keepdims", &O::keepdims, "method", &O::method);
         return Tensors{ops::quantile(c[0], c.get<Quantiles>("q"), options)};
       }},
      {"percentile",
       [](const Call& c) {
         using O = QuantileOptions;
         return Tensors{ops::percentile(c[0], c.get<Quantiles>("q"), c.options<O>("axis", &O::axis))};
       }},
      {"logsumexp", &reduced<&ops::logsumexp>},
      {"all", &reduced<&ops::all>},
      {"any", &reduced<&ops::any>},
      CORNU_WITH(count_nonzero, Axes, "axis"),
      {"average",
       [](const Call& c) {
         AverageOptions options = c.options<AverageOptions>("axis", &AverageOptions::axis);
         if (c.inputs().size() > 1) options.weights = c[1];
         return Tensors{ops::average(c[0], options)};
       }},
      {"argmax", &argument<&ops::argmax>},
      {"argmin", &argument<&ops::argmin>},
      {"cumsum", &cumulative<&ops::cumsum>},
      {"cumprod", &cumulative<&ops::cumprod>},
      {"norm",
       [](const Call& c) {
         using O = NormOptions;
         return Tensors{
             ops::norm(c[0], c.options<O>("ord", &O::ord, "axis", &O::axis, "keepdims", &O::keepdims))};
       }},
  };
}

std::vector<Row> shape_rows() {
  return {
      {"reshape", [](const Call& c) { return Tensors{ops::reshape(c[0], c.get<Dims>("newshape"))}; }},
      {"ravel", &one<&ops::ravel>},
      CORNU_WITH(transpose, Dims, "axes"),
      {"swapaxes",
       [](const Call& c) {
         return Tensors{ops::swapaxes(c[0], c.get<std::int64_t>("axis1"), c.get<std::int64_t>("axis2"))};
       }},
      {"moveaxis",
       [](const Call& c) {
         return Tensors{ops::moveaxis(c[0], c.get<Axes>("source"), c.get<Axes>("destination"))};
       }},
      {"broadcast_to", [](const Call& c) { return Tensors{ops::broadcast_to(c[0], c.get<Dims>("shape"))}; }},
      {"expand_dims", [](const Call& c) { return Tensors{ops::expand_dims(c[0], c.get<Axes>("axis"))}; }},
      CORNU_WITH(squeeze, Axes, "axis"),
      {"concatenate", [](const Call& c) { return Tensors{ops::concatenate(c.inputs(), axis_of(c, 0))}; }},
      {"stack", [](const Call& c) { return Tensors{ops::stack(c.inputs(), axis_of(c, 0))}; }},
      {"hstack", [](const Call& c) { return Tensors{ops::hstack(c.inputs())}; }},
      {"vstack", [](const Call& c) { return Tensors{ops::vstack(c.inputs())}; }},
      {"append",
       [](const Call& c) {
         return Tensors{ops::append(c[0], c[1], c.options<AppendOptions>("axis", &AppendOptions::axis))};
       }},
      {"unstack", [](const Call& c) { return ops::unstack(c[0], axis_of(c, 0)); }},
      {"split",
       [](const Call& c) {
         return ops::split(c[0], c.get<IntOrInts>("indices_or_sections"), axis_of(c, 0));
       }},
      {"array_split",
       [](const Call& c) {
         return ops::array_split(c[0], c.get<IntOrInts>("indices_or_sections"), axis_of(c, 0));
       }},
      {"tile", [](const Call& c) { return Tensors{ops::tile(c[0], c.get<IntOrInts>("repeats"))}; }},
      {"repeat",
       [](const Call& c) {
         return Tensors{ops::repeat(c[0], c.get<IntOrInts>("repeats"),
                                    c.options<RepeatOptions>("axis", &RepeatOptions::axis))};
       }},
      CORNU_WITH(flip, Axes, "axis"),
      {"flipud", &one<&ops::flipud>},
      {"fliplr", &one<&ops::fliplr>},
      {"rot90",
       [](const Call& c) {
         return Tensors{
             ops::rot90(c[0], c.options<Rot90Options>("k", &Rot90Options::k, "axes", &Rot90Options::axes))};
       }},
      {"roll",
       [](const Call& c) {
         return Tensors{
             ops::roll(c[0], c.get<IntOrInts>("shift"), c.options<RollOptions>("axis", &RollOptions::axis))};
       }},
      {"pad",
       [](const Call& c) {
         using O = PadOptions;
         const O options = c.options<O>("mode", &O::mode, "constant_values", &O::constant_values);
         using Widths = std::vector<std::pair<std::int64_t, std::int64_t>>;
         if (c.get<nlohmann::json>("pad_width").is_number())
           return Tensors{ops::pad(c[0], c.get<std::int64_t>("pad_width"), options)};
         return Tensors{ops::pad(c[0], c.get<Widths>("pad_width"), options)};
       }},
      {"diag", &with_k<&ops::diag>},
      {"diagflat", &with_k<&ops::diagflat>},
      {"diagonal", [](const Call& c) { return Tensors{ops::diagonal(c[0], diagonal_options(c))}; }},
      {"trace", [](const Call& c) { return Tensors{ops::trace(c[0], diagonal_options(c))}; }},
      {"tril", &with_k<&ops::tril>},
      {"triu", &with_k<&ops::triu>},
      {"diff",
       [](const Call& c) {
         return Tensors{
             ops::diff(c[0], c.options<DiffOptions>("n", &DiffOptions::n, "axis", &DiffOptions::axis))};
       }},
      {"meshgrid",
       [](const Call& c) {
         return c.has("indexing") ? ops::meshgrid(c.inputs(), c.get<const char*>("indexing"))
                                  : ops::meshgrid(c.inputs());
       }},
      {"zeros", &created<&ops::zeros>},
      {"ones", &created<&ops::ones>},
      {"empty", &created<&ops::empty>},
      {"full",
       [](const Call& c) {
         const DType dtype = c.has("dtype") ? c.get<DType>("dtype") : DType::kF32;
         return Tensors{ops::full(c.get<Dims>("shape"), c.get<Tensor>("fill_value"), dtype)};
       }},
      {"zeros_like", &created_like<&ops::zeros_like>},
      {"ones_like", &created_like<&ops::ones_like>},
      {"empty_like", &created_like<&ops::empty_like>},
      {"full_like", [](const Call& c) { return Tensors{ops::full_like(c[0], c.get<Tensor>("fill_value"))}; }},
      {"eye", [](const Call& c) { return Tensors{ops::eye(c.get<std::int64_t>("N"), eye_options(c))}; }},
      {"identity", [](const Call& c) { return Tensors{ops::identity(c.get<std::int64_t>("n"))}; }},
      {"tri", [](const Call& c) { return Tensors{ops::tri(c.get<std::int64_t>("N"), eye_options(c))}; }},
      {"arange",
       [](const Call& c) {
         if (!c.has("stop")) return Tensors{ops::arange(c.get<std::int64_t>("start"))};
         using O = ArangeOptions;
         return Tensors{ops::arange(
             c.options<O>("start", &O::start, "stop", &O::stop, "step", &O::step, "dtype", &O::dtype))};
       }},
      {"linspace",
       [](const Call& c) {
         using O = LinspaceOptions;
         const O options =
             c.options<O>("num", &O::num, "endpoint", &O::endpoint, "dtype", &O::dtype, "axis", &O::axis);
         return Tensors{ops::linspace(c[0], c[1], options)};
       }},
      {"shape",
       [](const Call& c) {
         Tensors extents;
         for (const std::int64_t extent : ops::shape(c[0])) extents.push_back(extent);
         return extents;
       }},
      {"size", [](const Call& c) { return Tensors{ops::size(c[0])}; }},
      {"ndim", [](const Call& c) { return Tensors{ops::ndim(c[0])}; }},
  };
}

std::vector<Row> index_rows() {
  return {
      {"get_item", [](const Call& c) { return Tensors{ops::get_item(c[0], key_of(c))}; }},
      {"take", [](const Call& c) { return Tensors{ops::take(c[0], c[1], take_options(c))}; }},
      {"take_along_axis",
       [](const Call& c) { return Tensors{ops::take_along_axis(c[0], c[1], take_options(c))}; }},
      {"slice",
       [](const Call& c) {
         const StartIndices starts =
             c.has("start_indices") ? StartIndices(c.get<Dims>("start_indices")) : StartIndices(c[1]);
         return Tensors{ops::slice(c[0], starts, c.get<Dims>("shape"))};
       }},
      {"slice_update",
       [](const Call& c) { return Tensors{ops::slice_update(c[0], c.get<Dims>("start_indices"), c[1])}; }},
      {"scatter", [](const Call& c) { return Tensors{ops::scatter(c[0], c[1], c.get<Dims>("shape"))}; }},
      {"scatter_update",
       [](const Call& c) {
         using O = ScatterUpdateOptions;
         return Tensors{ops::scatter_update(c[0], c[1], c[2], c.options<O>("reduction", &O::reduction))};
       }},
      {"segment_sum", &segment<&ops::segment_sum>},
      {"segment_max", &segment<&ops::segment_max>},
      {"segment_min", &segment<&ops::segment_min>},
      {"segment_prod", &segment<&ops::segment_prod>},
      {"one_hot",
       [](const Call& c) {
         return Tensors{ops::one_hot(c[0], c.get<std::int64_t>("num_classes"), one_hot_options(c))};
       }},
      {"multi_hot",
       [](const Call& c) {
         return Tensors{ops::multi_hot(c[0], c.get<std::int64_t>("num_classes"), one_hot_options(c))};
       }},
      {"in_top_k",
       [](const Call& c) { return Tensors{ops::in_top_k(c[0], c[1], c.get<std::int64_t>("k"))}; }},
      {"searchsorted",
       [](const Call& c) {
         return c.with<const char*>("side", [&](auto... a) { return ops::searchsorted(c[0], c[1], a...); });
       }},
      {"digitize",
       [](const Call& c) { return Tensors{ops::digitize(c[0], c.get<std::vector<double>>("bins"))}; }},
      {"bincount",
       [](const Call& c) {
         BincountOptions options = c.options<BincountOptions>("minlength", &BincountOptions::minlength);
         if (c.inputs().size() > 1) options.weights = c[1];
         return Tensors{ops::bincount(c[0], options)};
       }},
      {"extract_sequences",
       [](const Call& c) {
         return Tensors{ops::extract_sequences(c[0], c.get<std::int64_t>("sequence_length"),
                                               c.get<std::int64_t>("sequence_stride"))};
       }},
      CORNU_WITH(sort, std::int64_t, "axis"),
      CORNU_WITH(argsort, std::int64_t, "axis"),
      {"top_k",
       [](const Call& c) {
         const TopK top = ops::top_k(c[0], c.get<std::int64_t>("k"));
         return Tensors{top.values, top.indices};
       }},
  };
}

std::vector<Row> linalg_rows() {
  return {
      {"matmul", &two<&ops::matmul>},
      {"dot", &two<&ops::dot>},
      {"inner", &two<&ops::inner>},
      {"outer", &two<&ops::outer>},
      {"vdot", &two<&ops::vdot>},
      {"kron", &two<&ops::kron>},
      {"tensordot",
       [](const Call& c) {
         if (!c.has("axes")) return Tensors{ops::tensordot(c[0], c[1])};
         const auto axes = c.get<nlohmann::json>("axes");
         if (axes.is_number()) return Tensors{ops::tensordot(c[0], c[1], axes.get<std::int64_t>())};
         return Tensors{ops::tensordot(c[0], c[1], axes[0].get<Dims>(), axes[1].get<Dims>())};
       }},
      {"cross",
       [](const Call& c) {
         using O = CrossOptions;
         const O options =
             c.options<O>("axisa", &O::axisa, "axisb", &O::axisb, "axisc", &O::axisc, "axis", &O::axis);
         return Tensors{ops::cross(c[0], c[1], options)};
       }},
      {"einsum",
       [](const Call& c) { return Tensors{ops::einsum(c.get<const char*>("subscripts"), c.inputs())}; }},
  };
}

ConvOptions conv_options(const Call& c) {
  using O = ConvOptions;
  return c.options<O>("strides", &O::strides, "padding", &O::padding, "data_format", &O::data_format,
                      "dilation_rate", &O::dilation_rate);
}
template <Tensor (*kFunction)(const Tensor&, const IntOrInts&, const PoolOptions&)>
Tensors pooled(const Call& c) {
  using O = PoolOptions;
  const O options =
      c.options<O>("strides", &O::strides, "padding", &O::padding, "data_format", &O::data_format);
  return {kFunction(c[0], c.get<IntOrInts>("pool_size"), options)};
}

std::vector<Row> conv_rows() {
  return {
      {"conv", [](const Call& c) { return Tensors{ops::conv(c[0], c[1], conv_options(c))}; }},
      {"depthwise_conv",
       [](const Call& c) { return Tensors{ops::depthwise_conv(c[0], c[1], conv_options(c))}; }},
      {"separable_conv",
       [](const Call& c) { return Tensors{ops::separable_conv(c[0], c[1], c[2], conv_options(c))}; }},
      {"conv_transpose",
       [](const Call& c) {
         using O = ConvTransposeOptions;
         const O options = c.options<O>("strides", &O::strides, "padding", &O::padding, "output_padding",
                                        &O::output_padding, "data_format", &O::data_format, "dilation_rate",
                                        &O::dilation_rate);
         return Tensors{ops::conv_transpose(c[0], c[1], options)};
       }},
      {"max_pool", &pooled<&ops::max_pool>},
      {"average_pool", &pooled<&ops::average_pool>},
  };
}

std::vector<Row> nn_rows() {
  return {
      {"relu", &one<&ops::relu>},
      {"relu6", &one<&ops::relu6>},
      CORNU_WITH(leaky_relu, double, "negative_slope"),
      CORNU_WITH(elu, double, "alpha"),
      CORNU_WITH(celu, double, "alpha"),
      {"selu", &one<&ops::selu>},
      CORNU_WITH(gelu, bool, "approximate"),
      {"sigmoid", &one<&ops::sigmoid>},
      {"log_sigmoid", &one<&ops::log_sigmoid>},
      {"hard_sigmoid", &one<&ops::hard_sigmoid>},
      {"sparse_sigmoid", &one<&ops::sparse_sigmoid>},
      {"silu", &one<&ops::silu>},
      {"swish", &one<&ops::swish>},
      {"hard_silu", &one<&ops::hard_silu>},
      {"hard_swish", &one<&ops::hard_swish>},
      {"softplus", &one<&ops::softplus>},
      {"softsign", &one<&ops::softsign>},
      CORNU_WITH(soft_shrink, double, "threshold"),
      CORNU_WITH(hard_shrink, double, "threshold"),
      {"tanh_shrink", &one<&ops::tanh_shrink>},
      {"hard_tanh", &one<&ops::hard_tanh>},
      {"sparse_plus", &one<&ops::sparse_plus>},
      CORNU_WITH(squareplus, double, "b"),
      {"threshold",
       [](const Call& c) {
         return Tensors{ops::threshold(c[0], c.get<double>("threshold"), c.get<double>("default_value"))};
       }},
      CORNU_WITH(glu, std::int64_t, "axis"),
      CORNU_WITH(softmax, Axes, "axis"),
      CORNU_WITH(log_softmax, Axes, "axis"),
      {"categorical_crossentropy", &crossentropy<&ops::categorical_crossentropy>},
      {"sparse_categorical_crossentropy", &crossentropy<&ops::sparse_categorical_crossentropy>},
      {"binary_crossentropy",
       [](const Call& c) {
         using O = BinaryCrossentropyOptions;
         return Tensors{ops::binary_crossentropy(c[0], c[1], c.options<O>("from_logits", &O::from_logits))};
       }},
      {"moments",
       [](const Call& c) {
         const auto [mean, variance] = ops::moments(
             c[0], c.get<Axes>("axes"), c.options<MomentsOptions>("keepdims", &MomentsOptions::keepdims));
         return Tensors{mean, variance};
       }},
      {"normalize",
       [](const Call& c) {
         using O = NormalizeOptions;
         return Tensors{ops::normalize(c[0], c.options<O>("axis", &O::axis, "order", &O::order))};
       }},
      {"batch_normalization",
       [](const Call& c) {
         using O = BatchNormalizationOptions;
         O options = c.options<O>("axis", &O::axis, "epsilon", &O::epsilon);
         if (c.inputs().size() > 3) options.offset = c[3], options.scale = c[4];
         return Tensors{ops::batch_normalization(c[0], c[1], c[2], options)};
       }},
      {"layer_normalization",
       [](const Call& c) {
         using O = LayerNormalizationOptions;
         O options = c.options<O>("axis", &O::axis, "epsilon", &O::epsilon);
         if (c.inputs().size() > 1) options.gamma = c[1], options.beta = c[2];
         return Tensors{ops::layer_normalization(c[0], options)};
       }},
      {"rms_normalization",
       [](const Call& c) {
         using O = RmsNormalizationOptions;
         O options = c.options<O>("axis", &O::axis, "epsilon", &O::epsilon);
         if (c.inputs().size() > 1) options.scale = c[1];
         return Tensors{ops::rms_normalization(c[0], options)};
       }},
  };
}

#undef CORNU_WITH

std::vector<Row> attention_rows() {
  return {{"dot_product_attention", [](const Call& c) {
             using O = AttentionOptions;
             O options = c.options<O>("is_causal", &O::is_causal, "scale", &O::scale);
             const std::string which = c.has("which") ? c.get<std::string>("which") : "";
             if (which == "mask" || which == "both") options.mask = c[3];
             if (which == "bias") options.bias = c[3];
             if (which == "both") options.bias = c[4];
             return Tensors{ops::dot_product_attention(c[0], c[1], c[2], options)};
           }}};
}

}  // namespace

std::vector<Row> rows() {
  std::vector<Row> all;
  for (const auto& part : {elementwise_rows(), reduce_rows(), shape_rows(), index_rows(), linalg_rows(),
                           nn_rows(), conv_rows(), attention_rows()})
    all.insert(all.end(), part.begin(), part.end());
  return all;
}

}  // namespace cornu::inline v0::ops_golden
