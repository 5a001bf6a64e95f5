#include "cornu/keras/datasets/made_data.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include "cornu/base/checked_size.h"
#include "cornu/base/mersenne_twister.h"

namespace cornu::inline v0::keras::datasets::detail {
namespace {

constexpr const char* kWhat = "[make_data] this number of rows";
constexpr int kShortestReview = 20;

/// Random numbers that are the same with every standard library; those of its distributions differ.
class Dice {
 public:
  explicit Dice(std::uint32_t seed) : bits_(seed) {}
  double uniform() { return static_cast<double>(bits_()) * 0x1p-32; }
  double between(double low, double high) { return low + (high - low) * uniform(); }
  std::int64_t below(std::int64_t count) {
    return static_cast<std::int64_t>(uniform() * static_cast<double>(count));
  }
  /// Approximately normal: a sum of uniform numbers.
  double normal() {
    std::uint64_t sum = 0;
    for (int i = 0; i < 6; ++i) sum += bits_();
    return (static_cast<double>(sum) * 0x1p-32 - 3) * std::numbers::sqrt2;
  }

 private:
  MersenneTwister bits_;
};

using Picture = std::vector<float>;  // [height, width, channels], 0 to 1

Picture make_prototype(const ImageKind& kind, Dice& dice) {
  const std::int64_t channels = std::max<std::int64_t>(kind.channels, 1);
  Picture picture(static_cast<std::size_t>(kind.height * kind.width * channels), 0.0F);
  constexpr int kSpots = 6;
  for (int spot = 0; spot < kSpots; ++spot) {
    const double y0 = dice.between(0.2, 0.8) * static_cast<double>(kind.height),
                 x0 = dice.between(0.2, 0.8) * static_cast<double>(kind.width);
    const double radius = dice.between(0.06, 0.14) * static_cast<double>(kind.height);
    std::vector<double> colour(static_cast<std::size_t>(channels));
    for (double& part : colour) part = kind.channels > 0 ? dice.uniform() : 1.0;
    for (std::int64_t i = 0; i < static_cast<std::int64_t>(picture.size()); ++i) {
      const std::int64_t place = i / channels, row = place / kind.width, column = place % kind.width;
      const auto y = static_cast<double>(row), x = static_cast<double>(column);
      const double distance = ((y - y0) * (y - y0) + (x - x0) * (x - x0)) / (2 * radius * radius);
      float& pixel = picture[static_cast<std::size_t>(i)];
      pixel = std::min(1.0F, pixel + static_cast<float>(colour[static_cast<std::size_t>(i % channels)] *
                                                        std::exp(-distance)));
    }
  }
  return picture;
}

/// The nearest integer, halves upwards.
std::uint8_t rounded(double value) {
  const auto whole = static_cast<std::uint8_t>(value);
  return static_cast<std::uint8_t>(value - whole >= 0.5 ? whole + 1 : whole);
}

Arrays draw_pictures(const ImageKind& kind, const std::vector<Picture>& prototypes, std::int64_t num_rows,
                     Dice& dice) {
  const std::int64_t channels = std::max<std::int64_t>(kind.channels, 1);
  const auto size = static_cast<std::int64_t>(prototypes[0].size());
  const auto per_class = static_cast<std::int64_t>(prototypes.size()) / kind.num_classes;
  std::vector<std::uint8_t> x = host_vector<std::uint8_t>(CheckedSize(num_rows) * size, kWhat);
  std::vector<std::uint8_t> y = host_vector<std::uint8_t>(num_rows, kWhat);
  for (std::int64_t row = 0; row < num_rows; ++row) {
    const std::int64_t label = dice.below(kind.num_classes);
    y[static_cast<std::size_t>(row)] = static_cast<std::uint8_t>(label);
    const Picture& prototype =
        prototypes[static_cast<std::size_t>(label * per_class + dice.below(per_class))];
    const std::int64_t down = dice.below(2 * kind.max_shift + 1) - kind.max_shift,
                       right = dice.below(2 * kind.max_shift + 1) - kind.max_shift;
    const double brightness = dice.between(0.6, 1.0);
    std::uint8_t* to = x.data() + row * size;
    for (std::int64_t from_y = -down; from_y < kind.height - down; ++from_y)
      for (std::int64_t from_x = -right; from_x < kind.width - right; ++from_x) {
        const bool inside = from_y >= 0 && from_y < kind.height && from_x >= 0 && from_x < kind.width;
        const std::int64_t from = (from_y * kind.width + from_x) * channels;
        for (std::int64_t channel = 0; channel < channels; ++channel) {
          const double pixel = inside ? prototype[static_cast<std::size_t>(from + channel)] : 0.0;
          *to++ = rounded(255 * std::clamp(pixel * brightness + kind.noise * dice.normal(), 0.0, 1.0));
        }
      }
  }
  Dims shape = {num_rows, kind.height, kind.width};
  if (kind.channels > 0) shape.push_back(kind.channels);
  return {Tensor::adopt(shape, std::move(x)), Tensor::adopt({num_rows}, std::move(y))};
}

constexpr std::int32_t kNot = 20;  // the rank of "not", which reverses the next word

/// The sentiment of a word: 1, -1, or 0 for most. Frequent words are neutral.
int side_of(std::int32_t rank) { return rank < 40 ? 0 : rank % 16 == 3 ? 1 : rank % 16 == 11 ? -1 : 0; }

/// Draws a rank by Zipf's law.
std::int32_t draw_word(std::int64_t num_words, Dice& dice) {
  return static_cast<std::int32_t>(std::exp(dice.uniform() * std::log(static_cast<double>(num_words))));
}

Sequence draw_review(std::int64_t num_words, int side, Dice& dice) {
  const auto length = static_cast<std::size_t>(
      std::clamp(std::exp(5.2 + 0.6 * dice.normal()), double{kShortestReview}, 1500.0));
  Sequence review;
  while (review.size() < length) {
    if (dice.uniform() >= 1.0 / 6) {
      std::int32_t word = draw_word(num_words, dice);
      while (word == kNot || side_of(word) != 0) word = draw_word(num_words, dice);
      review.push_back(word);
      continue;
    }
    const int wanted = dice.uniform() < 0.75 ? side : -side;
    const bool turned = dice.uniform() < 0.15;
    std::int32_t word = draw_word(num_words, dice);
    while (side_of(word) != (turned ? -wanted : wanted)) word = draw_word(num_words, dice);
    if (turned) review.push_back(kNot);
    review.push_back(word);
  }
  return review;
}

imdb::Reviews draw_reviews(std::int64_t num_words, std::int64_t num_rows, Dice& dice) {
  imdb::Reviews reviews;
  std::vector<std::int64_t> labels;
  for (std::int64_t row = 0; row < num_rows; ++row) {
    const std::int64_t label = dice.below(2);
    reviews.x.push_back(draw_review(num_words, label == 1 ? 1 : -1, dice));
    labels.push_back(label);
  }
  reviews.y = Tensor::adopt({num_rows}, std::move(labels));
  return reviews;
}

}  // namespace

TrainAndTest make_images(const ImageKind& kind, const MakeDataOptions& options) {
  constexpr std::int64_t kPrototypes = 3;
  const CheckedSize row_bytes =
      CheckedSize(kind.height) * kind.width * std::max<std::int64_t>(kind.channels, 1) + 1;
  check_memory((CheckedSize(options.num_train) + options.num_test) * row_bytes, kWhat);
  Dice dice(options.seed);
  std::vector<Picture> prototypes;
  prototypes.reserve(static_cast<std::size_t>(kind.num_classes * kPrototypes));
  for (std::int64_t i = 0; i < kind.num_classes * kPrototypes; ++i)
    prototypes.push_back(make_prototype(kind, dice));
  return {draw_pictures(kind, prototypes, options.num_train, dice),
          draw_pictures(kind, prototypes, options.num_test, dice)};
}

imdb::ReviewData make_reviews(std::int64_t num_words, const MakeDataOptions& options) {
  constexpr std::size_t kLeastBytes =
      sizeof(Sequence) + kShortestReview * sizeof(std::int32_t) + sizeof(std::int64_t);
  check_memory((CheckedSize(options.num_train) + options.num_test) * kLeastBytes, kWhat);
  Dice dice(options.seed);
  imdb::Reviews train = draw_reviews(num_words, options.num_train, dice);
  return {std::move(train), draw_reviews(num_words, options.num_test, dice)};
}

}  // namespace cornu::inline v0::keras::datasets::detail
