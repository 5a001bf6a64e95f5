#include "cornu/keras/datasets/word_data_support.h"

#include <algorithm>
#include <filesystem>
#include <limits>
#include <utility>

#include "cornu/base/check.h"
#include "cornu/base/numpy_order.h"

namespace cornu::inline v0::keras::datasets::detail {
namespace {

std::int32_t shifted(std::int32_t word, const WordOptions& options) {
  const std::int64_t sum = std::int64_t{word} + options.index_from;
  if (!std::in_range<std::int32_t>(sum))
    invalid_argument({.argument = "index_from"},
                     "[{}] index_from takes the word number {} beyond int32; got index_from = {}", options.op,
                     word, options.index_from);
  return static_cast<std::int32_t>(sum);
}

void leave_out_long(WordRows& part, const WordOptions& options) {
  WordRows kept;
  for (std::size_t i = 0; i < part.x.size(); ++i) {
    if (static_cast<std::int64_t>(part.x[i].size()) >= *options.maxlen) continue;
    kept.x.push_back(std::move(part.x[i]));
    kept.labels.push_back(part.labels[i]);
  }
  part = std::move(kept);
  if (part.x.empty())
    invalid_argument({.argument = "maxlen"}, "[{}] no text is shorter than maxlen = {}; increase it",
                     options.op, *options.maxlen);
}

std::int64_t largest_word(const WordRows& part) {
  std::int64_t largest = 0;
  for (const Sequence& text : part.x)
    for (const std::int32_t word : text) largest = std::max<std::int64_t>(largest, word);
  return largest;
}

void leave_out_words(WordRows& part, std::int64_t num_words, const WordOptions& options) {
  const auto left_out = [&](std::int32_t word) { return word < options.skip_top || word >= num_words; };
  for (Sequence& text : part.x) {
    if (options.oov_char)
      std::replace_if(text.begin(), text.end(), left_out, *options.oov_char);
    else
      std::erase_if(text, left_out);
  }
}

}  // namespace

void require_word_file(const char* op, const std::string& path, const char* people_get,
                       const char* checksum) {
  if (std::filesystem::is_regular_file(path)) return;
  fail(ErrorCode::kNotFound, "[{}] there is no file \"{}\". People get the data as {} ({}); give its path",
       op, path, people_get, checksum);
}

WordRows read_word_rows(const char* op, const io::NpzFile& file, const std::string& suffix,
                        const std::string& path, std::int64_t num_labels) {
  const io::IntegerLists lists = file.read_lists("x" + suffix);
  const io::Array labels = file.read("y" + suffix);
  if (labels.type != io::ElementType::kI64 || labels.dims != std::vector<std::int64_t>{lists.num_lists()})
    fail(ErrorCode::kDataLoss, "[{}] {}: y{} must be {} numbers of int64, one a text; got {} of {}", op, path,
         suffix, lists.num_lists(), fmt::join(labels.dims, " x "), io::element_type_name(labels.type));
  WordRows result;
  for (std::int64_t i = 0; i < lists.num_lists(); ++i) {
    Sequence text;
    for (const std::int64_t word : lists[i]) {
      if (word < 0 || word > std::numeric_limits<std::int32_t>::max() / 2)
        fail(ErrorCode::kDataLoss, "[{}] {}: row {} of x{} has the word number {}; the file is damaged", op,
             path, i, suffix, word);
      text.push_back(static_cast<std::int32_t>(word));
    }
    result.x.push_back(std::move(text));
  }
  const auto values = labels.values<std::int64_t>();
  result.labels.assign(values.begin(), values.end());
  const auto wrong = std::find_if(values.begin(), values.end(),
                                  [&](std::int64_t label) { return label < 0 || label >= num_labels; });
  if (wrong != values.end())
    fail(ErrorCode::kDataLoss, "[{}] {}: label {} of row {} of y{} is none of 0 to {}", op, path, *wrong,
         wrong - values.begin(), suffix, num_labels - 1);
  return result;
}

void shuffle_rows(WordRows& part, std::mt19937& bits) {
  WordRows shuffled;
  for (const std::size_t i : numpy_order(part.x.size(), bits)) {
    shuffled.x.push_back(std::move(part.x[i]));
    shuffled.labels.push_back(part.labels[i]);
  }
  part = std::move(shuffled);
}

void prepare_words(std::span<WordRows> parts, const WordOptions& options) {
  if (options.num_words && *options.num_words < 0)
    invalid_argument({.argument = "num_words"}, "[{}] num_words must not be negative; got num_words = {}",
                     options.op, *options.num_words);
  std::int64_t largest = 0;
  for (WordRows& part : parts) {
    for (Sequence& text : part.x) {
      if (options.start_char || options.index_from != 0)
        for (std::int32_t& word : text) word = shifted(word, options);
      if (options.start_char) text.insert(text.begin(), *options.start_char);
    }
    if (options.maxlen.value_or(0) != 0) leave_out_long(part, options);
    largest = std::max(largest, largest_word(part));
  }
  const std::int64_t num_words = options.num_words.value_or(0) != 0 ? *options.num_words : largest;
  for (WordRows& part : parts) leave_out_words(part, num_words, options);
}

imdb::Reviews to_reviews(WordRows part) {
  const auto count = static_cast<std::int64_t>(part.labels.size());
  return {std::move(part.x), Tensor::adopt({count}, std::move(part.labels))};
}

}  // namespace cornu::inline v0::keras::datasets::detail
