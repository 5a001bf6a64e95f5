#include "cornu/backends/cpu/attention/attention.h"

#include <algorithm>
#include <limits>
#include <optional>

#include "cornu/backends/cpu/attention/score_rows.h"
#include "cornu/backends/cpu/kernels/gemm.h"
#include "cornu/backends/cpu/kernels/slices.h"
#include "cornu/base/divide_up.h"
#include "cornu/ops/dot_product_attention/dot_product_attention.h"

namespace cornu::inline v0::backends::cpu::attention {
namespace {

// Sizes of a block: its 128 KiB of scores fit in a second-level cache with the packed keys and values.
constexpr std::int64_t kQueries = 64, kKeys = 512;
constexpr std::int64_t kLine = 16;  // floats
// Keys of a block that causal queries cannot see are skipped in steps of this size, whole panels of packed
// data, for as many queries at a time.
constexpr std::int64_t kKeyStep = 32;

// With fewer queries or keys, loops over all scores are up to fourteen times as fast.
constexpr std::int64_t kFewestQueries = 16, kFewestKeys = 64;
// The gradient's kernel computes the scores once more, so it has five products where a program has four. That
// pays if the features are few beside the keys, or if the scores are so many that loops read them from
// memory.
constexpr std::int64_t kFewestFeatures = 16, kMostKeys = 128, kManyScores = std::int64_t{1} << 24;

std::size_t bytes_of(std::int64_t num_floats) {
  return whole_lines(static_cast<std::size_t>(num_floats) * sizeof(float));
}

/// Extents, options, and the layout of the mask.
struct Problem {
  Problem(const ir::Op& op, std::size_t mask_operand) {
    const ir::Dims &query = op.operand(0).dims(), &value = op.operand(2).dims();
    batch = query[0];
    num_queries = query[1];
    heads = query[2];
    dim = query[3];
    num_keys = value[1];
    value_dim = value[3];
    const ops::DotProductAttentionOptions options = ops::dot_product_attention_options(op);
    scale = static_cast<float>(options.scale);
    is_causal = options.is_causal;
    masked_score = static_cast<float>(ops::masked_attention_score(op));
    if (op.operands().size() <= mask_operand) return;
    mask = mask_operand;
    const ir::Dims& dims = op.operand(mask_operand).dims();
    std::int64_t stride = dims[3];
    for (std::size_t i = 3; i-- > 0;) {
      mask_strides[i] = dims[i] == 1 ? 0 : stride;
      stride *= dims[i];
    }
  }

  std::int64_t num_pairs() const { return batch * heads; }

  std::int64_t batch = 0, num_queries = 0, num_keys = 0, heads = 0, dim = 0, value_dim = 0;
  float scale = 1, masked_score = 0;
  bool is_causal = false;
  std::size_t mask = 0;               // operand number; 0: none
  std::int64_t mask_strides[3] = {};  // of batch, head and query
};

/// One head of one batch element, with its tensors: rows of steps with a stride.
struct Pair {
  std::int64_t batch = 0, head = 0;
};

struct Rows {
  float* data = nullptr;
  std::int64_t stride = 0;
  float* at(std::int64_t step) const { return data + step * stride; }
};

/// A block of queries and a block of keys.
struct Block {
  std::int64_t query = 0, num_queries = 0, key = 0, num_keys = 0;
};

class BlockKernel : public GroupKernel {
 protected:
  BlockKernel(const Problem& problem, const Target& target)
      : problem_(problem), isa_(target.isa), rows_(row_functions(target.isa)) {
    block_keys_ = std::min(kKeys, problem_.num_keys);
    // The first columns of packed keys equal packed fewer keys, unless many features are packed in parts.
    cuts_packed_keys_ = problem_.is_causal && problem_.mask == 0 && packs_in_one_part(problem_.dim) &&
                        packs_in_one_part(problem_.value_dim);
    block_queries_ = cuts_packed_keys_ ? kKeyStep : kQueries;
    // The row stride is not a power of two, because such rows would share few sets of a cache.
    scores_stride_ = divide_up(block_keys_, kLine) * kLine + kLine;
  }

