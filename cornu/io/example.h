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

/// The values of one feature of a tf.train.Example; std::monostate if it is empty.
using FeatureValues =
    std::variant<std::monostate, std::vector<std::string>, std::vector<float>, std::vector<std::int64_t>>;
/// A tf.train.Example.
using Example = std::map<std::string, FeatureValues>;

/// Serializes in protobuf's wire format, as TensorFlow does: features by ascending name, numbers packed.
std::string serialize_example(const Example& example);
/// Errors: DataLoss, with `name` and the offset.
Example parse_example(StringViewArgument serialized, StringViewArgument name);

enum class FeatureType { kBytes, kFloat, kInt64 };
const char* feature_type_name(FeatureType type);

/// The expected name, type and shape of a feature.
struct FeatureSpec {
  std::string name;
  FeatureType type = FeatureType::kFloat;
  /// True for any number of values; false for the number of elements of `shape`.
  bool is_variable = false;
  std::vector<std::int64_t> shape = {};
  /// The value of a missing fixed feature: one value, or as many as the shape has. Empty: the feature is
  /// required.
  FeatureValues default_value = {};
};

/// The values of a feature in several examples, concatenated.
struct FeatureColumn {
  std::vector<float> floats;
  std::vector<std::int64_t> integers;
  std::string bytes;  // text i is bytes[offsets[i]] .. bytes[offsets[i + 1]]
  std::vector<std::size_t> offsets = {0};
  std::vector<std::int64_t> row_splits = {0};  // for a variable feature
};

/// The lists of one feature in several tf.train.SequenceExamples: the steps' values, concatenated.
struct SequenceColumn {
  FeatureColumn values;
  std::vector<std::int64_t> step_splits = {0};  // splits of each example's steps
};

/// Parses tf.train.Examples by a description of their features; other features are ignored.
///
/// Errors:  InvalidArgument, with the example and the feature, for a feature that is missing, of another
///          type, or with another number of values. DataLoss for damaged bytes.
/// Threads: safe.
class ExampleParser {
 public:
  /// Errors: InvalidArgument for duplicate names, negative extents, and defaults of another type or number.
  explicit ExampleParser(std::vector<FeatureSpec> features);

  const std::vector<FeatureSpec>& features() const { return features_; }
  /// Returns a column for each feature. `name` is used in errors, with the example's number.
  std::vector<FeatureColumn> parse(std::span<const std::string_view> examples, StringViewArgument name) const;
  /// Parses the feature lists of tf.train.SequenceExamples. The features describe a step; each step must have
  /// the fixed ones. parse() parses their context. A missing list is an error for a fixed feature, and empty
  /// otherwise.
  std::vector<SequenceColumn> parse_sequences(std::span<const std::string_view> examples,
                                              StringViewArgument name) const;

 private:
  /// A position for errors.
  struct Place {
    std::size_t example;
    std::string_view name;
    const char* begin;
  };
  /// The bytes of a feature's values in an example.
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
  std::vector<std::size_t> counts_;  // number of values of each fixed feature
  std::unordered_map<std::string_view, std::size_t> index_of_;
};

}  // namespace cornu::inline v0::io
