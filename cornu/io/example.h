#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <variant>
#include <vector>

#include "cornu/base/string_argument.h"

namespace cornu::inline v0::io {

/// The values of one feature of a tf.train.Example; none (of no type) where it is empty.
using FeatureValues =
    std::variant<std::monostate, std::vector<std::string>, std::vector<float>, std::vector<std::int64_t>>;
/// A tf.train.Example.
using Example = std::map<std::string, FeatureValues>;

/// In protobuf's wire format, as TensorFlow writes it: features by rising name, numbers packed.
std::string serialize_example(const Example& example);
/// Errors: DataLoss, naming `name` and the offset.
Example parse_example(StringViewArgument serialized, StringViewArgument name);

enum class FeatureType { kBytes, kFloat, kInt64 };
const char* feature_type_name(FeatureType type);

/// What a feature should be.
struct FeatureSpec {
  std::string name;
  FeatureType type = FeatureType::kFloat;
  /// A feature of any number of values; otherwise there are as many as `shape` says.
  bool is_variable = false;
  std::vector<std::int64_t> shape = {};
  /// What a fixed feature is where it is missing: one value, or as many as the shape says. Nothing: it must
  /// be there.
  FeatureValues default_value = {};
};

/// A feature of several examples, one behind the other.
struct FeatureColumn {
  std::vector<float> floats;
  std::vector<std::int64_t> integers;
  std::string bytes;  // text i is bytes[offsets[i]] .. bytes[offsets[i + 1]]
  std::vector<std::size_t> offsets = {0};
  std::vector<std::int64_t> row_splits = {0};  // of a variable feature
};

/// The lists of one feature of several tf.train.SequenceExamples: the steps' values, one behind the other.
struct SequenceColumn {
  FeatureColumn values;
  std::vector<std::int64_t> step_splits = {0};  // steps of each example
};

/// Parses tf.train.Examples by a description of their features; others are passed over.
///
/// Errors:  InvalidArgument, naming the example and the feature: for one that is missing, of another type,
///          or of another number of values. DataLoss for damaged bytes.
/// Threads: safe.
class ExampleParser {
 public:
  /// Errors: InvalidArgument for two of one name, extents below 0, and defaults of another type or number.
  explicit ExampleParser(std::vector<FeatureSpec> features);

  const std::vector<FeatureSpec>& features() const { return features_; }
  /// A column a feature. `name` stands in errors, with the example's number.
  std::vector<FeatureColumn> parse(std::span<const std::string_view> examples, StringViewArgument name) const;
  /// The feature lists of tf.train.SequenceExamples: the features describe a step, which a fixed one must
  /// have. Their context is what parse() gives. A list that is missing is an error for a fixed feature,
  /// and empty otherwise.
  std::vector<SequenceColumn> parse_sequences(std::span<const std::string_view> examples,
                                              StringViewArgument name) const;

 private:
  /// Where in what an error says it is.
  struct Place {
    std::size_t example;
    std::string_view name;
    const char* begin;
  };
  /// Where a feature's values lie in an example.
  struct Found {
    std::string_view feature;
    bool is_there = false;
  };
  void find_features(std::string_view example, std::string_view name, std::vector<Found>& found,
                     std::uint32_t map_field = 1) const;
  /// Appends a feature's values, or its default.
  void append(std::size_t k, std::string_view bytes, const Place& place, FeatureColumn& column) const;
  void check_default(const FeatureSpec& feature, std::size_t count) const;

  std::vector<FeatureSpec> features_;
  std::vector<std::size_t> counts_;  // values of each fixed feature
  std::unordered_map<std::string_view, std::size_t> index_of_;
};

}  // namespace cornu::inline v0::io
