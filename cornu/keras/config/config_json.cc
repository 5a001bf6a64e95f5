#include <limits>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "cornu/base/check.h"
#include "cornu/keras/config/config.h"

namespace cornu::inline v0::keras {
namespace {

constexpr std::size_t kDeepest = 256;

/// What the parser sees in place of NaN, Infinity and -Infinity, which Python writes and JSON does not know.
/// No text of a file can be mistaken for one: a byte 1 inside a string must be escaped there.
constexpr char kMark = '\x01';

/// The text with such tokens as marked strings.
std::string with_marked_numbers(std::string_view json) {
  std::string out;
  out.reserve(json.size());
  bool in_string = false;
  for (std::size_t i = 0; i < json.size(); ++i) {
    const char c = json[i];
    if (in_string && c == '\\' && i + 1 < json.size()) {
      out += c;
      out += json[++i];
      continue;
    }
    if (c == '"') in_string = !in_string;
    const auto token = [&](std::string_view word) {
      return !in_string && json.substr(i, word.size()) == word;
    };
    std::string_view found;
    for (const std::string_view word : {"NaN", "Infinity", "-Infinity"})
      if (token(word)) found = word;
    if (found.empty()) {
      out += c;
      continue;
    }
    out += "\"\\u0001";
    out += found;
    out += '"';
    i += found.size() - 1;
  }
  return out;
}

/// Builds a Config from the parser's events, so that no text can make the stack grow with its depth.
class Builder {
 public:
  using number_integer_t = nlohmann::json::number_integer_t;
  using number_unsigned_t = nlohmann::json::number_unsigned_t;
  using number_float_t = nlohmann::json::number_float_t;
  using string_t = nlohmann::json::string_t;
  using binary_t = nlohmann::json::binary_t;

  bool null() { return add(Config()); }
  bool boolean(bool value) { return add(Config(value)); }
  bool number_integer(number_integer_t value) { return add(Config(value)); }
  bool number_unsigned(number_unsigned_t value) { return add(Config(value)); }
  bool number_float(number_float_t value, const string_t& text) {
    // An integer beyond 64 bits arrives here.
    if (text.find_first_of(".eE") == std::string::npos)
      return refuse("the integer " + text + " does not fit 64 bits");
    return add(Config(value));
  }
  bool string(string_t& value) {
    if (value.empty() || value[0] != kMark) return add(Config(std::move(value)));
    const std::string word = value.substr(1);
    if (word == "NaN") return add(Config(std::numeric_limits<double>::quiet_NaN()));
    if (word == "Infinity") return add(Config(std::numeric_limits<double>::infinity()));
    if (word == "-Infinity") return add(Config(-std::numeric_limits<double>::infinity()));
    return add(Config(std::move(value)));
  }
  bool binary(binary_t&) { return refuse("binary data"); }
  bool start_object(std::size_t) { return open(Config::dict()); }
  bool key(string_t& name) {
    if (open_.back().value.contains(name)) return refuse("the key \"" + name + "\" occurs twice");
    open_.back().key = std::move(name);
    return true;
  }
  bool end_object() { return close(); }
  bool start_array(std::size_t) { return open(Config(Config::List())); }
  bool end_array() { return close(); }
  bool parse_error(std::size_t position, const std::string&, const nlohmann::json::exception& error) {
    std::string what = error.what();
    if (const auto begin = what.find("] "); begin != std::string::npos) what.erase(0, begin + 2);
    error_ = what + fmt::format(" (byte {})", position);
    return false;
  }

  const std::string& error() const { return error_; }
  Config take() { return std::move(result_); }

 private:
  struct Open {
    Config value;
    std::string key;  // of the entry that is next, in a dict
  };

  bool refuse(std::string error) {
    error_ = std::move(error);
    return false;
  }
  bool open(Config value) {
    if (open_.size() >= kDeepest) return refuse(fmt::format("it is nested more than {} deep", kDeepest));
    open_.push_back({std::move(value), {}});
    return true;
  }
  bool close() {
    Config value = std::move(open_.back().value);
    open_.pop_back();
    return add(std::move(value));
  }
  bool add(Config value) {
    if (open_.empty()) {
      result_ = std::move(value);
    } else if (open_.back().value.is_list()) {
      open_.back().value.append(std::move(value));
    } else {
      open_.back().value.set(open_.back().key, std::move(value));
    }
    return true;
  }

  std::vector<Open> open_;
  Config result_;
  std::string error_;
};

}  // namespace

Config Config::parse(std::string_view json) {
  Builder builder;
  const std::string text = with_marked_numbers(json);
  if (!nlohmann::json::sax_parse(text, &builder))
    invalid_argument("[config] the text is not JSON that describes an object: {}", builder.error());
  return builder.take();
}

}  // namespace cornu::inline v0::keras
