#include "cornu/data/prepared/example_decoder.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "cornu/base/check.h"
#include "cornu/base/checked_size.h"
#include "cornu/data/files.h"
#include "cornu/data/images/images.h"
#include "cornu/io/byte_reader.h"
#include "cornu/tensor/ops.h"

namespace cornu::inline v0::data::tfds {
namespace {

/// The type in which an Example stores the feature.
std::optional<DType> stored_dtype(const Feature& feature) {
  if (feature.kind == FeatureKind::kImage || !feature.dtype.has_value()) return std::nullopt;
  return ir::is_float(*feature.dtype) ? DType::kF32 : DType::kI64;
}

bool has_unknown_extent(const Feature& feature) {
  return std::find(feature.shape.begin(), feature.shape.end(), kUnknownExtent) != feature.shape.end();
}

FeatureDescription description_of(const Feature& feature) {
  if (feature.kind == FeatureKind::kImage) return FixedLenFeature{.dtype = {}};
  if (has_unknown_extent(feature)) return VarLenFeature{.dtype = stored_dtype(feature)};
  return FixedLenFeature{.shape = feature.shape, .dtype = stored_dtype(feature)};
}

void describe(const Feature& feature, FeatureDescriptions& descriptions) {
  if (feature.kind != FeatureKind::kDict)
    descriptions.emplace_back(feature.path, description_of(feature));
  else
    for (const Feature& part : feature.parts) describe(part, descriptions);
}

std::pair<std::int64_t, std::int64_t> limits_of(DType dtype) {
  std::pair limits{std::numeric_limits<std::int64_t>::min(), std::numeric_limits<std::int64_t>::max()};
  if (dtype == DType::kI64 || dtype == DType::kU64) return limits;  // a u64 is stored as its bits
  ir::visit_dtype(dtype, [&]<typename T>() {
    limits = {static_cast<std::int64_t>(std::numeric_limits<T>::lowest()),
              static_cast<std::int64_t>(std::numeric_limits<T>::max())};
  });
  return limits;
}

}  // namespace

struct ExampleDecoder::State {
  State(const Feature& all, const FeatureDescriptions& descriptions, std::string file)
      : features(all), parse(descriptions), name(std::move(file)) {}

  [[noreturn]] void corrupt(const Feature& feature, std::string_view what) const {
    io::corrupt(name, 0, fmt::format("feature \"{}\": {}", io::shown(feature.path), what));
  }

  /// Builds the structure. `values` holds the values of all features in the order of their descriptions.
  Element decoded(const Feature& feature, const Element& values, std::size_t& place) const {
    if (feature.kind != FeatureKind::kDict) return leaf(feature, values[place++]);
    std::vector<Element> parts;
    parts.reserve(feature.parts.size());
    for (const Feature& part : feature.parts) parts.push_back(decoded(part, values, place));
    return Element(feature.names, std::move(parts));
  }

  Element leaf(const Feature& feature, const Element& value) const {
    if (feature.kind == FeatureKind::kImage) return image(feature, value.text());
    const Dims shape = has_unknown_extent(feature) ? whole_shape(feature, value) : feature.shape;
    if (!feature.dtype.has_value()) {
      if (value.is_text() || shape.size() == 1) return value;
      return Strings(shape, value.strings().to_vector());
    }
    const DType dtype = *feature.dtype;
    Tensor tensor = value.tensor();
    if (!ir::is_float(dtype)) check_integers(feature, tensor);
    if (dtype == DType::kU64) {
      const auto* const bits = reinterpret_cast<const std::uint64_t*>(tensor.bytes());
      tensor = Tensor::adopt(tensor.shape(), std::vector<std::uint64_t>(bits, bits + tensor.num_elements()));
    } else if (dtype != tensor.dtype()) {
      tensor = ops::cast(tensor, dtype);
    }
    if (shape.empty() && Number::holds(dtype)) return Number::at(dtype, tensor.bytes());
    return shape == tensor.shape() ? tensor : ops::reshape(tensor, shape);
  }

  /// The feature's shape, with its unknown extent computed from the number of values.
  Dims whole_shape(const Feature& feature, const Element& value) const {
    const std::int64_t count = value.is_strings() ? value.strings().size() : value.tensor().num_elements();
    Dims shape = feature.shape, known = shape;
    std::erase(known, kUnknownExtent);
    const std::int64_t row = CheckedSize::product(known).value("a row");
    if (row == 0 ? count != 0 : count % row != 0)
      corrupt(feature, fmt::format("{} values do not fill whole rows of {}", count, row));
    *std::find(shape.begin(), shape.end(), kUnknownExtent) = row == 0 ? 0 : count / row;
    return shape;
  }

  void check_integers(const Feature& feature, const Tensor& tensor) const {
    auto [least, most] = limits_of(*feature.dtype);
    if (feature.kind == FeatureKind::kClassLabel && feature.num_classes > 0) {
      least = -1;  // unknown label
      most = feature.num_classes - 1;
    }
    const auto* const values = reinterpret_cast<const std::int64_t*>(tensor.bytes());
    for (std::int64_t i = 0; i < tensor.num_elements(); ++i)
      if (values[i] < least || values[i] > most)
        corrupt(feature, fmt::format("{} is not from {} to {}", values[i], least, most));
  }

  Tensor image(const Feature& feature, std::string_view bytes) const {
    const Dims& wanted = feature.shape;
    Tensor image = decode_image(bytes, fmt::format("{}, feature \"{}\"", name, io::shown(feature.path)),
                                {.channels = std::max<std::int64_t>(0, wanted[2])});
    for (std::size_t axis = 0; axis < 3; ++axis)
      if (wanted[axis] != kUnknownExtent && wanted[axis] != image.shape()[axis])
        corrupt(feature, fmt::format("an image of shape {} where features.json says {}",
                                     ir::shape_str(image.shape()), ir::shape_str(wanted)));
    return image;
  }

  Feature features;
  ParseExample parse;
  std::string name;
};

ExampleDecoder::ExampleDecoder(const Feature& features, std::string name) {
  FeatureDescriptions descriptions;
  describe(features, descriptions);
  state_ = std::make_shared<const State>(features, descriptions, std::move(name));
}

Element ExampleDecoder::operator()(const Element& record) const {
  std::size_t place = 0;
  return state_->decoded(state_->features, state_->parse(record), place);
}

}  // namespace cornu::inline v0::data::tfds
