#include <array>
#include <random>
#include <utility>

#include "cornu/base/check.h"
#include "cornu/io/npz.h"
#include "cornu/keras/datasets/datasets.h"
#include "cornu/keras/datasets/made_data.h"
#include "cornu/keras/datasets/word_data_support.h"

namespace cornu::inline v0::keras::datasets::imdb {
namespace {

ReviewData prepare(detail::WordRows train, detail::WordRows test, const LoadDataOptions& options) {
  std::mt19937 bits(options.seed);  // one generator for both parts, as in Keras
  std::array parts = {std::move(train), std::move(test)};
  for (detail::WordRows& part : parts) detail::shuffle_rows(part, bits);
  detail::prepare_words(parts, detail::word_options("imdb", options));
  return {detail::to_reviews(std::move(parts[0])), detail::to_reviews(std::move(parts[1]))};
}

}  // namespace

ReviewData load_data(const LoadDataOptions& options) {
  detail::require_word_file("imdb", options.path, "Keras's \"IMDB movie reviews\" data set: imdb.npz",
                            "SHA-256 69664113be75683a8fe16e3ed0ab59fda8886cb3cd7ada244f7d9544e4676b9f");
  const io::NpzFile file(options.path, options.limits);
  detail::WordRows train = detail::read_word_rows("imdb", file, "_train", options.path, 2);
  return prepare(std::move(train), detail::read_word_rows("imdb", file, "_test", options.path, 2), options);
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
    return detail::WordRows{std::move(reviews.x), reviews.y.to_vector<std::int64_t>()};
  };
  detail::WordRows train = to_part(std::move(data.train));
  return prepare(std::move(train), to_part(std::move(data.test)), load_options);
}

io::WordIndex get_word_index(const GetWordIndexOptions& options) {
  detail::require_word_file("imdb", options.path,
                            "Keras's \"IMDB movie reviews\" data set: imdb_word_index.json",
                            "MD5 bfafd718b763782e994055a2d397834f");
  return io::read_word_index(options.path, options.limits);
}

}  // namespace cornu::inline v0::keras::datasets::imdb
