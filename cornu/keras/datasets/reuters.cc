#include <algorithm>
#include <random>
#include <span>
#include <utility>

#include "cornu/base/check.h"
#include "cornu/base/numpy_order.h"
#include "cornu/io/npz.h"
#include "cornu/keras/datasets/datasets.h"
#include "cornu/keras/datasets/word_data_support.h"
#include "cornu/keras/utils/arrays.h"
#include "cornu/tensor/ops.h"

namespace cornu::inline v0::keras::datasets {
namespace {

/// The number of training rows among `count` rows.
std::int64_t num_train_rows(const char* op, std::int64_t count, double test_split) {
  if (!(test_split >= 0 && test_split < 1))
    invalid_argument({.argument = "test_split"}, "[{}] test_split must be in [0, 1); got test_split = {}", op,
                     test_split);
  return static_cast<std::int64_t>(static_cast<double>(count) * (1 - test_split));
}

}  // namespace

namespace reuters {

imdb::ReviewData load_data(const LoadDataOptions& options) {
  detail::require_word_file("reuters", options.path,
                            "Keras's \"Reuters newswire classification\" data set: reuters.npz",
                            "SHA-256 d6586e694ee56d7a4e65172e12b3e987c03096cb01eab99753921ef915959916");
  const io::NpzFile file(options.path, options.limits);
  const auto num_labels = static_cast<std::int64_t>(get_label_names().size());
  detail::WordRows all = detail::read_word_rows("reuters", file, "", options.path, num_labels);
  std::mt19937 bits(options.seed);
  detail::shuffle_rows(all, bits);
  detail::prepare_words({&all, 1}, detail::word_options("reuters", options));
  const auto count =
      num_train_rows("reuters", static_cast<std::int64_t>(all.labels.size()), options.test_split);
  detail::WordRows test{.x = {all.x.begin() + count, all.x.end()},
                        .labels = {all.labels.begin() + count, all.labels.end()}};
  all.x.resize(static_cast<std::size_t>(count));
  all.labels.resize(static_cast<std::size_t>(count));
  return {detail::to_reviews(std::move(all)), detail::to_reviews(std::move(test))};
}

io::WordIndex get_word_index(const GetWordIndexOptions& options) {
  detail::require_word_file("reuters", options.path,
                            "Keras's \"Reuters newswire classification\" data set: reuters_word_index.json",
                            "MD5 4d44cc38712099c9e383dc6e5f11a921");
  return io::read_word_index(options.path, options.limits);
}

const std::vector<std::string>& get_label_names() {
  static const auto& names = *new std::vector<std::string>{
      "cocoa",     "grain",        "veg-oil", "earn",       "acq",      "wheat",    "copper",
      "housing",   "money-supply", "coffee",  "sugar",      "trade",    "reserves", "ship",
      "cotton",    "carcass",      "crude",   "nat-gas",    "cpi",      "money-fx", "interest",
      "gnp",       "meal-feed",    "alum",    "oilseed",    "gold",     "tin",      "strategic-metal",
      "livestock", "retail",       "ipi",     "iron-steel", "rubber",   "heat",     "jobs",
      "lei",       "bop",          "zinc",    "orange",     "pet-chem", "dlr",      "gas",
      "silver",    "wpi",          "hog",     "lead"};
  return names;
}

}  // namespace reuters

namespace california_housing {

TrainAndTest load_data(const LoadDataOptions& options) {
  detail::require_word_file(
      "california_housing", options.path,
      "Keras's \"California Housing price regression\" data set: california_housing.npz",
      "SHA-256 1a2e3a52e0398de6463aebe6f4a8da34fb21fbb6b934cf88c3425e766f2a1a6f");
  const io::NpzFile file(options.path, options.limits);
  Tensor x = utils::to_tensor(file.read("x")), y = utils::to_tensor(file.read("y"));
  if (x.rank() != 2 || y.rank() != 1 || x.shape()[0] != y.shape()[0])
    fail(ErrorCode::kDataLoss,
         "[california_housing] {}: x and y must be rows of features and a number a row; got {} and {}",
         options.path, ir::shape_str(x.shape()), ir::shape_str(y.shape()));
  if (options.version != "small" && options.version != "large")
    invalid_argument({.argument = "version"},
                     "[california_housing] version must be \"small\" or \"large\"; got \"{}\"",
                     options.version);
  constexpr std::int64_t kSmall = 600;
  std::int64_t count = x.shape()[0];
  if (options.version == "small") count = std::min(count, kSmall);
  std::mt19937 bits(options.seed);
  std::vector<std::int64_t> order;
  for (const std::size_t row : numpy_order(static_cast<std::size_t>(count), bits))
    order.push_back(static_cast<std::int64_t>(row));
  const auto split =
      static_cast<std::size_t>(num_train_rows("california_housing", count, options.test_split));
  const std::span<const std::int64_t> rows(order), train = rows.first(split), test = rows.subspan(split);
  return {{ops::take_rows(x, train), ops::take_rows(y, train)},
          {ops::take_rows(x, test), ops::take_rows(y, test)}};
}

}  // namespace california_housing

}  // namespace cornu::inline v0::keras::datasets
