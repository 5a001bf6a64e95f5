#include "cornu/io/example.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "cornu/base/check.h"
#include "cornu/base/checked_size.h"
#include "cornu/io/proto_reader.h"
#include "cornu/io/proto_writer.h"

namespace cornu::inline v0::io {
namespace {

using Wire = ProtoReader::Wire;

// Field numbers: Example.features, Features.feature, an entry's key and value, a list's values.
constexpr std::uint32_t kFeatures = 1, kEntry = 1, kKey = 1, kValue = 2, kValues = 1;
// Field numbers of Feature's kinds.
constexpr std::uint32_t kBytesList = 1, kFloatList = 2, kInt64List = 3;

/// The list in a feature: the last one if there are several.
struct List {
  std::uint32_t kind = 0;  // 0: none
  std::string_view bytes;
};

List list_of(std::string_view feature, std::string_view name, const char* begin) {
  List list;
  for (ProtoReader reader(feature, name, begin); reader.has_more();) {
    const ProtoReader::Field field = reader.take_field();
    if (field.number >= kBytesList && field.number <= kInt64List && field.wire == Wire::kBytes)
      list = {field.number, reader.take_bytes()};
    else
      reader.skip(field.wire);
  }
  return list;
}

/// Calls `f` for each value of a list of bytes.
template <typename F>
void for_each_text(std::string_view list, std::string_view name, const char* begin, const F& f) {
  for (ProtoReader reader(list, name, begin); reader.has_more();) {
    const ProtoReader::Field field = reader.take_field();
    if (field.number == kValues && field.wire == Wire::kBytes)
      f(reader.take_bytes());
    else
      reader.skip(field.wire);
  }
}

/// Calls `run(bytes, count)` for each run of packed floats.
template <typename F>
void for_each_float_run(std::string_view list, std::string_view name, const char* begin, const F& run) {
  for (ProtoReader reader(list, name, begin); reader.has_more();) {
    const ProtoReader::Field field = reader.take_field();
    if (field.number == kValues && field.wire == Wire::kBytes) {
      const std::string_view packed = reader.take_bytes();
      if (packed.size() % sizeof(float) != 0) reader.damaged("packed floats that are cut off");
      run(packed.data(), packed.size() / sizeof(float));
    } else if (field.number == kValues && field.wire == Wire::kFixed32) {
      const float value = reader.take_float();
      run(reinterpret_cast<const char*>(&value), std::size_t{1});
    } else {
      reader.skip(field.wire);
    }
  }
}

template <typename F>
void for_each_integer(std::string_view list, std::string_view name, const char* begin, const F& f) {
  for (ProtoReader reader(list, name, begin); reader.has_more();) {
    const ProtoReader::Field field = reader.take_field();
    if (field.number == kValues && field.wire == Wire::kBytes) {
      for (ProtoReader packed(reader.take_bytes(), name, begin); packed.has_more();)
        f(static_cast<std::int64_t>(packed.take_varint()));
    } else if (field.number == kValues && field.wire == Wire::kVarint) {
      f(static_cast<std::int64_t>(reader.take_varint()));
    } else {
      reader.skip(field.wire);
    }
  }
}

/// Calls f(key, value) for each entry of the map in a field: features, or lists of features.
template <typename F>
void for_each_entry(std::string_view example, std::string_view name, const F& f,
                    std::uint32_t map_field = kFeatures) {
  const char* const begin = example.data();
  for (ProtoReader reader(example, name, begin); reader.has_more();) {
    const ProtoReader::Field field = reader.take_field();
    if (field.number != map_field || field.wire != Wire::kBytes) {
      reader.skip(field.wire);
      continue;
    }
    for (ProtoReader features(reader.take_bytes(), name, begin); features.has_more();) {
      const ProtoReader::Field entry_field = features.take_field();
      if (entry_field.number != kEntry || entry_field.wire != Wire::kBytes) {
        features.skip(entry_field.wire);
        continue;
      }
      std::string_view key, value;
      for (ProtoReader entry(features.take_bytes(), name, begin); entry.has_more();) {
        const ProtoReader::Field part = entry.take_field();
        if (part.number == kKey && part.wire == Wire::kBytes)
          key = entry.take_bytes();
        else if (part.number == kValue && part.wire == Wire::kBytes)
          value = entry.take_bytes();
        else
          entry.skip(part.wire);
      }
      f(key, value);
    }
  }
}

constexpr FeatureType type_of(std::uint32_t kind) {
  return kind == kBytesList   ? FeatureType::kBytes
         : kind == kFloatList ? FeatureType::kFloat
                              : FeatureType::kInt64;
}

std::string serialized_list(const FeatureValues& values) {
  std::string list, feature;
  if (const auto* texts = std::get_if<std::vector<std::string>>(&values)) {
    for (const std::string& text : *texts) append_bytes_field(list, kValues, text);
    append_bytes_field(feature, kBytesList, list);
  } else if (const auto* floats = std::get_if<std::vector<float>>(&values)) {
    if (!floats->empty())
      append_bytes_field(list, kValues,
                         {reinterpret_cast<const char*>(floats->data()), floats->size() * sizeof(float)});
    append_bytes_field(feature, kFloatList, list);
  } else if (const auto* integers = std::get_if<std::vector<std::int64_t>>(&values)) {
    std::string packed;
    for (const std::int64_t value : *integers) append_varint(packed, static_cast<std::uint64_t>(value));
    if (!packed.empty()) append_bytes_field(list, kValues, packed);
    append_bytes_field(feature, kInt64List, list);
  }
  return feature;
}

}  // namespace

const char* feature_type_name(FeatureType type) {
  return type == FeatureType::kBytes ? "bytes" : type == FeatureType::kFloat ? "float" : "int64";
}

std::string serialize_example(const Example& example) {
  std::string features;
  for (const auto& [key, values] : example) {
    std::string entry;
    append_bytes_field(entry, kKey, key);
    append_bytes_field(entry, kValue, serialized_list(values));
    append_bytes_field(features, kEntry, entry);
  }
  std::string serialized;
  append_bytes_field(serialized, kFeatures, features);
  return serialized;
}

Example parse_example(StringViewArgument serialized, StringViewArgument name) {
  Example example;
  const char* const begin = serialized.data();
  for_each_entry(serialized, name, [&](std::string_view key, std::string_view feature) {
    FeatureValues& values = example[std::string(key)];
    values = {};
    const List list = list_of(feature, name, begin);
    if (list.kind == kBytesList) {
      auto& texts = values.emplace<std::vector<std::string>>();
      for_each_text(list.bytes, name, begin, [&](std::string_view text) { texts.emplace_back(text); });
    } else if (list.kind == kFloatList) {
      auto& floats = values.emplace<std::vector<float>>();
      for_each_float_run(list.bytes, name, begin, [&](const char* from, std::size_t count) {
        const std::size_t before = floats.size();
        floats.resize(before + count);
        if (count > 0) std::memcpy(floats.data() + before, from, count * sizeof(float));
      });
    } else if (list.kind == kInt64List) {
      auto& integers = values.emplace<std::vector<std::int64_t>>();
      for_each_integer(list.bytes, name, begin, [&](std::int64_t value) { integers.push_back(value); });
    }
  });
  return example;
}

namespace {

std::size_t num_defaults(const FeatureValues& values) {
  return std::visit(
      [](const auto& held) -> std::size_t {
        if constexpr (std::is_same_v<std::remove_cvref_t<decltype(held)>, std::monostate>)
          return 0;
        else
          return held.size();
      },
      values);
}

bool is_of_type(const FeatureValues& values, FeatureType type) {
  switch (type) {
    case FeatureType::kBytes: return std::holds_alternative<std::vector<std::string>>(values);
    case FeatureType::kFloat: return std::holds_alternative<std::vector<float>>(values);
    default: return std::holds_alternative<std::vector<std::int64_t>>(values);
  }
}

}  // namespace

ExampleParser::ExampleParser(std::vector<FeatureSpec> features) : features_(std::move(features)) {
  for (std::size_t i = 0; i < features_.size(); ++i) {
    const FeatureSpec& feature = features_[i];
    if (!index_of_.emplace(feature.name, i).second)
      invalid_argument("[parse_example] feature \"{}\" is described twice", shown(feature.name));
    for (const std::int64_t extent : feature.shape)
      if (extent < 0)
        invalid_argument("[parse_example] extents of feature \"{}\" must not be negative; got {}",
                         shown(feature.name), extent);
    const std::int64_t count =
        CheckedSize::product(feature.shape).value("[parse_example] the values of a feature");
    counts_.push_back(static_cast<std::size_t>(count));
    check_default(feature, counts_.back());
  }
}

void ExampleParser::check_default(const FeatureSpec& feature, std::size_t count) const {
  if (std::holds_alternative<std::monostate>(feature.default_value)) return;
  if (feature.is_variable)
    invalid_argument(
        "[parse_example] feature \"{}\" has a variable number of values, so it must not have a default",
        shown(feature.name));
  if (!is_of_type(feature.default_value, feature.type))
    invalid_argument("[parse_example] the default of feature \"{}\" is not of type {}", shown(feature.name),
                     feature_type_name(feature.type));
  const std::size_t given = num_defaults(feature.default_value);
  if (given != 1 && given != count)
    invalid_argument("[parse_example] the default of feature \"{}\" has {} values; it needs 1 or {}",
                     shown(feature.name), given, count);
}

// Writers usually keep the order of features, so the search for the next feature begins after the last one.
void ExampleParser::find_features(std::string_view example, std::string_view name, std::vector<Found>& found,
                                  std::uint32_t map_field) const {
  std::fill(found.begin(), found.end(), Found());
  std::size_t guess = 0;
  for_each_entry(
      example, name,
      [&](std::string_view key, std::string_view feature) {
        std::size_t index = guess;
        if (index >= features_.size() || features_[index].name != key) {
          const auto known = index_of_.find(key);
          if (known == index_of_.end()) return;
          index = known->second;
        }
        found[index] = {feature, true};
        guess = index + 1;
      },
      map_field);
}

namespace {

/// Appends the values of one feature of one example to those of earlier examples.
class ColumnWriter {
 public:
  ColumnWriter(const FeatureSpec& feature, std::size_t count, FeatureColumn& column)
      : feature_(feature), count_(count), column_(column) {}

