#include "cornu/keras/utils/split_dataset.h"

#include <cmath>

#include "cornu/base/check.h"
#include "cornu/tensor/random.h"

namespace cornu::inline v0::keras::utils {
namespace {

/// The number of elements of a part.
std::int64_t count_of(const char* argument, const SplitSize& size, std::int64_t total) {
  if (const auto* share = std::get_if<double>(&size)) {
    if (!(*share > 0 && *share < 1))
      invalid_argument({.argument = argument},
                       "[split_dataset] {} as a share must be between 0 and 1; got {}", argument, *share);
    return static_cast<std::int64_t>(std::nearbyint(*share * static_cast<double>(total)));
  }
  const std::int64_t count = std::get<std::int64_t>(size);
  if (count <= 0 || count >= total)
    invalid_argument({.argument = argument},
                     "[split_dataset] {} must be between 1 and {}, the elements less one; got {}", argument,
                     total - 1, count);
  return count;
}

}  // namespace

std::pair<data::Dataset, data::Dataset> split_dataset(const data::Dataset& dataset,
                                                      const SplitDatasetOptions& options) {
  if (!options.left_size.has_value() && !options.right_size.has_value())
    invalid_argument({.argument = "left_size"}, "[split_dataset] left_size or right_size must be given");
  const std::int64_t total = dataset.cardinality();
  if (total < 0)
    invalid_argument({.argument = "dataset"},
                     "[split_dataset] the number of elements is not known: see Dataset::assert_cardinality");
  std::int64_t left = options.left_size.has_value() ? count_of("left_size", *options.left_size, total) : 0;
  std::int64_t right =
      options.right_size.has_value() ? count_of("right_size", *options.right_size, total) : 0;
  if (!options.left_size.has_value()) left = total - right;
  if (!options.right_size.has_value()) right = total - left;
  if (left + right > total || left == 0 || right == 0)
    invalid_argument({.argument = "left_size"},
                     "[split_dataset] {} elements cannot be divided into {} and {}: each part needs one",
                     total, left, right);
  const data::Dataset all =
      options.shuffle ? dataset.shuffle(total, {.seed = options.seed, .reshuffle_each_iteration = false})
                      : dataset;
  return {all.take(left), all.skip(left).take(right)};
}

}  // namespace cornu::inline v0::keras::utils
