#pragma once

#include <cstdint>

#include "cornu/keras/datasets/datasets.h"

/// The one place that makes data. Internal: users call make_data of a data set.
namespace cornu::inline v0::keras::datasets::detail {

struct ImageKind {
  std::int64_t height = 28;
  std::int64_t width = 28;
  std::int64_t channels = 0;  // 0: no axis for them
  std::int64_t num_classes = 10;
  double noise = 0.2;          // standard deviation, of the full range
  std::int64_t max_shift = 2;  // pixels, each way
};

/// Pictures of classes that each have a few prototypes of smooth spots; a picture is one of them, moved,
/// dimmed and with noise. Labels are uniform, uint8, [rows].
TrainAndTest make_images(const ImageKind& kind, const MakeDataOptions& options);

/// Reviews as ranks of words, with word frequencies as in languages. One word in six speaks for a side (three
/// times in four for the review's); "not" in front of one in seven of them turns it round, which only
/// neighbouring words together tell.
imdb::ReviewData make_reviews(std::int64_t num_words, const MakeDataOptions& options);

}  // namespace cornu::inline v0::keras::datasets::detail
