#include "cornu/data/prepared/features.h"

#include <algorithm>

#include "cornu/base/check.h"
#include "cornu/base/checked_size.h"
#include "cornu/data/prepared/json_support.h"
#include "cornu/io/byte_reader.h"

namespace cornu::inline v0::data::tfds {
namespace {

using nlohmann::json;
using Type = json::value_t;

constexpr int kMostDepth = 16;

class FeaturesParser {
 public:
  explicit FeaturesParser(std::string_view name) : name_(name) {}

  /// `length`: that of the enclosing sequence; empty outside of one.
  Feature parse(const json& object, const std::string& path, const std::optional<std::int64_t>& length,
                int depth) const {
    if (depth > kMostDepth) corrupt(path, fmt::format("features are nested more than {} deep", kMostDepth));
    if (!object.is_object()) corrupt(path, "it is not an object");
    if (const json* content = member(object, "featuresDict")) return dict(*content, path, length, depth);
    if (const json* content = member(object, "sequence"))
      return sequence(*content, object, path, length, depth);
    Feature feature{.path = path};
    if (length.has_value()) feature.shape = {*length};
    if (const json* content = member(object, "tensor")) {
      tensor(*content, feature);
    } else if (member(object, "text") != nullptr) {
      feature.kind = FeatureKind::kText;
      feature.dtype = {};
    } else if (const json* label = member(object, "classLabel")) {
      class_label(*label, feature);
    } else if (const json* picture = member(object, "image")) {
      if (length.has_value()) refuse(path, "a Sequence of images");
      image(*picture, feature);
    } else if (member(object, "boundingBox") != nullptr) {
      feature.shape.push_back(4);
    } else {
      refuse(path, "a " + class_of(object));
    }
    check_shape(feature);
    return feature;
  }

 private:
  [[noreturn]] void corrupt(const std::string& path, std::string_view what) const {
    io::corrupt(name_, 0, fmt::format("feature \"{}\": {}", io::shown(path), what));
  }
  [[noreturn]] void refuse(const std::string& path, std::string_view what) const {
    fail(ErrorCode::kUnimplemented,
         "[tfds] {}: feature \"{}\" is {}, which is not supported; supported are Tensor, Scalar, Text, "
         "ClassLabel, Image of uint8, BBoxFeature, FeaturesDict, and Sequence of these, except of images and "
         "sequences",
         io::shown(name_), io::shown(path), io::shown(what));
  }
  const json* member(const json& object, const char* key) const {
    return find_member(object, key, Type::object, name_);
  }
  std::string class_of(const json& object) const {
    std::string name = text_member(object, "pythonClassName", name_);
    if (name.empty() && object.contains("type"))
      return "feature in the form of tensorflow_datasets before 4.4";
    name.erase(0, name.rfind('.') + 1);
    return name.empty() ? "feature without a class" : name;
  }

  Feature dict(const json& content, const std::string& path, const std::optional<std::int64_t>& length,
               int depth) const {
    Feature feature{.kind = FeatureKind::kDict, .path = path, .dtype = {}};
    const json* const parts = member(content, "features");
    if (parts == nullptr) return feature;
    for (const auto& [name, part] : parts->items()) {  // by ascending name
      feature.names.push_back(name);
      feature.parts.push_back(parse(part, path.empty() ? name : path + "/" + name, length, depth + 1));
    }
    return feature;
  }

  Feature sequence(const json& content, const json& object, const std::string& path,
                   const std::optional<std::int64_t>& length, int depth) const {
    if (length.has_value()) refuse(path, "a Sequence in a Sequence");
    const json* const inside = member(content, "feature");
    if (inside == nullptr) corrupt(path, "a sequence without a feature");
    const std::string name = class_of(object);
    if (name != "Sequence") refuse(path, "a " + name);
    const auto steps = content.find("length");
    const std::int64_t count = steps == content.end() ? 0 : integer_of(*steps, "a length", name_);
    return parse(*inside, path, std::max(count, kUnknownExtent), depth + 1);
  }

