#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cornu/keras/layers/preprocessing/vocabulary.h"

/// Splits texts into words like TensorFlow's string operations; not part of the interface.
namespace cornu::inline v0::keras::layers {

/// Lower case and punctuation of ASCII only.
void lower(std::string& text);
void strip_punctuation(std::string& text);
/// The pieces between ASCII white space.
void split_whitespace(std::string_view text, std::vector<std::string_view>& pieces);
/// The characters of UTF-8; each maximal invalid part becomes U+FFFD.
void split_characters(std::string_view text, std::vector<std::string_view>& pieces);
/// Consecutive words joined by spaces, for each width in turn. `memory` owns the results.
void make_ngrams(const std::vector<std::string_view>& words, const std::vector<std::int64_t>& widths,
                 std::deque<std::string>& memory, std::vector<std::string_view>& ngrams);

/// The steps before the look-up. Threads: safe; each thread needs its own Scratch.
class Tokenizer {
 public:
  /// Errors: InvalidArgument for unknown names.
  Tokenizer(const TextStandardize& standardize, const TextSplit& split, std::vector<std::int64_t> widths);

  /// The memory to which the words of one text refer.
  struct Scratch {
    std::string text;
    std::vector<std::string> pieces;
    std::vector<std::string_view> split, words;
    std::deque<std::string> ngrams;
  };
  bool splits() const { return is_split_; }
  bool has_ngrams() const { return !widths_.empty(); }
  std::string standardized(std::string_view text) const;
  /// The words of a text; valid until the next call with this scratch and while `text` exists.
  const std::vector<std::string_view>& operator()(std::string_view text, Scratch& scratch) const;
  /// N-grams of words that are already split.
  const std::vector<std::string_view>& ngrams(const std::vector<std::string_view>& words,
                                              Scratch& scratch) const;

 private:
  TextStandardize::Function standardize_function_;
  TextSplit::Function split_function_;
  bool lower_ = false, strip_ = false, is_split_ = true, by_characters_ = false;
  std::vector<std::int64_t> widths_;
};

}  // namespace cornu::inline v0::keras::layers