  /// Sets the number of work units, each with `scratch_floats` of scratch memory; a slice runs several if
  /// there are many.
  void set_units(std::int64_t count, int num_threads, std::int64_t scratch_floats) {
    num_units_ = count;
    slice_units_ = std::max<std::int64_t>(1, divide_up(count, kMaxKernelSlices));
    num_slices_ = divide_up(count, slice_units_);
    slot_bytes_ = bytes_of(scratch_floats);
    scratch_bytes_ =
        static_cast<std::size_t>(std::max<std::int64_t>(1, num_slots(num_slices_, num_threads))) *
        slot_bytes_;
  }
  template <typename F>
  void for_each_unit(const KernelMemory& memory, ThreadPool& pool, const F& f) const {
    ScratchSlots slots(memory.scratch, slot_bytes_);
    for_each_slice(pool, num_slices_, [&](std::int64_t slice) {
      const ScratchSlots::Lease lease(slots);
      const std::int64_t end = std::min(num_units_, (slice + 1) * slice_units_);
      for (std::int64_t unit = slice * slice_units_; unit < end; ++unit)
        f(unit, reinterpret_cast<float*>(lease.data()));
    });
  }

  Pair pair(std::int64_t number) const { return {number / problem_.heads, number % problem_.heads}; }

  /// [batch, steps, heads, features] at a pair.
  Rows rows_of(const std::byte* tensor, const Pair& at, std::int64_t steps, std::int64_t features) const {
    auto* const data = reinterpret_cast<float*>(const_cast<std::byte*>(tensor));
    return {data + (at.batch * steps * problem_.heads + at.head) * features, problem_.heads * features};
  }
  /// [batch, heads, T] at a pair.
  float* statistics(const std::byte* tensor, const Pair& at) const {
    auto* const data = reinterpret_cast<float*>(const_cast<std::byte*>(tensor));
    return data + (at.batch * problem_.heads + at.head) * problem_.num_queries;
  }

  ScoreRow score_row(const KernelMemory& memory, const Pair& at, const Block& block, std::int64_t row) const {
    const std::int64_t query = block.query + row;
    ScoreRow result{.num_keys = block.num_keys,
                    .num_earlier = block.num_keys,
                    .scale = problem_.scale,
                    .masked = problem_.masked_score};
    if (problem_.is_causal)
      result.num_earlier = std::clamp<std::int64_t>(query + 1 - block.key, 0, block.num_keys);
    if (problem_.mask != 0)
      result.seen = memory.operands[problem_.mask] + at.batch * problem_.mask_strides[0] +
                    at.head * problem_.mask_strides[1] + query * problem_.mask_strides[2] + block.key;
    return result;
  }

  /// True if keys that no query of a block sees may be left out: beside `largest`, the largest score of each
  /// query, exp(masked score) is 0. With a mask, the keys of a query are not known before.
  bool may_leave_out_keys(const float* largest, std::int64_t num_queries) const {
    constexpr float kFar = 88;  // exp(-kFar) is 0 (score_rows_level.inc)
    return problem_.is_causal && problem_.mask == 0 &&
           std::all_of(largest, largest + num_queries,
                       [&](float score) { return score - problem_.masked_score >= kFar; });
  }

  /// The number of keys of the block, from its first one on, that any query of the block sees, in whole
  /// steps.
  std::int64_t seen_keys(const Block& block) const {
    const std::int64_t seen = block.query + block.num_queries - block.key;
    if (seen <= 0 || !cuts_packed_keys_) return seen <= 0 ? 0 : block.num_keys;
    return std::min(block.num_keys, divide_up(seen, kKeyStep) * kKeyStep);
  }

