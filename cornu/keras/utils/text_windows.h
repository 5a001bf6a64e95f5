#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "cornu/base/string_argument.h"
#include "cornu/tensor/tensor.h"

namespace cornu::inline v0::keras::utils {

/// The distinct characters of a text (Unicode code points), sorted and numbered.
///
/// Errors: InvalidArgument, with the position, for text that is not UTF-8; OutOfRange for a character or an
///         id that is not in the vocabulary.
class CharacterVocabulary {
 public:
  explicit CharacterVocabulary(StringViewArgument text);

  std::int64_t size() const { return static_cast<std::int64_t>(characters_.size()); }
  /// A character, as UTF-8.
  const std::string& operator[](std::int64_t id) const;
  std::vector<std::int32_t> encode(StringViewArgument text) const;
  std::string decode(std::span<const std::int32_t> ids) const;

 private:
  std::vector<std::string> characters_;
  std::unordered_map<std::string, std::int32_t> ids_;
};

struct TextWindowsOptions {  // options/functions.toml
  /// Characters of a window; at least 1.
  std::int64_t maxlen = 40;
  /// Characters from the beginning of one window to that of the next; at least 1.
  std::int64_t step = 3;
};

/// Windows of a text, and the character after each.
struct TextWindows {
  Tensor x;  // [windows, maxlen, size of the vocabulary], one-hot f32
  Tensor y;  // [windows], the number of the next character, i32
};

/// Errors: InvalidArgument if maxlen or step is below 1 or the text is not longer than maxlen;
///         ResourceExhausted beyond 16 GiB.
TextWindows text_windows(StringViewArgument text, const CharacterVocabulary& vocabulary,
                         const TextWindowsOptions& options = {});

/// One-hot rows of a text that is not empty: [1, characters, size of the vocabulary], the input of a model
/// trained on windows.
Tensor one_hot_text(StringViewArgument text, const CharacterVocabulary& vocabulary);

}  // namespace cornu::inline v0::keras::utils
