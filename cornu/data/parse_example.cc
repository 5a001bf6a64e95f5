#include <utility>

#include "cornu/base/check.h"
#include "cornu/data/files.h"
#include "cornu/data/sequence_example.h"
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

/// A default in the parser's form.
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
      Strings strings(shape, std::move(storage));
      return shape.empty() ? Element(strings.text(0)) : Element(std::move(strings));
    }
  }
}

std::vector<io::FeatureSpec> specs_of(const FeatureDescriptions& features) {
  std::vector<io::FeatureSpec> specs;
  for (const auto& [name, description] : features) specs.push_back(spec_of(name, description));
  return specs;
}

std::vector<std::string_view> serialized_examples(const Element& serialized) {
  if (!serialized.is_strings()) return {serialized.text()};
  std::vector<std::string_view> examples;
  const Strings& strings = serialized.strings();
  if (strings.shape().size() != 1)
    invalid_argument("[parse_example] the serialized examples need one axis; got shape {}",
                     ir::shape_str(strings.shape()));
  examples.reserve(static_cast<std::size_t>(strings.size()));
  for (std::int64_t i = 0; i < strings.size(); ++i) examples.push_back(strings[i]);
  return examples;
}

/// The steps of one feature: a tensor or ragged rows; for a batch ragged rows of these.
Element steps_of(const io::FeatureSpec& feature, io::SequenceColumn& column, bool is_batch) {
  const std::int64_t num_steps = column.step_splits.back();
  Element steps;
  if (feature.is_variable) {
    Element values = flat_values(feature.type, column.values, {column.values.row_splits.back()});
    steps = Ragged(std::move(values), std::move(column.values.row_splits));
  } else {
    Dims shape = feature.shape;
    shape.insert(shape.begin(), num_steps);
    steps = flat_values(feature.type, column.values, shape);
  }
  return is_batch ? Element(Ragged(std::move(steps), std::move(column.step_splits))) : steps;
}

}  // namespace

/// A parser and its features' names.
struct NamedParser {
  explicit NamedParser(const FeatureDescriptions& features) : parser(specs_of(features)) {
    for (const io::FeatureSpec& feature : parser.features()) names.push_back(feature.name);
  }
  io::ExampleParser parser;
  std::vector<std::string> names;
};

struct ParseExample::State : NamedParser {
  using NamedParser::NamedParser;
};

struct ParseSequenceExample::State {
  ParseExample context;
  NamedParser lists;
};

ParseSequenceExample::ParseSequenceExample(const FeatureDescriptions& context_features,
                                           const FeatureDescriptions& sequence_features) {
  State state{ParseExample(context_features), NamedParser(sequence_features)};
  for (const io::FeatureSpec& feature : state.lists.parser.features())
    if (!std::holds_alternative<std::monostate>(feature.default_value))
      invalid_argument({.argument = "sequence_features"},
                       "[parse_sequence_example] the steps of \"{}\" take no default", feature.name);
  state_ = std::make_shared<const State>(std::move(state));
}

Element ParseSequenceExample::operator()(const Element& serialized) const {
  const std::vector<std::string_view> examples = serialized_examples(serialized);
  std::vector<io::SequenceColumn> columns = state_->lists.parser.parse_sequences(examples, "the examples");
  std::vector<Element> lists;
  lists.reserve(columns.size());
  for (std::size_t i = 0; i < columns.size(); ++i)
    lists.push_back(steps_of(state_->lists.parser.features()[i], columns[i], serialized.is_strings()));
  return {state_->context(serialized), Element(state_->lists.names, std::move(lists))};
}

ParseExample::ParseExample(const FeatureDescriptions& features)
    : state_(std::make_shared<const State>(features)) {}

Element ParseExample::operator()(const Element& serialized) const {
  const bool is_batch = serialized.is_strings();
  const std::vector<std::string_view> examples = serialized_examples(serialized);
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
