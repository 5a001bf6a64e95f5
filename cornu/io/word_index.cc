#include "cornu/io/word_index.h"

#include <nlohmann/json.hpp>

#include "cornu/base/check.h"
#include "cornu/io/byte_reader.h"

namespace cornu::inline v0::io {
namespace {

/// Receives the parser's events and rejects all input except a flat object of numbers, so that depth and
/// memory are bounded.
class WordIndexHandler : public nlohmann::json_sax<nlohmann::json> {
 public:
  bool null() override { return refuse("null"); }
  bool boolean(bool) override { return refuse("a boolean"); }
  bool number_integer(number_integer_t value) override { return refuse(fmt::format("{}", value)); }
  bool number_unsigned(number_unsigned_t value) override {
    constexpr std::uint64_t kLargest = std::uint64_t{1} << 53;
    if (!inside_ || value > kLargest) return refuse(fmt::format("{}", value));
    if (!index.emplace(word_, static_cast<std::int64_t>(value)).second) {
      message = fmt::format("the word \"{}\" occurs twice", word_);
      return false;
    }
    return true;
  }
  bool number_float(number_float_t, const string_t& text) override { return refuse(text); }
  bool string(string_t&) override { return refuse("a text"); }
  bool binary(binary_t&) override { return refuse("binary data"); }
  bool start_object(std::size_t) override {
    if (inside_) return refuse("an object");
    return inside_ = true;
  }
  bool key(string_t& word) override {
    word_ = word;
    return true;
  }
  bool end_object() override { return true; }
  bool start_array(std::size_t) override { return refuse("a list"); }
  bool end_array() override { return true; }
  bool parse_error(std::size_t position, const std::string&,
                   const nlohmann::detail::exception& error) override {
    offset = position;
    message = fmt::format("not JSON: {}", error.what());
    return false;
  }

  WordIndex index;
  std::string message;
  std::size_t offset = 0;

 private:
  bool refuse(std::string_view what) {
    message = inside_ ? fmt::format("the word \"{}\" has {} instead of a number from 0 to 2^53", word_, what)
                      : fmt::format("{} instead of an object of words and numbers", what);
    return false;
  }

  bool inside_ = false;
  std::string word_;
};

}  // namespace

WordIndex parse_word_index(std::span<const std::byte> bytes, StringViewArgument name) {
  WordIndexHandler handler;
  const auto* text = reinterpret_cast<const char*>(bytes.data());
  if (!nlohmann::json::sax_parse(text, text + bytes.size(), &handler))
    corrupt(name, handler.offset, handler.message);
  return std::move(handler.index);
}

WordIndex read_word_index(const StringArgument& path, const ReadLimits& limits) {
  return parse_word_index(read_file(path, limits), path);
}

}  // namespace cornu::inline v0::io
