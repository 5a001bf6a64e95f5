#include <limits>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "cornu/base/check.h"
#include "cornu/keras/config/config.h"

namespace cornu::inline v0::keras {
namespace {

constexpr std::size_t kDeepest = 256;

/// The first byte of the strings that the parser gets in place of NaN, Infinity and -Infinity, which Python
/// writes and JSON lacks. No text of a file can be mistaken for one: one that begins with that byte, which
/// must be escaped there, is given a second one.
constexpr char kMark = '\x01';
constexpr std::string_view kEscapedMark = "\\u0001";

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
    if (c == '"') {
      in_string = !in_string;
      out += c;
      if (in_string && json.substr(i + 1).starts_with(kEscapedMark)) out += kEscapedMark;
      continue;
    }
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
    out += '"';
    out += kEscapedMark;
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
    if (take_text(value)) return add(Config(std::move(value)));
    const std::string_view word = std::string_view(value).substr(1);
    if (word == "NaN") return add(Config(std::numeric_limits<double>::quiet_NaN()));
    return add(Config(std::numeric_limits<double>::infinity() * (word == "Infinity" ? 1 : -1)));
  }
  bool binary(binary_t&) { return refuse("binary data"); }
  bool start_object(std::size_t) { return open(true); }
  bool key(string_t& name) {
    if (!take_text(name)) return refuse("a number stands where a key should be");
    if (!open_.back().keys.insert(name).second) return refuse("the key \"" + name + "\" occurs twice");
    open_.back().dict.emplace_back(std::move(name), Config());
    return true;
  }
  bool end_object() {
    Config::Dict dict = std::move(open_.back().dict);
    open_.pop_back();
    return add(Config::dict(std::move(dict)));
  }
  bool start_array(std::size_t) { return open(false); }
  bool end_array() {
    Config::List list = std::move(open_.back().list);
    open_.pop_back();
    return add(Config(std::move(list)));
  }
  bool parse_error(std::size_t position, const std::string&, const nlohmann::json::exception& error) {
    std::string what = error.what();
    if (const auto begin = what.find("] "); begin != std::string::npos) what.erase(0, begin + 2);
    error_ = what + fmt::format(" (byte {})", position);
    return false;
  }

  const std::string& error() const { return error_; }
  Config take() { return std::move(result_); }

 private:
  /// A dict, whose last entry's value comes next, or a list. All that is done with one takes as long however
  /// many entries it has.
  struct Open {
    bool is_dict;
    Config::Dict dict = {};
    Config::List list = {};
    std::unordered_set<std::string> keys = {};
  };

  /// True if a string is one of the file; it then loses the mark that was added before it.
  static bool take_text(std::string& value) {
    if (!value.starts_with(kMark)) return true;
    if (value.size() < 2 || value[1] != kMark) return false;
    value.erase(0, 1);
    return true;
  }

  bool refuse(std::string error) {
    error_ = std::move(error);
    return false;
  }
  bool open(bool is_dict) {
    if (open_.size() >= kDeepest) return refuse(fmt::format("it is nested more than {} deep", kDeepest));
    open_.push_back({.is_dict = is_dict});
    return true;
  }
  bool add(Config value) {
    if (open_.empty()) {
      result_ = std::move(value);
    } else if (open_.back().is_dict) {
      open_.back().dict.back().second = std::move(value);
    } else {
      open_.back().list.push_back(std::move(value));
    }
    return true;
  }

  std::vector<Open> open_;
  Config result_;
  std::string error_;
};

}  // namespace

Config Config::parse(StringViewArgument json) {
  Builder builder;
  const std::string text = with_marked_numbers(json);
  if (!nlohmann::json::sax_parse(text, &builder))
    invalid_argument("[config] the text is not JSON that describes an object: {}", builder.error());
  return builder.take();
}

}  // namespace cornu::inline v0::keras
