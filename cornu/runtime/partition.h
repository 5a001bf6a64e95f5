#pragma once

#include <algorithm>
#include <cstdint>

#include "cornu/base/divide_up.h"

namespace cornu::inline v0::runtime {

/// The rule that cuts the rows of a batch into the parts of its replicas, in order (docs/adr/0123).
///
/// Semantics: part i has rows [i * part_size(), (i + 1) * part_size()) of the batch, where part_size() is
///            ceil(num_rows / num_parts). The last part with rows may be shorter; the parts after it are empty.
struct Partition {
  std::int64_t num_rows = 0;  // of a whole batch
  std::int64_t num_parts = 1;

  /// The number of rows of a full part. Programs are compiled for it, and shorter parts are padded to it.
  std::int64_t part_size() const { return divide_up(num_rows, num_parts); }
  /// The number of the part's first row in the batch, without regard to the batch's end.
  std::int64_t offset(std::int64_t part) const { return part * part_size(); }
  /// The rows of the part: [begin(part), end(part)).
  std::int64_t begin(std::int64_t part) const { return std::min(offset(part), num_rows); }
  std::int64_t end(std::int64_t part) const { return std::min(offset(part + 1), num_rows); }
  std::int64_t size(std::int64_t part) const { return end(part) - begin(part); }
  /// The number of rows of the part in a batch of which only the first `valid_rows` rows are valid. It is at
  /// most part_size(), also if `valid_rows` counts padding after the batch's end.
  std::int64_t num_valid(std::int64_t part, std::int64_t valid_rows) const {
    return std::clamp<std::int64_t>(valid_rows - offset(part), 0, part_size());
  }
};

}  // namespace cornu::inline v0::runtime