  /// Appends the values and returns their number. Excess values of a fixed feature are not stored.
  std::size_t append(std::string_view list, std::string_view name, const char* begin) {
    std::size_t num_values = 0;
    const auto takes = [&](std::size_t count) {
      num_values += count;
      return feature_.is_variable || num_values <= count_;
    };
    switch (feature_.type) {
      case FeatureType::kBytes:
        for_each_text(list, name, begin, [&](std::string_view text) {
          if (!takes(1)) return;
          column_.bytes.append(text);
          column_.offsets.push_back(column_.bytes.size());
        });
        break;
      case FeatureType::kFloat:
        for_each_float_run(list, name, begin, [&](const char* from, std::size_t count) {
          if (!takes(count)) return;
          const std::size_t at = column_.floats.size();
          column_.floats.resize(at + count);
          if (count > 0) std::memcpy(column_.floats.data() + at, from, count * sizeof(float));
        });
        break;
      case FeatureType::kInt64:
        for_each_integer(list, name, begin, [&](std::int64_t value) {
          if (takes(1)) column_.integers.push_back(value);
        });
        break;
    }
    return num_values;
  }
  void append_default() {
    const auto value_at = [&](const auto& values, std::size_t i) -> const auto& {
      return values[values.size() == 1 ? 0 : i];
    };
    for (std::size_t i = 0; i < count_; ++i) {
      if (const auto* texts = std::get_if<std::vector<std::string>>(&feature_.default_value)) {
        column_.bytes.append(value_at(*texts, i));
        column_.offsets.push_back(column_.bytes.size());
      } else if (const auto* floats = std::get_if<std::vector<float>>(&feature_.default_value)) {
        column_.floats.push_back(value_at(*floats, i));
      } else if (const auto* integers = std::get_if<std::vector<std::int64_t>>(&feature_.default_value)) {
        column_.integers.push_back(value_at(*integers, i));
      }
    }
  }
  std::size_t size() const {
    switch (feature_.type) {
      case FeatureType::kBytes: return column_.offsets.size() - 1;
      case FeatureType::kFloat: return column_.floats.size();
      default: return column_.integers.size();
    }
  }

