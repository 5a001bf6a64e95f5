#pragma once

#include <cstdint>

#include "cornu/keras/datasets/datasets.h"

/// The generator of artificial data. Internal: users call make_data of a data set.
namespace cornu::inline v0::keras::datasets::detail {

struct ImageKind {
  std::int64_t height = 28;
  std::int64_t width = 28;
  std::int64_t channels = 0;  // 0: no axis of channels
  std::int64_t num_classes = 10;
  double noise = 0.2;          // standard deviation, as a part of the full range
  std::int64_t max_shift = 2;  // in pixels, in each direction
};

/// Generates images of classes that have a few prototypes each, made of smooth spots; an image is a prototype
/// that is shifted, dimmed and noisy. Labels are uniform, uint8, [rows].
TrainAndTest make_images(const ImageKind& kind, const MakeDataOptions& options);

/// Generates reviews as ranks of words, with the word frequencies of a language. One word in six has a
/// sentiment, three times out of four that of the review; one in seven of these follows a "not", which
/// reverses it, so that only neighbouring words together determine the sentiment.
imdb::ReviewData make_reviews(std::int64_t num_words, const MakeDataOptions& options);

}  // namespace cornu::inline v0::keras::datasets::detail
