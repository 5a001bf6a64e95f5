#include <utility>

#include "cornu/base/check.h"
#include "cornu/data/files.h"
#include "cornu/io/example.h"

namespace cornu::inline v0::data {
namespace {

io::FeatureType type_of(const std::string& name, const std::optional<DType>& dtype) {
  if (!dtype.has_value()) return io::FeatureType::kBytes;
  if (*dtype == DType::kF32) return io::FeatureType::kFloat;
  if (*dtype == DType::kI64) return io::FeatureType::kInt64;
  invalid_argument("[parse_example] feature \"{}\" must be float32, int64 or texts; got {}", name,
                   ir::numpy_name(*dtype));
}

/// A default as the parser takes it.
io::FeatureValues values_of(const std::optional<Element>& value, io::FeatureType type) {
  if (!value.has_value()) return {};
  if (type == io::FeatureType::kBytes)
    return value->is_text() ? std::vector{std::string(value->text())} : value->strings().to_vector();
  const Tensor tensor = value->tensor();
  if (type == io::FeatureType::kFloat) return tensor.to_vector<float>();
  return tensor.to_vector<std::int64_t>();
}

io::FeatureSpec spec_of(const std::string& name, const FeatureDescription& description) {
  if (const auto* variable = std::get_if<VarLenFeature>(&description))
    return {.name = name, .type = type_of(name, variable->dtype), .is_variable = true};
  const auto& fixed = std::get<FixedLenFeature>(description);
  const io::FeatureType type = type_of(name, fixed.dtype);
  return {.name = name,
          .type = type,
          .shape = fixed.shape,
          .default_value = values_of(fixed.default_value, type)};
}

Element flat_values(io::FeatureType type, io::FeatureColumn& column, const Dims& shape) {
  switch (type) {
    case io::FeatureType::kFloat: return Tensor::adopt(shape, std::move(column.floats));
    case io::FeatureType::kInt64: return Tensor::adopt(shape, std::move(column.integers));
    default: {
      auto storage = std::make_shared<Strings::Storage>();
      storage->bytes = std::move(column.bytes);
      storage->offsets = std::move(column.offsets);
      return Strings(shape, std::move(storage));
    }
  }
}

}  // namespace

struct ParseExample::State {
  explicit State(std::vector<io::FeatureSpec> features) : parser(std::move(features)) {
    for (const io::FeatureSpec& feature : parser.features()) names.push_back(feature.name);
  }
  io::ExampleParser parser;
  std::vector<std::string> names;
};

ParseExample::ParseExample(const FeatureDescriptions& features) {
  std::vector<io::FeatureSpec> specs;
  for (const auto& [name, description] : features) specs.push_back(spec_of(name, description));
  state_ = std::make_shared<const State>(std::move(specs));
}

Element ParseExample::operator()(const Element& serialized) const {
  std::vector<std::string_view> examples;
  const bool is_batch = serialized.is_strings();
  if (is_batch) {
    const Strings& strings = serialized.strings();
    if (strings.shape().size() != 1)
      invalid_argument("[parse_example] the serialized examples need one axis; got shape {}",
                       ir::shape_str(strings.shape()));
    for (std::int64_t i = 0; i < strings.size(); ++i) examples.push_back(strings[i]);
  } else {
    examples.push_back(serialized.text());
  }
  std::vector<io::FeatureColumn> columns = state_->parser.parse(examples, "the examples");
  std::vector<Element> parts;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    const io::FeatureSpec& feature = state_->parser.features()[i];
    Dims shape = feature.shape;
    if (feature.is_variable) {
      const std::int64_t count = columns[i].row_splits.back();
      Element values = flat_values(feature.type, columns[i], {count});
      parts.push_back(is_batch ? Element(Ragged(std::move(values), std::move(columns[i].row_splits)))
                               : values);
      continue;
    }
    if (is_batch) shape.insert(shape.begin(), static_cast<std::int64_t>(examples.size()));
    parts.push_back(flat_values(feature.type, columns[i], shape));
  }
  return Element(state_->names, std::move(parts));
}

}  // namespace cornu::inline v0::data