  template <typename F>
  void for_key_blocks(const F& f) const {
    for (std::int64_t key = 0; key < problem_.num_keys; key += block_keys_)
      f(key, std::min(block_keys_, problem_.num_keys - key));
  }
  template <typename F>
  void for_query_blocks(std::int64_t begin, std::int64_t end, std::int64_t key, std::int64_t num_keys,
                        bool leaves_out_keys, const F& f) const {
    for (std::int64_t query = begin; query < end; query += block_queries_) {
      Block block{query, std::min(block_queries_, end - query), key, num_keys};
      if (leaves_out_keys) block.num_keys = seen_keys(block);
      if (block.num_keys > 0) f(block);
    }
  }

  std::int64_t packed_floats(std::int64_t k, std::int64_t n) const {
    return static_cast<std::int64_t>(bytes_of(kernels::packed_b_floats(isa_, k, n)) / sizeof(float));
  }
  bool packs_in_one_part(std::int64_t features) const {
    const auto last_row = [&](std::int64_t keys) {
      return kernels::packed_b_offset(isa_, features, keys, features - 1, 0);
    };
    return features > 0 && last_row(kKeyStep) == last_row(2 * kKeyStep);
  }
  /// Rows of keys packed at a time as the b of products over keys: all, or one step if only the first steps
  /// may be needed.
  std::int64_t row_step() const { return cuts_packed_keys_ ? std::min(kKeyStep, block_keys_) : block_keys_; }
  std::int64_t packed_rows_floats(std::int64_t features) const {
    return divide_up(block_keys_, row_step()) * packed_floats(row_step(), features);
  }
  void pack_rows(const Rows& rows, std::int64_t begin, std::int64_t steps, std::int64_t features,
                 float* packed) const {
    for (std::int64_t at = 0; at < steps; at += row_step(), packed += packed_floats(row_step(), features))
      pack(rows, begin + at, std::min(row_step(), steps - at), features, false, packed);
  }
  /// Packs steps x features as the b of a product over features (transposed), or over steps.
  void pack(const Rows& rows, std::int64_t begin, std::int64_t steps, std::int64_t features,
            bool over_features, float* packed) const {
    kernels::pack_b(isa_,
                    {.transpose_b = over_features,
                     .n = over_features ? steps : features,
                     .k = over_features ? features : steps,
                     .b = rows.at(begin),
                     .ldb = rows.stride},
                    packed);
  }
  /// scores [queries, keys] = rows of the block's queries . packed
  void multiply(const Block& block, const Rows& rows, std::int64_t features, const float* packed,
                float* scores) const {
    kernels::gemm_packed(isa_,
                         {.m = block.num_queries,
                          .n = block.num_keys,
                          .k = features,
                          .a = rows.at(block.query),
                          .lda = rows.stride,
                          .c = scores,
                          .ldc = scores_stride_},
                         packed);
  }
  /// to [queries, features] (+)= scores . packed rows
  void mix(const Block& block, const float* scores, std::int64_t features, const float* packed,
           const Rows& to, bool accumulate) const {
    for (std::int64_t at = 0; at < block.num_keys;
         at += row_step(), packed += packed_floats(row_step(), features))
      kernels::gemm_packed(isa_,
                           {.accumulate = accumulate || at > 0,
                            .m = block.num_queries,
                            .n = features,
                            .k = std::min(row_step(), block.num_keys - at),
                            .a = scores + at,
                            .lda = scores_stride_,
                            .c = to.at(block.query),
                            .ldc = to.stride},
                           packed);
  }

  Problem problem_;
  IsaLevel isa_;
  const RowFunctions& rows_;
  std::int64_t block_queries_ = 0, block_keys_ = 0, scores_stride_ = 0;
  bool cuts_packed_keys_ = false;

