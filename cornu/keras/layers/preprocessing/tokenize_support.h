#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cornu/keras/layers/preprocessing/vocabulary.h"

/// Texts into words, as TensorFlow's string operations do it; no part of the interface.
namespace cornu::inline v0::keras::layers {

/// Lower case and punctuation are ASCII's.
void lower(std::string& text);
void strip_punctuation(std::string& text);
/// The pieces between white space (ASCII's).
void split_whitespace(std::string_view text, std::vector<std::string_view>& pieces);
/// The characters of UTF-8; what is none becomes U+FFFD, a maximal wrong part each.
void split_characters(std::string_view text, std::vector<std::string_view>& pieces);
/// Words in a row, joined by spaces, for each width in turn. The results lie in `memory`.
void make_ngrams(const std::vector<std::string_view>& words, const std::vector<std::int64_t>& widths,
                 std::deque<std::string>& memory, std::vector<std::string_view>& ngrams);

/// The steps before the vocabulary. Threads: safe; a Scratch is for one.
class Tokenizer {
 public:
  /// Errors: InvalidArgument for names that are none.
  Tokenizer(const TextStandardize& standardize, const TextSplit& split, std::vector<std::int64_t> widths);

  /// What the words of one text refer to.
  struct Scratch {
    std::string text;
    std::vector<std::string> pieces;
    std::vector<std::string_view> split, words;
    std::deque<std::string> ngrams;
  };
  bool splits() const { return is_split_; }
  bool has_ngrams() const { return !widths_.empty(); }
  std::string standardized(std::string_view text) const;
  /// The words of a text; valid until the next call with this scratch, as long as `text` is.
  const std::vector<std::string_view>& operator()(std::string_view text, Scratch& scratch) const;
  /// N-grams of words that are split already.
  const std::vector<std::string_view>& ngrams(const std::vector<std::string_view>& words,
                                              Scratch& scratch) const;

 private:
  TextStandardize::Function standardize_function_;
  TextSplit::Function split_function_;
  bool lower_ = false, strip_ = false, is_split_ = true, by_characters_ = false;
  std::vector<std::int64_t> widths_;
};

}  // namespace cornu::inline v0::keras::layers
