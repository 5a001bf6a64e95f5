#include "cornu/keras/layers/reshaping/before_and_after.h"

#include "cornu/base/check.h"
#include "cornu/keras/layers/spatial/spatial_layer_support.h"

namespace cornu::inline v0::keras::layers {

std::vector<BeforeAndAfter::Pair> BeforeAndAfter::pairs(std::int64_t num_spatial) const {
  const auto size = static_cast<std::size_t>(num_spatial);
  if (kind_ == Kind::kPairs) return pairs_.size() == size ? pairs_ : std::vector<Pair>{};
  if (kind_ == Kind::kNumber) return std::vector<Pair>(size, Pair{amounts_[0], amounts_[0]});
  if (size == 1)
    return amounts_.size() == 2 ? std::vector<Pair>{{amounts_[0], amounts_[1]}} : std::vector<Pair>{};
  if (amounts_.size() != size) return {};
  std::vector<Pair> result;
  for (const std::int64_t amount : amounts_) result.emplace_back(amount, amount);
  return result;
}

std::string BeforeAndAfter::str() const {
  if (kind_ == Kind::kNumber) return fmt::format("{}", amounts_[0]);
  if (kind_ == Kind::kNumbers) return list_str(amounts_);
  std::vector<std::string> all;
  all.reserve(pairs_.size());
  for (const auto& [before, after] : pairs_) all.push_back(fmt::format("[{}, {}]", before, after));
  return fmt::format("[{}]", fmt::join(all, ", "));
}

}  // namespace cornu::inline v0::keras::layers
