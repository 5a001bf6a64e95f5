#include "cornu/keras/config/config.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string_view>
#include <unordered_set>
#include <variant>

#include "cornu/base/check.h"
#include "cornu/keras/base/names.h"

namespace cornu::inline v0::keras {
namespace {

[[noreturn]] void not_a(const char* wanted, const Config& got) {
  invalid_argument("[config] expected {}; got {}: {}", wanted, got.kind_name(), got.json());
}

void write_string(std::string& out, const std::string& text) {
  out += '"';
  for (const char c : text) {
    switch (c) {
      case '"': out += "\\\""; break;
      case '\\': out += "\\\\"; break;
      case '\n': out += "\\n"; break;
      case '\r': out += "\\r"; break;
      case '\t': out += "\\t"; break;
      default:
        if (static_cast<unsigned char>(c) < 0x20) {
          out += fmt::format("\\u{:04x}", static_cast<unsigned>(static_cast<unsigned char>(c)));
        } else {
          out += c;
        }
    }
  }
  out += '"';
}

void write_number(std::string& out, double value) {
  if (std::isnan(value)) {
    out += "NaN";
  } else if (std::isinf(value)) {
    out += value < 0 ? "-Infinity" : "Infinity";
  } else {
    const std::string text = fmt::format("{}", value);
    out += text;
    if (text.find_first_of(".e") == std::string::npos) out += ".0";
  }
}

void write_json(std::string& out, const Config& config, int indent, int level);

/// The parts of a list or a dict, by `write_part(i)`.
template <typename WritePart>
void write_parts(std::string& out, std::size_t count, int indent, int level, const WritePart& write_part) {
  const auto new_line = [&](int at) {
    if (indent <= 0) return;
    out += '\n';
    out.append(static_cast<std::size_t>(indent) * static_cast<std::size_t>(at), ' ');
  };
  for (std::size_t i = 0; i < count; ++i) {
    if (i > 0) out += indent > 0 ? "," : ", ";
    new_line(level + 1);
    write_part(i);
  }
  if (count > 0) new_line(level);
}

void write_json(std::string& out, const Config& config, int indent, int level) {
  switch (config.kind()) {
    case Config::Kind::kNull: out += "null"; break;
    case Config::Kind::kBool: out += config.as_bool() ? "true" : "false"; break;
    case Config::Kind::kInteger:
      out +=
          config.as_number() < 0 ? std::to_string(config.as_integer()) : std::to_string(config.as_unsigned());
      break;
    case Config::Kind::kFloat: write_number(out, config.as_number()); break;
    case Config::Kind::kString: write_string(out, config.as_string()); break;
    case Config::Kind::kList: {
      const Config::List& list = config.as_list();
      out += '[';
      write_parts(out, list.size(), indent, level,
                  [&](std::size_t i) { write_json(out, list[i], indent, level + 1); });
      out += ']';
      break;
    }
    case Config::Kind::kDict: {
      const Config::Dict& dict = config.as_dict();
      out += '{';
      write_parts(out, dict.size(), indent, level, [&](std::size_t i) {
        write_string(out, dict[i].first);
        out += ": ";
        write_json(out, dict[i].second, indent, level + 1);
      });
      out += '}';
      break;
    }
  }
}

}  // namespace

struct Config::Value {
  // An integer is unsigned only if it does not fit the signed type.
  std::variant<bool, std::int64_t, std::uint64_t, double, std::string, List, Dict> alternatives;
  bool operator==(const Value&) const = default;
};

template <typename T>
T* Config::get_if() const {
  return value_ == nullptr ? nullptr : std::get_if<T>(&value_->alternatives);
}

Config::Config() = default;
Config::Config(const Config& other)
    : value_(other.value_ == nullptr ? nullptr : std::make_unique<Value>(*other.value_)) {}
Config::Config(Config&&) noexcept = default;
Config& Config::operator=(const Config& other) { return *this = Config(other); }
Config& Config::operator=(Config&&) noexcept = default;
Config::~Config() = default;
Config::Config(std::string value) : value_(std::make_unique<Value>(std::move(value))) {}
Config::Config(List values) : value_(std::make_unique<Value>(std::move(values))) {}

Config Config::of_bool(bool value) {
  Config config;
  config.value_ = std::make_unique<Value>(value);
  return config;
}
Config Config::of_signed(std::int64_t value) {
  Config config;
  config.value_ = std::make_unique<Value>(value);
  return config;
}
Config Config::of_unsigned(std::uint64_t value) {
  Config config;
  config.value_ = std::make_unique<Value>(value);
  return config;
}
Config Config::of_number(double value) {
  Config config;
  config.value_ = std::make_unique<Value>(value);
  return config;
}

Config Config::dict(std::initializer_list<Entry> entries) { return dict(Dict(entries)); }

Config Config::dict(Dict entries) {
  std::unordered_set<std::string_view> keys;  // a file's dict may have very many
  for (const Entry& entry : entries)
    if (!keys.insert(entry.first).second)
      invalid_argument("[config] the key \"{}\" occurs twice", entry.first);
  Config config;
  config.value_ = std::make_unique<Value>(std::move(entries));
  return config;
}

Config::Kind Config::kind() const {
  constexpr Kind kKinds[] = {Kind::kBool,   Kind::kInteger, Kind::kInteger, Kind::kFloat,
                             Kind::kString, Kind::kList,    Kind::kDict};
  return value_ == nullptr ? Kind::kNull : kKinds[value_->alternatives.index()];
}

const char* Config::kind_name() const {
  switch (kind()) {
    case Kind::kNull: return "null";
    case Kind::kBool: return "a bool";
    case Kind::kInteger: return "an integer";
    case Kind::kFloat: return "a number";
    case Kind::kString: return "a string";
    case Kind::kList: return "a list";
    case Kind::kDict: break;
  }
  return "a dict";
}

bool Config::as_bool() const {
  if (const bool* value = get_if<bool>()) return *value;
  not_a("a bool", *this);
}

std::int64_t Config::as_integer() const {
  if (const auto* value = get_if<std::int64_t>()) return *value;
  if (const auto* value = get_if<std::uint64_t>())
    fail(ErrorCode::kOutOfRange, "[config] expected an integer of 64 bits with a sign; got {}", *value);
  not_a("an integer", *this);
}

std::uint64_t Config::as_unsigned() const {
  if (const auto* value = get_if<std::uint64_t>()) return *value;
  const std::int64_t value = as_integer();
  if (value < 0)
    fail(ErrorCode::kOutOfRange, "[config] expected an integer that is not negative; got {}", value);
  return static_cast<std::uint64_t>(value);
}

double Config::as_number() const {
  if (const auto* value = get_if<double>()) return *value;
  if (const auto* value = get_if<std::int64_t>()) return static_cast<double>(*value);
  if (const auto* value = get_if<std::uint64_t>()) return static_cast<double>(*value);
  not_a("a number", *this);
}

const std::string& Config::as_string() const {
  if (const auto* value = get_if<std::string>()) return *value;
  not_a("a string", *this);
}

const Config::List& Config::as_list() const {
  if (const auto* value = get_if<List>()) return *value;
  not_a("a list", *this);
}

const Config::Dict& Config::as_dict() const {
  if (const auto* value = get_if<Dict>()) return *value;
  not_a("a dict", *this);
}

const Config* Config::find(StringViewArgument key) const {
  const auto* dict = get_if<Dict>();
  if (dict == nullptr) return nullptr;
  const auto entry =
      std::find_if(dict->begin(), dict->end(), [&](const Entry& each) { return each.first == key; });
  return entry == dict->end() ? nullptr : &entry->second;
}

Config* Config::find_mutable(std::string_view key) {
  return const_cast<Config*>(std::as_const(*this).find(key));
}

const Config& Config::at(StringViewArgument key) const {
  if (!is_dict()) not_a("a dict", *this);
  if (const Config* value = find(key)) return *value;
  const std::vector<std::string> known = keys();
  invalid_argument("[config] there is no key \"{}\"; {}", key, name_proposal(key, known));
}

const Config& Config::at(std::size_t index) const {
  const List& values = as_list();
  if (index < values.size()) return values[index];
  fail(ErrorCode::kOutOfRange, "[config] there is no element {} in a list of {}", index, values.size());
}

void Config::set(StringViewArgument key, Config value) {
  if (is_null()) value_ = std::make_unique<Value>(Dict());
  if (!is_dict()) not_a("a dict", *this);
  if (Config* old = find_mutable(key)) {
    *old = std::move(value);
  } else {
    std::get<Dict>(value_->alternatives).emplace_back(key, std::move(value));
  }
}

void Config::erase(StringViewArgument key) {
  if (auto* dict = get_if<Dict>())
    std::erase_if(*dict, [&](const Entry& entry) { return entry.first == key; });
}

void Config::append(Config value) {
  if (is_null()) value_ = std::make_unique<Value>(List());
  if (!is_list()) not_a("a list", *this);
  std::get<List>(value_->alternatives).push_back(std::move(value));
}

std::size_t Config::size() const { return is_list() ? as_list().size() : as_dict().size(); }

std::vector<std::string> Config::keys() const {
  std::vector<std::string> all;
  for (const Entry& entry : as_dict()) all.push_back(entry.first);
  return all;
}

bool Config::operator==(const Config& other) const {
  if (is_number() && other.is_number()) {
    if (is_integer() && other.is_integer()) return *value_ == *other.value_;
    const double a = as_number(), b = other.as_number();
    return a == b || (std::isnan(a) && std::isnan(b));
  }
  if (kind() != other.kind()) return false;
  if (is_null()) return true;
  if (!is_dict()) return *value_ == *other.value_;
  if (size() != other.size()) return false;
  return std::all_of(as_dict().begin(), as_dict().end(), [&](const Entry& entry) {
    const Config* value = other.find(entry.first);
    return value != nullptr && *value == entry.second;
  });
}

std::string Config::json(int indent) const {
  std::string out;
  write_json(out, *this, indent, 0);
  return out;
}

}  // namespace cornu::inline v0::keras