 private:
  std::int64_t num_units_ = 0, slice_units_ = 1;
  std::size_t slot_bytes_ = 0;
};

class AttentionKernel : public BlockKernel {
 public:
  AttentionKernel(const Problem& problem, const Target& target, int num_threads)
      : BlockKernel(problem, target) {
    key_floats_ = packed_floats(problem_.dim, block_keys_);
    value_floats_ = packed_rows_floats(problem_.value_dim);
    // A slice packs its keys and values, so queries are split only if there are few heads.
    const std::int64_t wanted = 2 * std::max(1, num_threads),
                       pairs = std::max<std::int64_t>(1, problem_.num_pairs());
    const std::int64_t blocks = std::max<std::int64_t>(1, divide_up(problem_.num_queries, block_queries_));
    const std::int64_t parts = std::clamp<std::int64_t>(divide_up(wanted, pairs), 1, blocks);
    part_queries_ = divide_up(blocks, parts) * block_queries_;
    num_parts_ = std::max<std::int64_t>(1, divide_up(problem_.num_queries, part_queries_));
    set_units(problem_.num_pairs() * num_parts_, num_threads,
              key_floats_ + value_floats_ + block_queries_ * scores_stride_);
  }

  void run(const KernelMemory& memory, ThreadPool& pool) const override {
    for_each_unit(memory, pool, [&](std::int64_t unit, float* scratch) {
      const std::int64_t begin = unit % num_parts_ * part_queries_;
      run_part(memory, pair(unit / num_parts_), begin, std::min(begin + part_queries_, problem_.num_queries),
               scratch);
    });
  }

 private:
  void run_part(const KernelMemory& memory, const Pair& at, std::int64_t begin, std::int64_t end,
                float* scratch) const {
    const Problem& p = problem_;
    const Rows query = rows_of(memory.operands[0], at, p.num_queries, p.dim),
               key = rows_of(memory.operands[1], at, p.num_keys, p.dim),
               value = rows_of(memory.operands[2], at, p.num_keys, p.value_dim),
               output = rows_of(memory.results[0], at, p.num_queries, p.value_dim);
    float *const largest = statistics(memory.results[1], at), *const sum = statistics(memory.results[2], at);
    float *const keys = scratch, *const values = keys + key_floats_, *const scores = values + value_floats_;
    const auto add_keys = [&](bool leaves_out_keys) {
      for_key_blocks([&](std::int64_t first, std::int64_t num_keys) {
        pack(key, first, num_keys, p.dim, true, keys);
        pack_rows(value, first, num_keys, p.value_dim, values);
        for_query_blocks(begin, end, first, num_keys, leaves_out_keys, [&](const Block& block) {
          multiply(block, query, p.dim, keys, scores);
          for (std::int64_t r = 0; r < block.num_queries; ++r)
            add_row(score_row(memory, at, block, r), first == 0, scores + r * scores_stride_,
                    output.at(block.query + r), largest[block.query + r], sum[block.query + r]);
          mix(block, scores, p.value_dim, values, output, first != 0);
        });
      });
    };
    const bool is_causal = p.is_causal && p.mask == 0;
    add_keys(is_causal);
    if (is_causal && !may_leave_out_keys(largest + begin, end - begin)) add_keys(false);
    for (std::int64_t t = begin; t < end; ++t) {
      if (largest[t] == -std::numeric_limits<float>::infinity())
        sum[t] = std::numeric_limits<float>::quiet_NaN();  // the definition's: its scores are -inf - -inf
      rows_.multiply(p.value_dim, 1 / sum[t], output.at(t));
    }
  }

  /// Replaces products by exponentials relative to the largest score so far, and rescales the earlier output.
  void add_row(const ScoreRow& row, bool is_first, float* products, float* output, float& largest,
               float& sum) const {
    constexpr float kNone = -std::numeric_limits<float>::infinity();
    const float before = is_first ? kNone : largest;
    const float now = rows_.largest(row, before, products);
    const float added = rows_.exponentials(row, now == kNone ? 0 : now, products);
    largest = now;
    if (is_first) {
      sum = added;
      return;
    }
    float factors[kLine] = {before == now ? 0 : before - now};  // a row of one number
    rows_.exponentials({.num_keys = 1, .num_earlier = 1}, 0, factors);
    if (factors[0] != 1) rows_.multiply(problem_.value_dim, factors[0], output);
    sum = sum * factors[0] + added;
  }

