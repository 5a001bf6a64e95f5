#include "cornu/io/safetensors.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>

#include "cornu/base/check.h"
#include "cornu/io/array_size_support.h"
#include "cornu/io/byte_reader.h"
#include "cornu/io/file.h"

namespace cornu::inline v0::io {
namespace {

constexpr std::uint64_t kLengthSize = 8;
constexpr const char* kMetadata = "__metadata__";
constexpr std::uint64_t kLongestDescription = 100'000'000;  // the format's limit

constexpr std::pair<std::string_view, ElementType> kSafetensorsTypes[] = {
    {"BOOL", ElementType::kBool}, {"I8", ElementType::kI8},   {"U8", ElementType::kU8},
    {"I16", ElementType::kI16},   {"U16", ElementType::kU16}, {"I32", ElementType::kI32},
    {"U32", ElementType::kU32},   {"I64", ElementType::kI64}, {"U64", ElementType::kU64},
    {"F16", ElementType::kF16},   {"F32", ElementType::kF32}, {"F64", ElementType::kF64},
    {"BF16", ElementType::kBF16}};

[[noreturn]] void refuse_description(const std::string& name, std::string_view what) {
  corrupt(name, kLengthSize, fmt::format("the description of the arrays cannot be read: {}", what));
}

nlohmann::json parse_description(const std::string& name, const std::vector<std::byte>& text) {
  using Event = nlohmann::json::parse_event_t;
  std::vector<std::set<std::string>> keys;  // keys of the open objects
  // Rejects during parsing: later content is not stored first.
  const auto watch = [&](int depth, Event event, nlohmann::json& value) {
    constexpr int kDeepest = 4;
    if (depth > kDeepest) refuse_description(name, "it is nested too deeply");
    if (event == Event::object_start) keys.emplace_back();
    if (event == Event::object_end) keys.pop_back();
    if (event == Event::key && !keys.back().insert(value.get<std::string>()).second)
      refuse_description(name, fmt::format("\"{}\" occurs twice", shown(value.get<std::string>())));
    return true;
  };
  const auto* begin = reinterpret_cast<const char*>(text.data());
  nlohmann::json description;
  try {
    description = nlohmann::json::parse(begin, begin + text.size(), watch);
  } catch (const nlohmann::json::exception& error) {
    refuse_description(name, shown(error.what()));
  }
  if (!description.is_object()) refuse_description(name, "it is not an object");
  return description;
}

SafetensorsFile::Entry entry_of(const std::string& name, const std::string& key, const nlohmann::json& value,
                                std::uint64_t data_size) {
  const auto refuse = [&](std::string_view what) {
    refuse_description(name, fmt::format("\"{}\" {}", shown(key), what));
  };
  const bool has_form = value.is_object() && value.contains("dtype") && value["dtype"].is_string() &&
                        value.contains("shape") && value["shape"].is_array() &&
                        value.contains("data_offsets") && value["data_offsets"].is_array() &&
                        value["data_offsets"].size() == 2;
  if (!has_form) refuse("has no dtype, shape and data_offsets");
  SafetensorsFile::Entry entry;
  const auto& dtype = value["dtype"].get_ref<const std::string&>();
  const auto* const type = std::find_if(std::begin(kSafetensorsTypes), std::end(kSafetensorsTypes),
                                        [&](const auto& row) { return row.first == dtype; });
  if (type == std::end(kSafetensorsTypes)) refuse(fmt::format("has elements of type {}", shown(dtype)));
  entry.type = type->second;
  for (const nlohmann::json& extent : value["shape"]) {
    if (!extent.is_number_unsigned() || !std::in_range<std::int64_t>(extent.get<std::uint64_t>()))
      refuse("has an extent that is not a number from 0 to 2^63 - 1");
    constexpr std::size_t kMostAxes = 64;  // NumPy's limit
    if (entry.dims.size() == kMostAxes) refuse(fmt::format("has more than {} axes", kMostAxes));
    entry.dims.push_back(extent.get<std::int64_t>());
  }
  const nlohmann::json &first = value["data_offsets"][0], &last = value["data_offsets"][1];
  if (!first.is_number_unsigned() || !last.is_number_unsigned()) refuse("has offsets that are not numbers");
  const auto begin = first.get<std::uint64_t>(), end = last.get<std::uint64_t>();
  if (begin > end || end > data_size)
    refuse("extends beyond the end of the file: it is cut off; get it again");
  entry.offset = begin;
  entry.size_bytes = end - begin;
  if (array_size_bytes(entry.dims, entry.type) != std::optional(entry.size_bytes))
    refuse(fmt::format("of {} does not fit its {} bytes", fmt::join(entry.dims, " x "), entry.size_bytes));
  return entry;
}

}  // namespace

SafetensorsFile::SafetensorsFile(RandomAccessPointer bytes) : bytes_(std::move(bytes)) {
  std::byte prefix[kLengthSize];
  bytes_->read(0, prefix);
  ByteReader reader(prefix, name());
  const auto length = reader.take_little_endian<std::uint64_t>("the length of the description");
  if (length > kLongestDescription || length > bytes_->size() - kLengthSize)
    corrupt(name(), 0,
            fmt::format("not a safetensors file, or one that is cut off: its description would have {} bytes",
                        length));
  std::vector<std::byte> text(static_cast<std::size_t>(length));
  bytes_->read(kLengthSize, text);
  const nlohmann::json description = parse_description(name(), text);
  const std::uint64_t data = kLengthSize + length;
  std::vector<std::pair<std::uint64_t, std::uint64_t>> parts;
  for (const auto& [key, value] : description.items()) {
    if (key == kMetadata) {
      if (!value.is_object()) refuse_description(name(), "its metadata are not an object");
      for (const auto& [text_key, text_value] : value.items()) {
        if (!text_value.is_string()) refuse_description(name(), "metadata that are not text");
        metadata_.emplace(text_key, text_value.get<std::string>());
      }
      continue;
    }
    Entry entry = entry_of(name(), key, value, bytes_->size() - data);
    parts.emplace_back(entry.offset, entry.offset + entry.size_bytes);
    entry.offset += data;
    entries_.emplace(key, std::move(entry));
  }
  std::sort(parts.begin(), parts.end());
  std::uint64_t end = 0;
  for (const auto& [first, last] : parts) {
    if (first != end) corrupt(name(), data + end, "arrays overlap here, or there is a gap between them");
    end = last;
  }
  if (data + end != bytes_->size()) corrupt(name(), data + end, "bytes follow that belong to no array");
}

void SafetensorsFile::read(const Entry& entry, std::span<std::byte> destination) const {
  CORNU_CHECK(destination.size() == entry.size_bytes, "{} bytes for an array of {}", destination.size(),
              entry.size_bytes);
  bytes_->read(entry.offset, destination);
}

void write_safetensors(const StringArgument& path, std::span<const std::pair<std::string, ArrayView>> arrays,
                       const std::map<std::string, std::string>& metadata) {
  nlohmann::ordered_json description = nlohmann::ordered_json::object();
  if (!metadata.empty()) description[kMetadata] = metadata;
  std::uint64_t end = 0;
  for (const auto& [name, array] : arrays) {
    if (description.contains(name)) invalid_argument("[io] two arrays are named \"{}\"", shown(name));
    const auto* const type = std::find_if(std::begin(kSafetensorsTypes), std::end(kSafetensorsTypes),
                                          [&](const auto& row) { return row.second == array.type; });
    description[name] = {{"dtype", std::string(type->first)},
                         {"shape", std::vector<std::int64_t>(array.dims.begin(), array.dims.end())},
                         {"data_offsets", {end, end + array.data.size()}}};
    end += array.data.size();
  }
  std::string text = description.dump();
  // Large arrays are aligned to a page in the file, as the writer's memory may be (see WholeFile::write).
  constexpr std::size_t kLarge = std::size_t{1} << 20, kPage = 4096;
  const std::size_t unit = end >= kLarge ? kPage : kLengthSize;
  text.append((unit - (kLengthSize + text.size()) % unit) % unit, ' ');
  std::byte length[kLengthSize];
  for (std::size_t i = 0; i < kLengthSize; ++i) length[i] = static_cast<std::byte>(text.size() >> (8 * i));
  WholeFile file(path);
  file.write(length);
  file.write(std::as_bytes(std::span(text)));
  for (const auto& [name, array] : arrays) file.write(array.data);
  file.commit();
}

}  // namespace cornu::inline v0::io
