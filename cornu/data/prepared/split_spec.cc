#include <algorithm>
#include <cmath>
#include <optional>

#include "cornu/base/check.h"
#include "cornu/base/parse_number.h"
#include "cornu/data/prepared/dataset_info.h"
#include "cornu/io/byte_reader.h"

namespace cornu::inline v0::data::tfds {
namespace {

enum class Unit { kExamples, kPercent, kShards };

/// One end of a slice: "-54%", "10", "1shard", or empty.
struct Bound {
  std::string digits = {};  // empty: omitted
  std::optional<Unit> unit = {};
};

/// Parses "train[10%:20%]".
class SplitSpec {
 public:
  SplitSpec(std::string_view text, const std::vector<SplitInfo>& splits) : text_(text), splits_(splits) {}

  void resolve(std::vector<SplitPart>& parts) const {
    const std::size_t bracket = text_.find('[');
    const std::string_view name = text_.substr(0, bracket);
    if (name == "all") {
      if (bracket != std::string_view::npos) refuse("\"all\" takes no slice");
      for (const SplitInfo& split : splits_) add({&split, 0, split.num_examples}, parts);
      return;
    }
    const SplitInfo& split = find(name);
    if (bracket == std::string_view::npos) return add({&split, 0, split.num_examples}, parts);
    if (text_.back() != ']') refuse("a slice ends with \"]\"");
    add(slice(split, text_.substr(bracket + 1, text_.size() - bracket - 2)), parts);
  }

 private:
  [[noreturn]] void refuse(std::string_view why) const {
    invalid_argument(
        {.argument = "split"},
        "[tfds] split \"{}\": {}; write \"train\", \"train[:80%]\", \"train[10:20]\", \"test[-5%:]\", "
        "\"train[1shard]\" or several with \"+\"",
        io::shown(text_), why);
  }
  static void add(const SplitPart& part, std::vector<SplitPart>& parts) {
    if (part.begin < part.end) parts.push_back(part);
  }
  const SplitInfo& find(std::string_view name) const {
    std::string known;
    for (const SplitInfo& split : splits_) {
      if (split.name == name) return split;
      known += (known.empty() ? "" : ", ") + split.name;
    }
    refuse(fmt::format("there is no split \"{}\", there are {}", io::shown(name), known));
  }

  Bound bound(std::string_view text) const {
    Bound result;
    for (const auto& [suffix, unit] : {std::pair("%", Unit::kPercent), std::pair("shard", Unit::kShards)})
      if (text.ends_with(suffix)) {
        text.remove_suffix(std::string_view(suffix).size());
        result.unit = unit;
        break;
      }
    for (const char c : text)
      if (c != '_') result.digits += c;
    if (result.digits.empty() && (result.unit.has_value() || !text.empty()))
      refuse("a bound must be a number");
    return result;
  }

  SplitPart slice(const SplitInfo& split, std::string_view text) const {
    const std::size_t colon = text.find(':');
    const Bound from = bound(text.substr(0, colon));
    if (colon == std::string_view::npos) {
      if (from.unit != Unit::kShards) refuse("only a shard may be chosen without \":\"");
      const std::int64_t shard = integer(from, 0);
      return shards(split, shard, shard + 1);
    }
    const Bound to = bound(text.substr(colon + 1));
    if (from.digits.empty() && to.digits.empty()) refuse("a slice needs a bound");
    if (from.unit.has_value() && to.unit.has_value() && from.unit != to.unit)
      refuse("its bounds differ in their units");
    const Unit unit = from.unit.value_or(to.unit.value_or(Unit::kExamples));
    const std::int64_t count = split.num_examples;
    if (unit == Unit::kShards) return shards(split, integer(from, 0), to.digits.empty() ? 0 : integer(to, 0));
    const auto place = [&](const Bound& given, std::int64_t otherwise) {
      const std::int64_t at =
          unit == Unit::kPercent ? percent(given, count, otherwise) : integer(given, otherwise);
      if (at > count || at < -count) refuse(fmt::format("the split has {} examples", count));
      return at < 0 ? count + at : at;
    };
    return {&split, place(from, 0), place(to, count)};
  }

  /// A negative number, or an end of 0, counts from the last shard, as in TensorFlow Datasets.
  SplitPart shards(const SplitInfo& split, std::int64_t from, std::int64_t to) const {
    const auto count = static_cast<std::int64_t>(split.shard_lengths.size());
    if (from > count || from < -count || to > count || to < -count)
      refuse(fmt::format("the split has {} shards", count));
    const std::int64_t first = from < 0 ? count + from : from, last = to <= 0 ? count + to : to;
    SplitPart part{&split};
    for (std::int64_t i = 0; i < last; ++i) {
      const std::int64_t length = split.shard_lengths[static_cast<std::size_t>(i)];
      part.end += length;
      if (i < first) part.begin += length;
    }
    return part;
  }

  std::int64_t integer(const Bound& bound, std::int64_t otherwise) const {
    return bound.digits.empty() ? otherwise : number<std::int64_t>(bound.digits);
  }
  std::int64_t percent(const Bound& bound, std::int64_t count, std::int64_t otherwise) const {
    if (bound.digits.empty()) return otherwise;
    const auto share = number<double>(bound.digits);
    if (!(std::abs(share) <= 100)) refuse("a percentage must be at most 100");
    return std::llrint(share * static_cast<double>(count) / 100.0);  // halves to even
  }
  template <typename T>
  T number(const std::string& digits) const {
    const std::optional<T> value = parse_number<T>(digits);
    const bool is_plain = digits.find_first_not_of("-.0123456789") == std::string::npos;
    if (!is_plain || !value.has_value()) refuse(fmt::format("\"{}\" is not a valid number", digits));
    return *value;
  }

  std::string_view text_;
  const std::vector<SplitInfo>& splits_;
};

std::string_view trimmed(std::string_view text) {
  while (text.starts_with(' ')) text.remove_prefix(1);
  while (text.ends_with(' ')) text.remove_suffix(1);
  return text;
}

}  // namespace

std::vector<SplitPart> parts_of_split(StringViewArgument spec, const std::vector<SplitInfo>& splits) {
  std::vector<SplitPart> parts;
  for (std::size_t begin = 0, end = 0; end != std::string_view::npos; begin = end + 1) {
    end = spec.find('+', begin);
    SplitSpec(trimmed(spec.substr(begin, end - begin)), splits).resolve(parts);
  }
  if (parts.empty())
    invalid_argument({.argument = "split"}, "[tfds] split \"{}\" has no example", io::shown(spec));
  return parts;
}

std::vector<FilePart> files_of_parts(const std::vector<SplitPart>& parts) {
  std::vector<FilePart> files;
  for (const SplitPart& part : parts) {
    std::int64_t begin = 0;
    for (std::size_t i = 0; i < part.split->shard_lengths.size(); ++i) {
      const std::int64_t end = begin + part.split->shard_lengths[i];
      const std::int64_t first = std::max(part.begin, begin), last = std::min(part.end, end);
      if (first < last)
        files.push_back({part.split->file_names[i], first - begin, last == end ? -1 : last - first});
      begin = end;
    }
  }
  return files;
}

}  // namespace cornu::inline v0::data::tfds
