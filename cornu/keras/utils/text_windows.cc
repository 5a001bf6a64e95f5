#include "cornu/keras/utils/text_windows.h"

#include <algorithm>
#include <set>

#include "cornu/base/check.h"

namespace cornu::inline v0::keras::utils {
namespace {

/// The code points of a text, as UTF-8 each.
std::vector<std::string> split_characters(std::string_view text) {
  std::vector<std::string> characters;
  for (std::size_t i = 0; i < text.size();) {
    const auto first = static_cast<unsigned char>(text[i]);
    const std::size_t length = first < 0x80 ? 1 : first >> 5 == 6 ? 2 : first >> 4 == 14 ? 3 : first >> 3 == 30 ? 4 : 0;
    if (length == 0 || length > text.size() - i) invalid_argument("[text_windows] the text is not UTF-8 at byte {}", i);
    characters.emplace_back(text.substr(i, length));
    i += length;
  }
  return characters;
}

}  // namespace

CharacterVocabulary::CharacterVocabulary(std::string_view text) {
  const std::vector<std::string> all = split_characters(text);
  const std::set<std::string> sorted(all.begin(), all.end());  // UTF-8 sorts as the code points do
  characters_.assign(sorted.begin(), sorted.end());
  for (const std::string& character : characters_) ids_.emplace(character, static_cast<std::int32_t>(ids_.size()));
}

std::vector<std::int32_t> CharacterVocabulary::encode(std::string_view text) const {
  std::vector<std::int32_t> ids;
  for (const std::string& character : split_characters(text)) {
    const auto found = ids_.find(character);
    if (found == ids_.end())
      fail(ErrorCode::kOutOfRange, "[text_windows] the vocabulary has no character \"{}\" (number {} of the text)", character, ids.size());
    ids.push_back(found->second);
  }
  return ids;
}

std::string CharacterVocabulary::decode(std::span<const std::int32_t> ids) const {
  std::string text;
  for (const std::int32_t id : ids) text += (*this)[id];
  return text;
}

TextWindows text_windows(std::string_view text, const CharacterVocabulary& vocabulary, const TextWindowsOptions& options) {
  if (options.maxlen < 1 || options.step < 1)
    invalid_argument("[text_windows] maxlen and step must be positive; got maxlen = {}, step = {}", options.maxlen, options.step);
  const std::vector<std::int32_t> ids = vocabulary.encode(text);
  const auto length = static_cast<std::int64_t>(ids.size());
  if (length <= options.maxlen)
    invalid_argument("[text_windows] the text must be longer than a window; got {} characters, maxlen = {}", length, options.maxlen);
  const std::int64_t count = (length - options.maxlen + options.step - 1) / options.step;
  std::vector<float> x(static_cast<std::size_t>(count * options.maxlen * vocabulary.size()), 0.0F);
  std::vector<std::int32_t> y;
  for (std::int64_t window = 0; window < count; ++window) {
    const std::int64_t begin = window * options.step;
    for (std::int64_t i = 0; i < options.maxlen; ++i)
      x[static_cast<std::size_t>((window * options.maxlen + i) * vocabulary.size() + ids[static_cast<std::size_t>(begin + i)])] = 1.0F;
    y.push_back(ids[static_cast<std::size_t>(begin + options.maxlen)]);
  }
  return {Tensor::adopt({count, options.maxlen, vocabulary.size()}, std::move(x)), Tensor::adopt({count}, std::move(y))};
}

Tensor one_hot_text(std::string_view text, const CharacterVocabulary& vocabulary) {
  const std::vector<std::int32_t> ids = vocabulary.encode(text);
  std::vector<float> x(ids.size() * static_cast<std::size_t>(vocabulary.size()), 0.0F);
  for (std::size_t i = 0; i < ids.size(); ++i) x[i * static_cast<std::size_t>(vocabulary.size()) + static_cast<std::size_t>(ids[i])] = 1.0F;
  return Tensor::adopt({1, static_cast<std::int64_t>(ids.size()), vocabulary.size()}, std::move(x));
}

}  // namespace cornu::inline v0::keras::utils