  std::int64_t key_floats_ = 0, value_floats_ = 0, part_queries_ = 0, num_parts_ = 1;
};

/// A slice is a head of one batch element, since all its queries add to the gradients of its keys and values.
class AttentionGradientKernel : public BlockKernel {
 public:
  AttentionGradientKernel(const Problem& problem, const Target& target, int num_threads)
      : BlockKernel(problem, target) {
    key_floats_ = packed_floats(problem_.dim, block_keys_);
    value_floats_ = packed_floats(problem_.value_dim, block_keys_);
    key_rows_floats_ = packed_rows_floats(problem_.dim);
    set_units(problem_.num_pairs(), num_threads,
              key_floats_ + value_floats_ + key_rows_floats_ + 2 * block_queries_ * scores_stride_);
  }

  void run(const KernelMemory& memory, ThreadPool& pool) const override {
    for_each_unit(memory, pool,
                  [&](std::int64_t unit, float* scratch) { run_pair(memory, pair(unit), scratch); });
  }

 private:
  struct Tensors {
    Rows query, key, value, output, d_output, d_query, d_key, d_value;
    const float *largest = nullptr, *sum = nullptr;
  };
  struct Scratch {
    float *keys = nullptr, *values = nullptr, *key_rows = nullptr, *weights = nullptr, *d_scores = nullptr;
  };

  Tensors tensors(const KernelMemory& memory, const Pair& at) const {
    const Problem& p = problem_;
    const auto queries = [&](const std::byte* tensor, std::int64_t features) {
      return rows_of(tensor, at, p.num_queries, features);
    };
    const auto keys = [&](const std::byte* tensor, std::int64_t features) {
      return rows_of(tensor, at, p.num_keys, features);
    };
    return {.query = queries(memory.operands[0], p.dim),
            .key = keys(memory.operands[1], p.dim),
            .value = keys(memory.operands[2], p.value_dim),
            .output = queries(memory.operands[3], p.value_dim),
            .d_output = queries(memory.operands[6], p.value_dim),
            .d_query = queries(memory.results[0], p.dim),
            .d_key = keys(memory.results[1], p.dim),
            .d_value = keys(memory.results[2], p.value_dim),
            .largest = statistics(memory.operands[4], at),
            .sum = statistics(memory.operands[5], at)};
  }

  void run_pair(const KernelMemory& memory, const Pair& at, float* scratch) const {
    const Problem& p = problem_;
    const Tensors t = tensors(memory, at);
    Scratch s{.keys = scratch};
    s.values = s.keys + key_floats_;
    s.key_rows = s.values + value_floats_;
    s.weights = s.key_rows + key_rows_floats_;
    s.d_scores = s.weights + block_queries_ * scores_stride_;
    const bool leaves_out_keys = may_leave_out_keys(t.largest, p.num_queries);
    for_key_blocks([&](std::int64_t first, std::int64_t num_keys) {
      pack(t.key, first, num_keys, p.dim, true, s.keys);
      pack(t.value, first, num_keys, p.value_dim, true, s.values);
      pack_rows(t.key, first, num_keys, p.dim, s.key_rows);
      std::int64_t num_begun = 0;  // keys whose gradients are set
      for_query_blocks(0, p.num_queries, first, num_keys, leaves_out_keys, [&](const Block& block) {
        make_scores(memory, at, t, s, block);
        mix(block, s.d_scores, p.dim, s.key_rows, t.d_query, first != 0);
        add_outer(block, num_begun, s.weights, t.d_output, p.value_dim, t.d_value);
        add_outer(block, num_begun, s.d_scores, t.query, p.dim, t.d_key);
        num_begun = std::max(num_begun, block.num_keys);
      });
      for (std::int64_t key = first + num_begun; key < first + num_keys; ++key) {
        std::fill_n(t.d_key.at(key), p.dim, 0.0F);
        std::fill_n(t.d_value.at(key), p.value_dim, 0.0F);
      }
    });
  }

