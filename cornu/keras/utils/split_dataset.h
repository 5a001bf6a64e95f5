#pragma once

#include <cstdint>
#include <optional>
#include <utility>
#include <variant>

#include "cornu/data/dataset.h"

namespace cornu::inline v0::keras::utils {

/// A number of elements, or a share in (0, 1).
using SplitSize = std::variant<std::int64_t, double>;

struct SplitDatasetOptions {  // options/functions.toml
  /// Elements of the first part, or their share; unset: those that right_size leaves.
  std::optional<SplitSize> left_size = {};
  /// Elements of the second part, or their share; unset: those that left_size leaves.
  std::optional<SplitSize> right_size = {};
  /// True: exchanges the elements before they are divided.
  bool shuffle = false;
  /// Seed of the order; unset: the process's next default seed (set_random_seed).
  std::optional<std::uint64_t> seed = {};
};

/// Divides a data set of known cardinality in two, such as a training and a validation set.
///
///     const auto [train, validation] = utils::split_dataset(all, {.left_size = 0.8, .shuffle = true});
///
/// Semantics: the right part follows the left one; shares are rounded to whole elements, ties to even. Each part
///            is a view that reads `dataset`. With `shuffle` all elements are exchanged once, in the same way in
///            each pass.
/// Errors:    InvalidArgument without either size, for sizes out of range, a part without elements, and a data
///            set of unknown or infinite cardinality.
/// Source:    keras.utils.split_dataset.
std::pair<data::Dataset, data::Dataset> split_dataset(const data::Dataset& dataset,
                                                      const SplitDatasetOptions& options);

}  // namespace cornu::inline v0::keras::utils