 private:
  const FeatureSpec& feature_;
  std::size_t count_;
  FeatureColumn& column_;
};

}  // namespace

std::vector<FeatureColumn> ExampleParser::parse(std::span<const std::string_view> examples,
                                                StringViewArgument name) const {
  std::vector<FeatureColumn> columns(features_.size());
  std::vector<Found> found(features_.size());
  for (std::size_t i = 0; i < examples.size(); ++i) {
    find_features(examples[i], name, found);
    // NOLINTNEXTLINE(bugprone-suspicious-stringview-data-usage): the start of the example, not a text
    const Place place{i, name, examples[i].data()};
    for (std::size_t k = 0; k < features_.size(); ++k) append(k, found[k].feature, place, columns[k]);
  }
  return columns;
}

void ExampleParser::append(std::size_t k, std::string_view bytes, const Place& place,
                           FeatureColumn& column) const {
  const FeatureSpec& feature = features_[k];
  ColumnWriter writer(feature, counts_[k], column);
  const List list = list_of(bytes, place.name, place.begin);  // without bytes: none
  if (list.kind != 0 && type_of(list.kind) != feature.type)
    invalid_argument("[parse_example] feature \"{}\" of example {} holds {} instead of {}; in {}",
                     shown(feature.name), place.example, feature_type_name(type_of(list.kind)),
                     feature_type_name(feature.type), shown(place.name));
  if (feature.is_variable) {
    if (list.kind != 0) writer.append(list.bytes, place.name, place.begin);
    column.row_splits.push_back(static_cast<std::int64_t>(writer.size()));
    return;
  }
  if (list.kind == 0) {
    if (std::holds_alternative<std::monostate>(feature.default_value))
      invalid_argument("[parse_example] feature \"{}\" is missing in example {}, and has no default; in {}",
                       shown(feature.name), place.example, shown(place.name));
    writer.append_default();
    return;
  }
  const std::size_t got = writer.append(list.bytes, place.name, place.begin);
  if (got != counts_[k])
    invalid_argument("[parse_example] feature \"{}\" of example {} has {} values; its shape needs {}; in {}",
                     shown(feature.name), place.example, got, counts_[k], shown(place.name));
}

std::vector<SequenceColumn> ExampleParser::parse_sequences(std::span<const std::string_view> examples,
                                                           StringViewArgument name) const {
  constexpr std::uint32_t kFeatureLists = 2, kFeature = 1;  // SequenceExample's, and FeatureList's
  std::vector<SequenceColumn> columns(features_.size());
  std::vector<Found> found(features_.size());
  for (std::size_t i = 0; i < examples.size(); ++i) {
    find_features(examples[i], name, found, kFeatureLists);
    // NOLINTNEXTLINE(bugprone-suspicious-stringview-data-usage): as above
    const Place place{i, name, examples[i].data()};
    for (std::size_t k = 0; k < features_.size(); ++k) {
      SequenceColumn& column = columns[k];
      if (!found[k].is_there && !features_[k].is_variable)
        invalid_argument("[parse_example] the list of feature \"{}\" is missing in example {}; in {}",
                         shown(features_[k].name), i, shown(name));
      std::int64_t num_steps = column.step_splits.back();
      for (ProtoReader steps(found[k].feature, name, place.begin); steps.has_more();) {
        const ProtoReader::Field field = steps.take_field();
        if (field.number != kFeature || field.wire != Wire::kBytes) {
          steps.skip(field.wire);
          continue;
        }
        append(k, steps.take_bytes(), place, column.values);
        ++num_steps;
      }
      column.step_splits.push_back(num_steps);
    }
  }
  return columns;
}

}  // namespace cornu::inline v0::io