  void read_shape(const json& content, Feature& feature) const {
    const json* const shape = member(content, "shape");
    if (shape == nullptr) return;
    const json* const dimensions = find_member(*shape, "dimensions", Type::array, name_);
    if (dimensions == nullptr) return;
    if (dimensions->size() > 16) corrupt(feature.path, "a shape of more than 16 axes");
    for (const json& extent : *dimensions)
      feature.shape.push_back(std::max(integer_of(extent, "an extent", name_), kUnknownExtent));
  }

  void tensor(const json& content, Feature& feature) const {
    read_shape(content, feature);
    const std::string encoding = text_member(content, "encoding", name_);
    if (!encoding.empty() && encoding != "none")
      refuse(feature.path, fmt::format("a Tensor with the encoding \"{}\"", encoding));
    const std::string dtype = text_member(content, "dtype", name_);
    feature.dtype = {};
    if (dtype == "string" || dtype == "object" || dtype == "str") return;
    feature.dtype = ir::dtype_from_name(dtype);
    if (!feature.dtype.has_value()) refuse(feature.path, fmt::format("a Tensor of {}", dtype));
  }

  void class_label(const json& content, Feature& feature) const {
    feature.kind = FeatureKind::kClassLabel;
    feature.dtype = DType::kI64;
    if (const auto count = content.find("numClasses"); count != content.end())
      feature.num_classes = std::max<std::int64_t>(0, integer_of(*count, "numClasses", name_));
  }

  void image(const json& content, Feature& feature) const {
    feature.kind = FeatureKind::kImage;
    feature.dtype = DType::kU8;
    read_shape(content, feature);
    const std::string dtype = text_member(content, "dtype", name_);
    if (!dtype.empty() && dtype != "uint8") refuse(feature.path, fmt::format("an Image of {}", dtype));
    if (feature.shape.empty()) feature.shape = {kUnknownExtent, kUnknownExtent, 3};
    if (feature.shape.size() != 3)
      refuse(feature.path, fmt::format("an Image of {} axes", feature.shape.size()));
    if (feature.shape[2] == 0 || feature.shape[2] > 4)
      refuse(feature.path, fmt::format("an Image of {} channels", feature.shape[2]));
  }

  void check_shape(const Feature& feature) const {
    if (feature.kind == FeatureKind::kImage) return;
    Dims known = feature.shape;
    if (std::erase(known, kUnknownExtent) > 1)
      refuse(feature.path, "a Tensor of more than one unknown extent");
    if (CheckedSize::product(known).exceeds(std::int64_t{1} << 40))
      corrupt(feature.path, fmt::format("a shape of too many values, {}", ir::shape_str(feature.shape)));
  }

  std::string_view name_;
};

}  // namespace

const Feature& Feature::at(StringViewArgument wanted) const {
  const std::string_view name = wanted.substr(0, wanted.find('/'));
  const auto found = std::find(names.begin(), names.end(), name);
  if (kind != FeatureKind::kDict || found == names.end())
    invalid_argument("[tfds] there is no feature \"{}\"{}; there are {}", io::shown(wanted),
                     path.empty() ? "" : fmt::format(" in \"{}\"", path), fmt::join(names, ", "));
  const Feature& part = parts[static_cast<std::size_t>(found - names.begin())];
  return name.size() == wanted.size() ? part : part.at(wanted.substr(name.size() + 1));
}

Feature parse_features(StringViewArgument text, StringViewArgument name) {
  const json object = parse_object(text, name);
  Feature features = FeaturesParser(name).parse(object, "", {}, 0);
  if (features.kind != FeatureKind::kDict)
    fail(ErrorCode::kUnimplemented,
         "[tfds] {}: the outermost feature is not a FeaturesDict; others are not supported", io::shown(name));
  return features;
}

}  // namespace cornu::inline v0::data::tfds
