#pragma once

#include <cstdint>
#include <string_view>

#include "cornu/tensor/value/tensor.h"

/// Labels of sequences whose positions are not known (connectionist temporal classification).
namespace cornu::inline v0::ops {

struct CtcLossOptions {  // options/ops.toml
  /// Class of the blank; negative: from the last class.
  std::int64_t mask_index = 0;
};
/// -log of the probability of all alignments of `output` that give `target`: [batch], at least f32.
///
/// An alignment has a class or the blank for each step; equal neighbours count once, then blanks are removed.
/// Shapes:    target [batch, labels], of class ids; output [batch, steps, classes], of logits; the lengths
///            [batch], the numbers of labels and of steps that count.
/// Errors:    InvalidArgument if ranks or batches differ, or if mask_index is not a class.
/// Gradient:  that of output. A target that no alignment gives, as it is too long, has a value near 1e5.
Tensor ctc_loss(const Tensor& target, const Tensor& output, const Tensor& target_length,
                const Tensor& output_length, const CtcLossOptions& options = {});

struct CtcDecodeOptions {  // options/ops.toml
  /// "greedy" or "beam_search".
  std::string_view strategy = "greedy";
  /// Number of labellings that a step of the search keeps; must be positive.
  std::int64_t beam_width = 100;
  /// Number of labellings to return; "greedy" returns one.
  std::int64_t top_paths = 1;
  /// True: equal neighbours are one label; for "greedy" only, as a beam search always merges them.
  bool merge_repeated = true;
  /// Class of the blank; negative: from the last class.
  std::int64_t mask_index = 0;
};
struct CtcDecoded {
  Tensor decoded;  // i32 [paths, batch, steps], -1 after the last label
  Tensor scores;   // [batch, paths]
};
/// The most probable labels of sequences of logits [batch, steps, classes].
///
/// "greedy" takes the largest logit of each step; its score is minus the sum of these logits. "beam_search"
/// adds the probabilities of alignments that give the same labels, and keeps beam_width labellings at each step;
/// scores are logarithms of probabilities, the best path first. It runs on the host, on concrete values.
/// Shapes:    sequence_lengths [batch], the numbers of steps that count.
/// Errors:    InvalidArgument if shapes or options do not fit; Unimplemented for "beam_search" in a trace.
CtcDecoded ctc_decode(const Tensor& inputs, const Tensor& sequence_lengths,
                      const CtcDecodeOptions& options = {});

}  // namespace cornu::inline v0::ops
