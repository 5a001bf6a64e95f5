#include "cornu/keras/layers/preprocessing/tokenize_support.h"

#include <algorithm>
#include <utility>

#include "cornu/base/check.h"

namespace cornu::inline v0::keras::layers {
namespace {

bool is_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }
bool is_punctuation(char c) {
  return (c >= '!' && c <= '/') || (c >= ':' && c <= '@') || (c >= '[' && c <= '`') || (c >= '{' && c <= '~');
}

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";

/// The number of bytes of the first character of `text`, and true if it is valid. For an invalid one, the
/// longest prefix of a valid sequence (Unicode's recommended practice).
std::pair<std::size_t, bool> first_character(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned first = byte(0);
  if (first < 0x80) return {1, true};
  if (first < 0xC2 || first > 0xF4) return {1, false};
  const std::size_t length = first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4;
  // The second byte has a smaller range for some first bytes: no overlong forms, no surrogates, no code
  // points beyond U+10FFFF.
  unsigned low = 0x80, high = 0xBF;
  if (first == 0xE0) low = 0xA0;
  if (first == 0xED) high = 0x9F;
  if (first == 0xF0) low = 0x90;
  if (first == 0xF4) high = 0x8F;
  for (std::size_t i = 1; i < length; ++i, low = 0x80, high = 0xBF)
    if (i == text.size() || byte(i) < low || byte(i) > high) return {i, false};
  return {length, true};
}

}  // namespace

void lower(std::string& text) {
  for (char& c : text)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
}

void strip_punctuation(std::string& text) { std::erase_if(text, is_punctuation); }

void split_whitespace(std::string_view text, std::vector<std::string_view>& pieces) {
  std::size_t at = 0;
  while (true) {
    while (at < text.size() && is_space(text[at])) ++at;
    if (at == text.size()) return;
    const std::size_t begin = at;
    while (at < text.size() && !is_space(text[at])) ++at;
    pieces.push_back(text.substr(begin, at - begin));
  }
}

void split_characters(std::string_view text, std::vector<std::string_view>& pieces) {
  while (!text.empty()) {
    const auto [length, is_right] = first_character(text);
    pieces.push_back(is_right ? text.substr(0, length) : kReplacement);
    text.remove_prefix(length);
  }
}

void make_ngrams(const std::vector<std::string_view>& words, const std::vector<std::int64_t>& widths,
                 std::deque<std::string>& memory, std::vector<std::string_view>& ngrams) {
  for (const std::int64_t width : widths) {
    const auto length = static_cast<std::size_t>(width);
    for (std::size_t begin = 0; begin + length <= words.size(); ++begin) {
      if (length == 1) {
        ngrams.push_back(words[begin]);
        continue;
      }
      std::string& joined = memory.emplace_back(words[begin]);
      for (std::size_t i = 1; i < length; ++i) joined.append(" ").append(words[begin + i]);
      ngrams.push_back(joined);
    }
  }
}

Tokenizer::Tokenizer(const TextStandardize& standardize, const TextSplit& split,
                     std::vector<std::int64_t> widths)
    : standardize_function_(standardize.function()),
      split_function_(split.function()),
      widths_(std::move(widths)) {
  const std::string& how = standardize.name();
  lower_ = how == "lower" || how == "lower_and_strip_punctuation";
  strip_ = how == "strip_punctuation" || how == "lower_and_strip_punctuation";
  if (!how.empty() && !lower_ && !strip_)
    invalid_argument({.argument = "standardize"},
                     "[text_vectorization] standardize must be \"lower_and_strip_punctuation\", \"lower\", "
                     "\"strip_punctuation\", std::nullopt or a function; got \"{}\"",
                     how);
  by_characters_ = split.name() == "character";
  is_split_ = !split.name().empty() || split_function_ != nullptr;
  if (!split.name().empty() && !by_characters_ && split.name() != "whitespace")
    invalid_argument(
        {.argument = "split"},
        "[text_vectorization] split must be \"whitespace\", \"character\", std::nullopt or a function; "
        "got \"{}\"",
        split.name());
  for (const std::int64_t width : widths_)
    if (width < 1)
      invalid_argument({.argument = "ngrams"}, "[text_vectorization] ngrams must be positive; got {}", width);
}

std::string Tokenizer::standardized(std::string_view text) const {
  if (standardize_function_ != nullptr) return standardize_function_(text);
  std::string result(text);
  if (lower_) lower(result);
  if (strip_) strip_punctuation(result);
  return result;
}

const std::vector<std::string_view>& Tokenizer::operator()(std::string_view text, Scratch& scratch) const {
  if (standardize_function_ != nullptr) {
    scratch.text = standardize_function_(text);
  } else {
    scratch.text.assign(text);
    if (lower_) lower(scratch.text);
    if (strip_) strip_punctuation(scratch.text);
  }
  scratch.split.clear();
  if (split_function_ != nullptr) {
    scratch.pieces = split_function_(scratch.text);
    scratch.split.assign(scratch.pieces.begin(), scratch.pieces.end());
  } else if (by_characters_) {
    split_characters(scratch.text, scratch.split);
  } else {
    split_whitespace(scratch.text, scratch.split);
  }
  return ngrams(scratch.split, scratch);
}

const std::vector<std::string_view>& Tokenizer::ngrams(const std::vector<std::string_view>& words,
                                                       Scratch& scratch) const {
  if (widths_.empty()) return words;
  scratch.words.clear();
  scratch.ngrams.clear();
  make_ngrams(words, widths_, scratch.ngrams, scratch.words);
  return scratch.words;
}

}  // namespace cornu::inline v0::keras::layers
