#pragma once

#include <cstdint>
#include <vector>

#include "cornu/ir/graph.h"
#include "cornu/transform/attention_matrices.h"

/// Attention as programs write it out, for join_written_attention.
namespace cornu::inline v0::transform {

/// The op that selects between scores and the score of keys that a query does not see.
struct AttentionMask {
  const ir::Op* select = nullptr;  // its first operand has the scores' dimensions; null: every key is seen
  bool is_inverted = false;        // true where a key is not seen
  bool is_causal = false;          // a query sees its own step and those before
  double score = 0;                // of keys that are not seen
};

struct AttentionExtents {
  std::int64_t batch = 1;  // with heads
  std::int64_t queries = 0, keys = 0, dim = 0, value_dim = 0;
};

/// softmax(scale * query . key) . value in the ops of a block, and its gradient.
struct WrittenAttention {
  AttentionAxes axes;
  AttentionMatrix query, key;
  double scale = 1;
  AttentionMask mask;
  std::vector<AttentionMatrix> values, d_outputs;  // one matrix each, where it is an operand
  AttentionProduct output, d_query, d_key, d_value;

  bool has_gradient() const { return d_query.dot != nullptr || d_key.dot != nullptr; }
  AttentionExtents extents() const;
};

/// Attention of f32 among the ops of a block (not of its ops' regions), if nothing else uses what the kernels do not
/// keep.
std::vector<WrittenAttention> find_attention(const ir::Block& block);

}  // namespace cornu::inline v0::transform
