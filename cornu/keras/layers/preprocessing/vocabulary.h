#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "cornu/base/callable.h"

namespace cornu::inline v0::keras {

class Config;
namespace saving {
struct Place;
}

namespace layers {

/// A term of a vocabulary. (Doubled braces around two texts would otherwise be two pointers to
/// std::string_view.)
class Term {
 public:
  Term(const char* text) : text_(text) {}
  Term(std::string text) : text_(std::move(text)) {}
  Term(std::string_view text) : text_(text) {}
  const std::string& text() const { return text_; }

 private:
  std::string text_;
};

/// The terms of a vocabulary, or the path of a file with one term on each line; or none.
///
///     .vocabulary = {"earth", "wind", "and", "fire"}
///     .vocabulary = "words.txt"
template <typename T>
class Vocabulary {
 public:
  using Given = std::conditional_t<std::same_as<T, std::string>, Term, T>;

  Vocabulary() = default;
  Vocabulary(std::initializer_list<Given> terms) : is_given_(true) {
    for (const Given& term : terms) {
      if constexpr (std::same_as<Given, Term>)
        terms_.push_back(term.text());
      else
        terms_.push_back(term);
    }
  }
  Vocabulary(std::vector<T> terms) : terms_(std::move(terms)), is_given_(true) {}
  Vocabulary(const char* path) : path_(path), is_given_(true) {}
  Vocabulary(std::string path) : path_(std::move(path)), is_given_(true) {}

  bool is_given() const { return is_given_; }
  /// Empty if the terms are given directly.
  const std::string& path() const { return path_; }
  const std::vector<T>& terms() const { return terms_; }

 private:
  std::vector<T> terms_;
  std::string path_;
  bool is_given_ = false;
};
using StringVocabulary = Vocabulary<std::string>;
using IntegerVocabulary = Vocabulary<std::int64_t>;

/// A step of text processing: one of Keras's, by its name, a function of a text, or none (std::nullopt).
template <typename Result>
class TextStep {
 public:
  using Function = std::function<Result(std::string_view)>;

  TextStep(std::nullopt_t) {}
  TextStep(const char* name) : name_(name) {}
  TextStep(std::string name) : name_(std::move(name)) {}
  template <typename F>
    requires(std::is_invocable_r_v<Result, F&, std::string_view> && !std::convertible_to<F, std::string>)
  TextStep(F function) {
    if (is_callable(function)) function_ = std::move(function);
  }

  /// Empty for a function, and for none.
  const std::string& name() const { return name_; }
  const Function& function() const { return function_; }

 private:
  std::string name_;
  Function function_;
};
using TextStandardize = TextStep<std::string>;
using TextSplit = TextStep<std::vector<std::string>>;

/// The value that Hashing maps to bin 0: a number, a text, or none.
class MaskValue {
 public:
  MaskValue() = default;
  template <std::integral T>
  MaskValue(T number) : number_(static_cast<std::int64_t>(number)) {}
  MaskValue(std::string text) : text_(std::move(text)) {}
  MaskValue(const char* text) : text_(text) {}

  bool is_given() const { return number_.has_value() || text_.has_value(); }
  const std::optional<std::int64_t>& number() const { return number_; }
  const std::optional<std::string>& text() const { return text_; }

 private:
  std::optional<std::int64_t> number_;
  std::optional<std::string> text_;
};

// Conversion to configurations. A configuration does not contain the path of a vocabulary's file, and reading
// one does not open such a file.
Config write_value(const StringVocabulary& value, const saving::Place& place);
Config write_value(const IntegerVocabulary& value, const saving::Place& place);
/// Errors: Unimplemented for a function.
Config write_value(const TextStandardize& value, const saving::Place& place);
Config write_value(const TextSplit& value, const saving::Place& place);
Config write_value(const MaskValue& value, const saving::Place& place);
void read_value(const Config& config, const saving::Place& place, StringVocabulary& value);
void read_value(const Config& config, const saving::Place& place, IntegerVocabulary& value);
void read_value(const Config& config, const saving::Place& place, TextStandardize& value);
void read_value(const Config& config, const saving::Place& place, TextSplit& value);
void read_value(const Config& config, const saving::Place& place, MaskValue& value);

}  // namespace layers
}  // namespace cornu::inline v0::keras
