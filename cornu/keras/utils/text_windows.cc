#include "cornu/keras/utils/text_windows.h"

#include <algorithm>
#include <new>
#include <set>

#include "cornu/base/check.h"
#include "cornu/base/checked_size.h"
#include "cornu/io/file.h"

namespace cornu::inline v0::keras::utils {
namespace {

/// The code points of a text, each as UTF-8.
std::vector<std::string> split_characters(std::string_view text) {
  std::vector<std::string> characters;
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t length = io::utf8_length(text, i);
    if (length == 0) invalid_argument("[text_windows] the text is not UTF-8 at byte {}", i);
    characters.emplace_back(text.substr(i, length));
    i += length;
  }
  return characters;
}

/// Zeros for one-hot rows. The size is limited, since a long text must not exhaust memory.
std::vector<float> zeros_for(std::int64_t windows, std::int64_t maxlen, std::int64_t num_characters) {
  constexpr std::int64_t kLargestBytes = std::int64_t{1} << 34;
  const CheckedSize count = CheckedSize(windows) * maxlen * num_characters, num_bytes = count * sizeof(float);
  const auto array = [&] {
    return fmt::format("[text_windows] {} windows of {} characters of {} kinds", windows, maxlen,
                       num_characters);
  };
  if (num_bytes.exceeds(kLargestBytes))
    fail(ErrorCode::kResourceExhausted, "{} would take more than 16 GiB; take a larger step or less text",
         array());
  return host_vector<float>(count, array);
}

}  // namespace

const std::string& CharacterVocabulary::operator[](std::int64_t id) const {
  if (id < 0 || id >= size())
    fail(ErrorCode::kOutOfRange, {.argument = "id"},
         "[text_windows] the vocabulary has {} characters; got id = {}", size(), id);
  return characters_[static_cast<std::size_t>(id)];
}

CharacterVocabulary::CharacterVocabulary(StringViewArgument text) {
  const std::vector<std::string> all = split_characters(text);
  const std::set<std::string> sorted(all.begin(), all.end());  // UTF-8 sorts like the code points
  characters_.assign(sorted.begin(), sorted.end());
  for (const std::string& character : characters_)
    ids_.emplace(character, static_cast<std::int32_t>(ids_.size()));
}

std::vector<std::int32_t> CharacterVocabulary::encode(StringViewArgument text) const {
  std::vector<std::int32_t> ids;
  for (const std::string& character : split_characters(text)) {
    const auto found = ids_.find(character);
    if (found == ids_.end())
      fail(ErrorCode::kOutOfRange,
           "[text_windows] the vocabulary has no character \"{}\" (number {} of the text)", character,
           ids.size());
    ids.push_back(found->second);
  }
  return ids;
}

std::string CharacterVocabulary::decode(std::span<const std::int32_t> ids) const {
  std::string text;
  for (const std::int32_t id : ids) text += (*this)[id];
  return text;
}

TextWindows text_windows(StringViewArgument text, const CharacterVocabulary& vocabulary,
                         const TextWindowsOptions& options) {
  if (options.maxlen < 1 || options.step < 1)
    invalid_argument({.argument = "maxlen"},
                     "[text_windows] maxlen and step must be positive; got maxlen = {}, step = {}",
                     options.maxlen, options.step);
  const std::vector<std::int32_t> ids = vocabulary.encode(text);
  const auto length = static_cast<std::int64_t>(ids.size());
  if (length <= options.maxlen)
    invalid_argument("[text_windows] the text must be longer than a window; got {} characters, maxlen = {}",
                     length, options.maxlen);
  const std::int64_t count = (length - options.maxlen - 1) / options.step + 1;
  std::vector<float> x = zeros_for(count, options.maxlen, vocabulary.size());
  std::vector<std::int32_t> y;
  for (std::int64_t window = 0; window < count; ++window) {
    const std::int64_t begin = window * options.step;
    for (std::int64_t i = 0; i < options.maxlen; ++i)
      x[static_cast<std::size_t>((window * options.maxlen + i) * vocabulary.size() +
                                 ids[static_cast<std::size_t>(begin + i)])] = 1.0F;
    y.push_back(ids[static_cast<std::size_t>(begin + options.maxlen)]);
  }
  return {Tensor::adopt({count, options.maxlen, vocabulary.size()}, std::move(x)),
          Tensor::adopt({count}, std::move(y))};
}

Tensor one_hot_text(StringViewArgument text, const CharacterVocabulary& vocabulary) {
  const std::vector<std::int32_t> ids = vocabulary.encode(text);
  if (ids.empty()) invalid_argument("[text_windows] the text is empty");
  std::vector<float> x = zeros_for(1, static_cast<std::int64_t>(ids.size()), vocabulary.size());
  for (std::size_t i = 0; i < ids.size(); ++i)
    x[i * static_cast<std::size_t>(vocabulary.size()) + static_cast<std::size_t>(ids[i])] = 1.0F;
  return Tensor::adopt({1, static_cast<std::int64_t>(ids.size()), vocabulary.size()}, std::move(x));
}

}  // namespace cornu::inline v0::keras::utils
