#pragma once

#include <algorithm>
#include <vector>

#include "cornu/base/check.h"
#include "cornu/keras/layers/reshaping/before_and_after.h"
#include "cornu/keras/layers/spatial/spatial_layer_support.h"

namespace cornu::inline v0::keras::layers {

/// The common base of ZeroPadding and Cropping: an amount before and after each spatial axis.
class PairLayer : public SpatialLayer {
 protected:
  PairLayer(LayerSettings settings, std::int64_t num_spatial, const std::string& data_format,
            const char* option, const BeforeAndAfter& amounts)
      : SpatialLayer(std::move(settings), num_spatial, data_format), pairs_(amounts.pairs(num_spatial)) {
    bool fits = !pairs_.empty();
    for (const auto& [before, after] : pairs_) fits = fits && before >= 0 && after >= 0;
    if (fits) return;
    const std::string forms = num_spatial == 1
                                  ? "one number or two (before, after)"
                                  : fmt::format("one number, {0}, or {0} pairs (before, after)", num_spatial);
    option_error(option, fmt::format("must be {}, none negative", forms), amounts.str());
  }

  /// One pair for each spatial axis.
  const std::vector<BeforeAndAfter::Pair>& pairs() const { return pairs_; }
  /// With zeros for batch and channels.
  std::vector<BeforeAndAfter::Pair> pairs_of_all_axes() const {
    std::vector<BeforeAndAfter::Pair> all(pairs_.size() + 2);
    std::copy(pairs_.begin(), pairs_.end(), all.begin() + first_spatial());
    return all;
  }

 private:
  std::vector<BeforeAndAfter::Pair> pairs_;
};

}  // namespace cornu::inline v0::keras::layers