  /// Computes the weights of the block, and the gradient of its products.
  void make_scores(const KernelMemory& memory, const Pair& at, const Tensors& t, const Scratch& s,
                   const Block& block) const {
    multiply(block, t.query, problem_.dim, s.keys, s.weights);
    multiply(block, t.d_output, problem_.value_dim, s.values, s.d_scores);
    for (std::int64_t r = 0; r < block.num_queries; ++r) {
      const std::int64_t q = block.query + r;
      const ScoreRow row = score_row(memory, at, block, r);
      float* const weights = s.weights + r * scores_stride_;
      rows_.weights(row, t.largest[q], 1 / t.sum[q], weights);
      const float mean = rows_.dot(problem_.value_dim, t.output.at(q), t.d_output.at(q));
      rows_.product_gradients(row, weights, mean, s.d_scores + r * scores_stride_);
    }
  }

  /// to [keys, features] += scores [queries, keys], transposed . rows of the queries. Rows from `num_begun` on are set,
  /// since they have no value yet.
  void add_outer(const Block& block, std::int64_t num_begun, const float* scores, const Rows& rows,
                 std::int64_t features, const Rows& to) const {
    const auto add = [&](std::int64_t begin, std::int64_t end, bool accumulate) {
      if (begin == end) return;
      kernels::gemm(isa_, {.transpose_a = true,
                           .accumulate = accumulate,
                           .m = end - begin,
                           .n = features,
                           .k = block.num_queries,
                           .a = scores + begin,
                           .lda = scores_stride_,
                           .b = rows.at(block.query),
                           .ldb = rows.stride,
                           .c = to.at(block.key + begin),
                           .ldc = to.stride});
    };
    const std::int64_t begun = std::min(num_begun, block.num_keys);
    add(0, begun, true);
    add(begun, block.num_keys, false);
  }

  std::int64_t key_floats_ = 0, value_floats_ = 0, key_rows_floats_ = 0;
};

constexpr std::size_t kMask = 3, kGradientMask = 7;  // operand numbers

/// The flops of one product over all queries and keys.
double product_flops(const Problem& p, std::int64_t features) {
  return 2.0 * static_cast<double>(p.num_pairs() * p.num_queries) *
         static_cast<double>(p.num_keys * features);
}

}  // namespace

bool serves(const ir::Op& op) {
  return op.operand(0).type().dtype == ir::DType::kF32 && op.operand(0).dims()[1] >= kFewestQueries &&
         op.operand(1).dims()[1] >= kFewestKeys;
}

bool pays(const transform::WrittenAttention& written) {
  const transform::AttentionExtents n = written.extents();
  if (n.queries < kFewestQueries || n.keys < kFewestKeys) return false;
  if (!written.has_gradient() || written.mask.is_causal || n.batch * n.queries * n.keys >= kManyScores)
    return true;
  const std::int64_t features = std::max(n.dim, n.value_dim);
  return kFewestFeatures <= features && 2 * features <= std::min(n.keys, kMostKeys);
}

std::unique_ptr<GroupKernel> make_kernel(const ir::Op& op, const Target& target, int num_threads) {
  return std::make_unique<AttentionKernel>(Problem(op, kMask), target, num_threads);
}

std::unique_ptr<GroupKernel> make_gradient_kernel(const ir::Op& op, const Target& target, int num_threads) {
  return std::make_unique<AttentionGradientKernel>(Problem(op, kGradientMask), target, num_threads);
}

double flops(const ir::Op& op) {
  const Problem p(op, kMask);
  return product_flops(p, p.dim) + product_flops(p, p.value_dim);
}

double gradient_flops(const ir::Op& op) {
  const Problem p(op, kGradientMask);
  return 3 * product_flops(p, p.dim) + 2 * product_flops(p, p.value_dim);
}

}  // namespace cornu::inline v0::backends::cpu::attention
