#include <algorithm>
#include <filesystem>
#include <limits>
#include <random>
#include <utility>

#include "cornu/base/check.h"
#include "cornu/base/numpy_order.h"
#include "cornu/io/npz.h"
#include "cornu/keras/datasets/datasets.h"
#include "cornu/keras/datasets/made_data.h"

namespace cornu::inline v0::keras::datasets::imdb {
namespace {

struct Part {
  Sequences x;
  std::vector<std::int64_t> labels;
};

void require_file(const std::string& path, const char* archive, const char* checksum) {
  if (std::filesystem::is_regular_file(path)) return;
  fail(ErrorCode::kNotFound,
       "[imdb] there is no file \"{}\". People get the data as Keras's \"IMDB movie reviews\" data set: {} "
       "({}); give its path",
       path, archive, checksum);
}

Part read_part(const io::NpzFile& file, const std::string& part, const std::string& path) {
  const io::IntegerLists lists = file.read_lists("x_" + part);
  const io::Array labels = file.read("y_" + part);
  if (labels.type != io::ElementType::kI64 || labels.dims != std::vector<std::int64_t>{lists.num_lists()})
    fail(ErrorCode::kDataLoss, "[imdb] {}: y_{} must be {} numbers of int64, one a review; got {} of {}",
         path, part, lists.num_lists(), fmt::join(labels.dims, " x "), io::element_type_name(labels.type));
  Part result;
  for (std::int64_t i = 0; i < lists.num_lists(); ++i) {
    Sequence review;
    for (const std::int64_t word : lists[i]) {
      if (word < 0 || word > std::numeric_limits<std::int32_t>::max() / 2)
        fail(ErrorCode::kDataLoss, "[imdb] {}: review {} of x_{} has the word number {}; the file is damaged",
             path, i, part, word);
      review.push_back(static_cast<std::int32_t>(word));
    }
    result.x.push_back(std::move(review));
  }
  const auto values = labels.values<std::int64_t>();
  result.labels.assign(values.begin(), values.end());
  const auto wrong =
      std::find_if(values.begin(), values.end(), [](std::int64_t label) { return label != 0 && label != 1; });
  if (wrong != values.end())
    fail(ErrorCode::kDataLoss, "[imdb] {}: label {} of review {} of {} is neither 0 nor 1", path, *wrong,
         wrong - values.begin(), part);
  return result;
}

void shuffle(Part& part, std::mt19937& bits) {
  Part shuffled;
  for (const std::size_t i : numpy_order(part.x.size(), bits)) {
    shuffled.x.push_back(std::move(part.x[i]));
    shuffled.labels.push_back(part.labels[i]);
  }
  part = std::move(shuffled);
}

std::int32_t shifted(std::int32_t word, std::int32_t index_from) {
  const std::int64_t sum = std::int64_t{word} + index_from;
  if (!std::in_range<std::int32_t>(sum))
    invalid_argument({.argument = "index_from"},
                     "[imdb] index_from takes the word number {} beyond int32; got index_from = {}", word,
                     index_from);
  return static_cast<std::int32_t>(sum);
}

void number_words(Part& part, const LoadDataOptions& options) {
  for (Sequence& review : part.x) {
    if (options.start_char || options.index_from != 0)
      for (std::int32_t& word : review) word = shifted(word, options.index_from);
    if (options.start_char) review.insert(review.begin(), *options.start_char);
  }
}

void leave_out_long(Part& part, std::int64_t maxlen) {
  Part kept;
  for (std::size_t i = 0; i < part.x.size(); ++i) {
    if (static_cast<std::int64_t>(part.x[i].size()) >= maxlen) continue;
    kept.x.push_back(std::move(part.x[i]));
    kept.labels.push_back(part.labels[i]);
  }
  part = std::move(kept);
}

std::int64_t largest_word(const Part& part) {
  std::int64_t largest = 0;
  for (const Sequence& review : part.x)
    for (const std::int32_t word : review) largest = std::max<std::int64_t>(largest, word);
  return largest;
}

void leave_out_words(Part& part, std::int64_t num_words, const LoadDataOptions& options) {
  const auto left_out = [&](std::int32_t word) { return word < options.skip_top || word >= num_words; };
  for (Sequence& review : part.x) {
    if (options.oov_char)
      std::replace_if(review.begin(), review.end(), left_out, *options.oov_char);
    else
      std::erase_if(review, left_out);
  }
}

Reviews to_reviews(Part part) {
  const auto count = static_cast<std::int64_t>(part.labels.size());
  return {std::move(part.x), Tensor::adopt({count}, std::move(part.labels))};
}

ReviewData prepare(Part train, Part test, const LoadDataOptions& options) {
  if (options.num_words && *options.num_words < 0)
    invalid_argument({.argument = "num_words"}, "[imdb] num_words must not be negative; got num_words = {}",
                     *options.num_words);
  std::mt19937 bits(options.seed);  // one stream for both, as in Keras
  for (Part* part : {&train, &test}) {
    shuffle(*part, bits);
    number_words(*part, options);
    if (options.maxlen.value_or(0) != 0) {
      leave_out_long(*part, *options.maxlen);
      if (part->x.empty())
        invalid_argument("[imdb] no review is shorter than maxlen = {}; increase it", *options.maxlen);
    }
  }
  const std::int64_t num_words = options.num_words.value_or(0) != 0
                                     ? *options.num_words
                                     : std::max(largest_word(train), largest_word(test));
  for (Part* part : {&train, &test}) leave_out_words(*part, num_words, options);
  return {to_reviews(std::move(train)), to_reviews(std::move(test))};
}

}  // namespace

ReviewData load_data(const LoadDataOptions& options) {
  require_file(options.path, "imdb.npz",
               "SHA-256 69664113be75683a8fe16e3ed0ab59fda8886cb3cd7ada244f7d9544e4676b9f");
  const io::NpzFile file(options.path, options.limits);
  Part train = read_part(file, "train", options.path);
  return prepare(std::move(train), read_part(file, "test", options.path), options);
}

ReviewData make_data(const MakeDataOptions& options, const LoadDataOptions& load_options) {
  constexpr std::int64_t kNumWords = 88584;
  constexpr std::int64_t kNumReviews = 25000;
  MakeDataOptions made = options;
  if (made.num_train < 0 || made.num_test < 0)
    invalid_argument({.argument = "num_train"},
                     "[make_data] rows must not be negative; got num_train = {}, num_test = {}",
                     made.num_train, made.num_test);
  if (made.num_train == 0) made.num_train = kNumReviews;
  if (made.num_test == 0) made.num_test = kNumReviews;
  ReviewData data = detail::make_reviews(kNumWords, made);
  const auto to_part = [](Reviews reviews) {
    return Part{std::move(reviews.x), reviews.y.to_vector<std::int64_t>()};
  };
  Part train = to_part(std::move(data.train));
  return prepare(std::move(train), to_part(std::move(data.test)), load_options);
}

io::WordIndex get_word_index(const GetWordIndexOptions& options) {
  require_file(options.path, "imdb_word_index.json", "MD5 bfafd718b763782e994055a2d397834f");
  return io::read_word_index(options.path, options.limits);
}

}  // namespace cornu::inline v0::keras::datasets::imdb
