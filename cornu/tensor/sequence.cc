#include "cornu/tensor/ops/sequence.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "cornu/base/check.h"
#include "cornu/tensor/control_flow.h"
#include "cornu/tensor/custom_gradient.h"
#include "cornu/tensor/ops/elementwise.h"
#include "cornu/tensor/ops/index.h"
#include "cornu/tensor/ops/nn.h"
#include "cornu/tensor/ops/reduce.h"
#include "cornu/tensor/ops/shape.h"
#include "cornu/tensor/ops/support.h"

namespace cornu::inline v0::ops {
namespace {

constexpr double kImpossible = -1e5;  // the logarithm of 0 as Keras has it; sums of many stay finite

void check_sequences(const char* op, const Tensor& logits, const Tensor& lengths) {
  if (logits.rank() == 3 && lengths.rank() == 1 && lengths.shape()[0] == logits.shape()[0]) return;
  invalid_argument(
      "[{}] needs logits of shape [batch, steps, classes] and a length for each row; got {} and {}", op,
      ir::shape_str(logits.shape()), ir::shape_str(lengths.shape()));
}

std::int64_t checked_mask_index(const char* op, std::int64_t mask_index, std::int64_t num_classes) {
  const std::int64_t index = mask_index < 0 ? mask_index + num_classes : mask_index;
  if (index < 0 || index >= num_classes)
    invalid_argument({.argument = "mask_index"},
                     "[{}] mask_index must be one of {} classes; got mask_index = {}", op, num_classes,
                     mask_index);
  return index;
}

/// The targets with blanks before, between and after them: [batch, 2 * labels + 1].
Tensor with_blanks(const Tensor& target, std::int64_t blank) {
  const std::int64_t batch = target.shape()[0], num_labels = target.shape()[1];
  const Tensor pairs = stack({full({batch, num_labels}, blank, {.dtype = DType::kI32}), target}, 2);
  return concatenate(
      {reshape(pairs, {batch, 2 * num_labels}), full({batch, 1}, blank, {.dtype = DType::kI32})}, 1);
}

/// x moved by `n` places towards the end of axis 1, with kImpossible in the places that become free.
Tensor moved_right(const Tensor& x, std::int64_t n) {
  const std::int64_t batch = x.shape()[0], size = x.shape()[1];
  if (size <= n) return full({batch, size}, kImpossible, {.dtype = x.dtype()});
  const Tensor before = full({batch, n}, kImpossible, {.dtype = x.dtype()});
  return concatenate({before, slice(x, {0, 0}, {batch, size - n})}, 1);
}

/// x moved by `n` places towards the beginning of axis 1, with `filling` in the places that become free.
Tensor moved_left(const Tensor& x, std::int64_t n, const Tensor& filling) {
  const std::int64_t batch = x.shape()[0], size = x.shape()[1], rest = std::max<std::int64_t>(size - n, 0);
  return concatenate({slice(x, {0, size - rest}, {batch, rest}), broadcast_to(filling, {batch, size - rest})},
                     1);
}

/// The logarithm of the sum of three exponentials, by one logarithm.
Tensor log_sum(const Tensor& a, const Tensor& b, const Tensor& c) {
  const Tensor largest = maximum(maximum(a, maximum(b, c)), -1e30);  // finite, so that -inf stays -inf
  return largest + log(exp(a - largest) + exp(b - largest) + exp(c - largest));
}

/// Logarithms of probabilities of states, [steps, batch, states], which rows have which steps, [steps, batch, 1], and the
/// states that can follow the one two before them, [batch, states].
struct CtcSteps {
  Tensor rows, is_step, skips;
};

/// The scores of all ways to each state at the end, and after each step.
std::pair<Tensor, Tensor> forward_scores(const CtcSteps& steps, const Tensor& begin) {
  return scan(
      [&](const Tensor& before, const std::array<Tensor, 2>& row) {
        const Tensor skipped = where(steps.skips, moved_right(before, 2), kImpossible);
        const Tensor reached = log_sum(before, moved_right(before, 1), skipped) + row[0];
        const Tensor after = where(row[1], reached, before);
        return std::pair(after, after);
      },
      begin, std::array<Tensor, 2>{steps.rows, steps.is_step});
}

/// The probability of each state in each step, given the labels: the ways to it and from it to the end, of all.
Tensor shares_of_states(const CtcSteps& steps, const Tensor& reached, const Tensor& ends,
                        const Tensor& loss) {
  const Tensor impossible = full({}, kImpossible, {.dtype = ends.dtype()});
  const Tensor can_skip = moved_left(steps.skips, 2, full({}, 0, {.dtype = DType::kI1}));
  const auto [first, shares] = scan(
      [&](const Tensor& after, const std::array<Tensor, 3>& row) {
        const Tensor share = where(row[1], exp(row[2] + after + loss), 0);
        const Tensor next = after + row[0];
        const Tensor skipped = where(can_skip, moved_left(next, 2, impossible), impossible);
        const Tensor before = log_sum(next, moved_left(next, 1, impossible), skipped);
        return std::pair(where(row[1], before, after), share);
      },
      ends, std::array<Tensor, 3>{steps.rows, steps.is_step, reached}, {.reverse = true});
  return shares;
}

}  // namespace

Tensor ctc_loss(const Tensor& target, const Tensor& output, const Tensor& target_length,
                const Tensor& output_length, const CtcLossOptions& options) {
  check_sequences("ctc_loss", output, output_length);
  if (target.rank() != 2 || target.shape()[0] != output.shape()[0] ||
      target_length.shape() != output_length.shape())
    invalid_argument(
        "[ctc_loss] needs class ids of shape [batch, labels] with a length for each row; got {} and {}",
        ir::shape_str(target.shape()), ir::shape_str(target_length.shape()));
  const std::int64_t blank = checked_mask_index("ctc_loss", options.mask_index, output.shape()[2]);
  const Tensor logits =
      cast(output, internal::accumulation_dtype(internal::promote_to_float(output, output)));
  const DType dtype = logits.dtype();
  const std::int64_t batch = logits.shape()[0], num_steps = logits.shape()[1];
  const Tensor states = with_blanks(cast(target, DType::kI32), blank);
  const std::int64_t num_states = states.shape()[1];
  // A state can be reached over the blank before it from the label before, unless the labels are equal.
  const Tensor number = arange(num_states);
  const Tensor is_label = equal(mod(number, 2), 1);
  const Tensor previous =
      concatenate({full({batch, std::min<std::int64_t>(2, num_states)}, -1, {.dtype = DType::kI32}),
                   slice(states, {0, 0}, {batch, std::max<std::int64_t>(num_states - 2, 0)})},
                  1);
  const Tensor skips = logical_and(is_label, not_equal(states, previous));
  const Tensor step_scores = take_along_axis(
      log_softmax(logits), broadcast_to(expand_dims(states, 1), {batch, num_steps, num_states}), {.axis = 2});
  const Tensor begin = where(equal(number, 0), full({batch, num_states}, 0, {.dtype = dtype}), kImpossible);
  const Tensor is_step =
      expand_dims(less(expand_dims(arange(num_steps), 1), cast(output_length, DType::kI32)), 2);
  const auto loss_of = cornu::custom_gradient([=](const Tensor& rows) {
    const auto [scores, reached] = forward_scores({.rows = rows, .is_step = is_step, .skips = skips}, begin);
    // The last state is the last label or the blank after it.
    const Tensor last = expand_dims(cast(target_length, DType::kI32) * 2, 1);
    const auto at = [&, all = scores](const Tensor& state) {
      return sum(where(equal(number, state), all, 0), {.axis = 1});
    };
    const Tensor on_label = where(greater(squeeze(last, 1), 0), at(last - 1), kImpossible);
    const Tensor loss = -logaddexp(at(last), on_label);
    const Tensor is_last =
        logical_or(equal(number, last), logical_and(equal(number, last - 1), greater(last, 0)));
    const auto gradient = [=, reached = reached](const Tensor& d_loss) {
      const Tensor ends = where(is_last, zeros_like(begin), kImpossible);
      const Tensor shares = shares_of_states({.rows = rows, .is_step = is_step, .skips = skips}, reached,
                                             ends, expand_dims(loss, 1));
      return -expand_dims(d_loss, 1) * shares;
    };
    return std::pair(loss, gradient);
  });
  return loss_of(swapaxes(step_scores, 0, 1));
}

namespace {

CtcDecoded greedy_decode(const Tensor& logits, const Tensor& lengths, std::int64_t blank,
                         bool merge_repeated) {
  const std::int64_t batch = logits.shape()[0], num_steps = logits.shape()[1];
  const Tensor counts = less(arange(num_steps), expand_dims(cast(lengths, DType::kI32), 1));
  const Tensor best = where(counts, cast(argmax(logits, {.axis = -1}), DType::kI32), blank);
  const Tensor score = where(counts, max(logits, {.axis = -1}), 0);
  Tensor is_kept = not_equal(best, blank);
  if (merge_repeated) {
    const Tensor before =
        concatenate({full({batch, 1}, -1, {.dtype = DType::kI32}),
                     slice(best, {0, 0}, {batch, std::max<std::int64_t>(num_steps - 1, 0)})},
                    1);
    if (num_steps > 0) is_kept = logical_and(is_kept, not_equal(best, before));
  }
  const Tensor order = argsort(where(is_kept, arange(num_steps), num_steps), {.axis = -1});
  const Tensor decoded = take_along_axis(where(is_kept, best, -1), order, {.axis = -1});
  return {.decoded = expand_dims(decoded, 0), .scores = -sum(score, {.axis = 1, .keepdims = true})};
}

double log_add(double x, double y) {
  if (x < y) std::swap(x, y);
  return std::isinf(y) ? x : x + std::log1p(std::exp(y - x));
}

/// The logarithms of the probabilities that a step ends with the blank, or with the last label.
struct LabellingScores {
  double blank = -std::numeric_limits<double>::infinity();
  double label = -std::numeric_limits<double>::infinity();
  double total() const { return log_add(blank, label); }
};
using Labelling = std::vector<std::int32_t>;
using RankedLabelling = std::pair<Labelling, LabellingScores>;

/// The `count` best labellings, the best one first.
std::vector<RankedLabelling> best_labellings(const std::map<Labelling, LabellingScores>& all,
                                             std::int64_t count) {
  std::vector<RankedLabelling> ranked(all.begin(), all.end());
  std::stable_sort(ranked.begin(), ranked.end(), [](const RankedLabelling& x, const RankedLabelling& y) {
    return x.second.total() > y.second.total();
  });
  if (static_cast<std::int64_t>(ranked.size()) > count) ranked.resize(static_cast<std::size_t>(count));
  return ranked;
}

/// The best labellings after the steps of one row, whose log-probabilities are [steps, classes].
std::vector<RankedLabelling> search(std::span<const double> steps, std::int64_t num_classes,
                                    std::int64_t blank, std::int64_t beam_width) {
  std::vector<RankedLabelling> beam = {{{}, {.blank = 0}}};
  for (std::size_t begin = 0; begin < steps.size(); begin += static_cast<std::size_t>(num_classes)) {
    std::map<Labelling, LabellingScores> next;
    for (const auto& [labels, scores] : beam) {
      for (std::int64_t k = 0; k < num_classes; ++k) {
        const double step = steps[begin + static_cast<std::size_t>(k)];
        if (k == blank) {
          double& same = next[labels].blank;
          same = log_add(same, scores.total() + step);
          continue;
        }
        const bool repeats = !labels.empty() && labels.back() == k;
        Labelling longer = labels;
        longer.push_back(static_cast<std::int32_t>(k));
        double& extended = next[longer].label;
        extended = log_add(extended, (repeats ? scores.blank : scores.total()) + step);
        if (!repeats) continue;
        double& same = next[labels].label;
        same = log_add(same, scores.label + step);
      }
    }
    beam = best_labellings(next, beam_width);
  }
  return beam;
}

CtcDecoded beam_decode(const Tensor& logits, const Tensor& lengths, std::int64_t blank,
                       const CtcDecodeOptions& options) {
  if (logits.is_symbolic() || lengths.is_symbolic())
    fail(ErrorCode::kUnimplemented,
         "[ctc_decode] strategy = \"beam_search\" runs on the host: call it outside of a trace, or use "
         "\"greedy\"");
  const std::int64_t batch = logits.shape()[0], num_steps = logits.shape()[1],
                     num_classes = logits.shape()[2];
  const std::vector<double> scores = log_softmax(logits).to_vector<double>();
  const std::vector<std::int64_t> given = lengths.to_vector<std::int64_t>();
  const std::int64_t paths = options.top_paths;
  std::vector<std::int32_t> decoded(static_cast<std::size_t>(paths * batch * num_steps), -1);
  std::vector<float> of_paths(static_cast<std::size_t>(batch * paths),
                              -std::numeric_limits<float>::infinity());
  for (std::int64_t row = 0; row < batch; ++row) {
    const std::int64_t length = std::clamp<std::int64_t>(given[static_cast<std::size_t>(row)], 0, num_steps);
    const auto steps = std::span(scores).subspan(static_cast<std::size_t>(row * num_steps * num_classes),
                                                 static_cast<std::size_t>(length * num_classes));
    const std::vector<RankedLabelling> best = search(steps, num_classes, blank, options.beam_width);
    for (std::int64_t path = 0; path < std::min(paths, static_cast<std::int64_t>(best.size())); ++path) {
      const auto& [labels, score] = best[static_cast<std::size_t>(path)];
      if (std::isinf(score.total())) break;  // the steps are too few for this labelling
      std::copy(labels.begin(), labels.end(), decoded.begin() + (path * batch + row) * num_steps);
      of_paths[static_cast<std::size_t>(row * paths + path)] = static_cast<float>(score.total());
    }
  }
  return {.decoded = Tensor::adopt({paths, batch, num_steps}, std::move(decoded)),
          .scores = cast(Tensor::adopt({batch, paths}, std::move(of_paths)), logits.dtype())};
}

}  // namespace

CtcDecoded ctc_decode(const Tensor& inputs, const Tensor& sequence_lengths, const CtcDecodeOptions& options) {
  check_sequences("ctc_decode", inputs, sequence_lengths);
  const std::int64_t blank = checked_mask_index("ctc_decode", options.mask_index, inputs.shape()[2]);
  const Tensor logits =
      cast(inputs, internal::accumulation_dtype(internal::promote_to_float(inputs, inputs)));
  if (options.strategy == "greedy")
    return greedy_decode(logits, sequence_lengths, blank, options.merge_repeated);
  if (options.strategy != "beam_search")
    invalid_argument({.argument = "strategy"},
                     "[ctc_decode] strategy must be \"greedy\" or \"beam_search\"; got strategy = \"{}\"",
                     options.strategy);
  for (const auto& [argument, value] :
       {std::pair("beam_width", options.beam_width), std::pair("top_paths", options.top_paths)})
    if (value < 1)
      invalid_argument({.argument = argument}, "[ctc_decode] {0} must be positive; got {0} = {1}", argument,
                       value);
  return beam_decode(logits, sequence_lengths, blank, options);
}

}  // namespace cornu::inline v0::ops
