#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cornu/tensor/tensor.h"

namespace cornu::inline v0::keras {

/// Lists of integers of different lengths, such as the words of texts.
using Sequence = std::vector<std::int32_t>;
using Sequences = std::vector<Sequence>;

namespace utils {

struct PadSequencesOptions {  // options/functions.toml
  /// Length of every row, at least 1; unset: that of the longest sequence.
  std::optional<std::int64_t> maxlen = {};
  /// Dtype of the result: an integer one, f32 or f64.
  DType dtype = DType::kI32;
  /// End at which short sequences are filled: "pre", the beginning, or "post".
  std::string padding = "pre";
  /// End at which long sequences are cut: "pre", the beginning, or "post".
  std::string truncating = "pre";
  /// Value that fills short sequences.
  double value = 0.0;
};

/// Makes a matrix of sequences: shorter ones are padded, longer ones truncated.
///
/// Shapes:  n sequences -> [n, maxlen]
/// Errors:  InvalidArgument for maxlen below 1, words other than "pre" and "post", a dtype that is neither
///          integer nor f32 or f64, a value that it does not hold; OutOfRange, with position and sequence,
///          for a number that it does not hold; ResourceExhausted for a matrix of more than 16 GiB.
/// Source:  keras.utils.pad_sequences.
Tensor pad_sequences(const Sequences& sequences, const PadSequencesOptions& options = {});

struct ToCategoricalOptions {  // options/functions.toml
  /// Number of classes; unset: the largest id plus 1.
  std::optional<std::int64_t> num_classes = {};
};

/// One-hot rows of class ids, as f32.
///
/// Shapes:  [a, b, ...] -> [a, b, ..., num_classes]; a last axis of extent 1 is dropped, unless it is the
///          only one.
/// Errors:  InvalidArgument for ids that are not integers; OutOfRange, with id and position, outside [0,
///          num_classes) (Keras lets NumPy count negative ids from the end); ResourceExhausted, with the
///          largest id and its position, for an array of more than 16 GiB.
/// Source:  keras.utils.to_categorical.
Tensor to_categorical(const Tensor& x, const ToCategoricalOptions& options = {});

}  // namespace utils

namespace preprocessing::sequence {
using utils::pad_sequences;
using utils::PadSequencesOptions;
}  // namespace preprocessing::sequence

}  // namespace cornu::inline v0::keras
