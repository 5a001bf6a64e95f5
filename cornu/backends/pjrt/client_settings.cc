#include "cornu/backends/pjrt/client_settings.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "cornu/base/check.h"
#include "cornu/base/nearest_names.h"
#include "cornu/base/parse_number.h"

namespace cornu::inline v0::backends::pjrt {
namespace {

struct KnownSetting {
  const char* name;
  PJRT_NamedValue_Type type;
  const char* platform;        // "cpu"; "gpu": cuda and rocm
  double least = 0, most = 0;  // range of numbers
  const char* meaning;         // description of the value, for errors
};
constexpr std::array<KnownSetting, 6> kKnown = {
    {{"cpu_device_count", PJRT_NamedValue_kInt64, "cpu", 1, 256, "a number of devices from 1 to 256"},
     {"memory_fraction", PJRT_NamedValue_kFloat, "gpu", 0.001, 1,
      "a share of the memory, above 0 and at most 1"},
     {"preallocate", PJRT_NamedValue_kBool, "gpu", 0, 0, "true or false"},
     {"allocator", PJRT_NamedValue_kString, "gpu", 0, 0, "default, platform, bfc or cuda_async"},
     {"collective_memory_size", PJRT_NamedValue_kInt64, "gpu", 0, 1e15, "a number of bytes"},
     {"visible_devices", PJRT_NamedValue_kInt64List, "gpu", 0, 1023,
      "numbers of devices with + between, as 0+2"}}};

const KnownSetting& find_known(std::string_view name) {
  std::vector<std::string> names = {"precision"};  // handled by the backend before
  for (const KnownSetting& known : kKnown) {
    if (known.name == name) return known;
    names.emplace_back(known.name);
  }
  invalid_argument("[pjrt] there is no setting \"{}\" of a client: {}", name, name_proposal(name, names));
}

bool is_of_platform(const KnownSetting& setting, std::string_view platform) {
  return std::string_view(setting.platform) == "cpu"
             ? platform == "cpu"
             : platform == "cuda" || platform == "rocm" || platform == "gpu";
}

/// Parses a number within the setting's bounds into `value`; false for other texts.
template <typename T>
bool parse(const KnownSetting& known, std::string_view text, T& value) {
  const std::optional<T> number = parse_number<T>(text);
  if (!number.has_value()) return false;
  value = *number;
  return static_cast<double>(value) >= known.least && static_cast<double>(value) <= known.most;
}

bool parse_list(const KnownSetting& known, std::string_view text, std::vector<std::int64_t>& list) {
  while (true) {
    const std::size_t end = std::min(text.find('+'), text.size());
    std::int64_t value = 0;
    if (!parse(known, text.substr(0, end), value)) return false;
    list.push_back(value);
    if (end == text.size()) return true;
    text.remove_prefix(end + 1);
  }
}

/// Parses the text into `value`; false if it is not of this kind.
bool parse_value(const KnownSetting& known, std::string_view text, std::vector<std::int64_t>& list,
                 PJRT_NamedValue& value) {
  value.value_size = 1;
  switch (known.type) {
    case PJRT_NamedValue_kInt64: return parse(known, text, value.int64_value);
    case PJRT_NamedValue_kFloat: return parse(known, text, value.float_value);
    case PJRT_NamedValue_kBool: value.bool_value = text == "true"; return text == "true" || text == "false";
    case PJRT_NamedValue_kInt64List:
      if (!parse_list(known, text, list)) return false;
      value.int64_array_value = list.data();
      value.value_size = list.size();
      return true;
    case PJRT_NamedValue_kString:
      return text == "default" || text == "platform" || text == "bfc" || text == "cuda_async";
  }
  return false;
}

}  // namespace

ClientSettings::ClientSettings(std::string_view text) {
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(','), text.size());
    const std::string_view setting = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    const std::size_t equals = setting.find('=');
    if (equals == std::string_view::npos)
      invalid_argument("[pjrt] a setting of a client is NAME=VALUE; got \"{}\"", setting);
    add(setting.substr(0, equals), setting.substr(equals + 1));
  }
}

void ClientSettings::add(std::string_view name, std::string_view text) {
  const KnownSetting& known = find_known(name);
  for (const Stored& stored : stored_)
    if (stored.name == name) invalid_argument("[pjrt] the setting \"{}\" is given twice", name);
  Stored& stored = stored_.emplace_back();
  stored.name = name;
  stored.text = text;
  PJRT_NamedValue value{};
  value.struct_size = PJRT_NamedValue_STRUCT_SIZE;
  value.name = stored.name.data();
  value.name_size = stored.name.size();
  value.type = known.type;
  if (!parse_value(known, stored.text, stored.list, value))
    invalid_argument("[pjrt] the setting \"{}\" must be {}; got \"{}\"", name, known.meaning, text);
  if (known.type == PJRT_NamedValue_kString) {
    value.string_value = stored.text.data();
    value.value_size = stored.text.size();
  }
  values_.push_back(value);
}

void ClientSettings::set_default(const std::string& name, const std::string& value) {
  if (!has(name)) add(name, value);
}

bool ClientSettings::has(std::string_view name) const {
  return std::any_of(stored_.begin(), stored_.end(),
                     [&](const Stored& stored) { return stored.name == name; });
}

std::optional<std::string> ClientSettings::text_of(std::string_view name) const {
  for (const Stored& stored : stored_)
    if (stored.name == name) return stored.text;
  return std::nullopt;
}

void ClientSettings::add_number(const std::string& name, std::int64_t number) {
  Stored& stored = stored_.emplace_back();
  stored.name = name;
  stored.is_ours = true;
  PJRT_NamedValue value{};
  value.struct_size = PJRT_NamedValue_STRUCT_SIZE;
  value.name = stored.name.data();
  value.name_size = stored.name.size();
  value.type = PJRT_NamedValue_kInt64;
  value.int64_value = number;
  value.value_size = 1;
  values_.push_back(value);
}

void ClientSettings::check_platform(std::string_view platform) const {
  for (const Stored& stored : stored_) {
    if (stored.is_ours) continue;
    if (const KnownSetting& known = find_known(stored.name); !is_of_platform(known, platform))
      invalid_argument("[pjrt] the setting \"{}\" is for the platform {}; this plug-in's is \"{}\"",
                       stored.name, known.platform, platform);
  }
}

}  // namespace cornu::inline v0::backends::pjrt
