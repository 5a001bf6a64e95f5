#pragma once

#include <optional>
#include <utility>

#include "cornu/ir/graph.h"

/// The products that attention consists of, whatever the order of their dimensions. Dimensions of extent 1 do not count:
/// "dimension n" is the n-th of the others.
namespace cornu::inline v0::transform {

/// The extents that are not 1.
ir::Dims wide_extents(const ir::Dims& dims);
/// Those of `list`, dimensions of `dims`, whose extent is not 1, counted among such.
ir::Dims wide_dimensions(const ir::Dims& list, const ir::Dims& dims);
/// All that count: 0, 1, ...
ir::Dims wide_dimensions(ir::Value value);

/// The value under transposes and reshapes that only add or drop dimensions of extent 1, and the dimension of it that each
/// of the dimensions `order` of `value` is.
std::pair<ir::Value, ir::Dims> under_views(ir::Value value, ir::Dims order);

/// The value that is repeated along one dimension, and this dimension; nothing if `value` is something else.
std::optional<std::pair<ir::Value, std::int64_t>> spread_value(ir::Value value);

/// An operand of a product: matrices of steps by features, one for each element of the scores' batch.
struct AttentionMatrix {
  const ir::Op* dot = nullptr;
  std::size_t operand = 0;  // its number
  ir::Dims order = {};      // its dimensions: those of the scores' batch in their order, steps, features

  ir::Value value() const;
  /// The extents in that order.
  ir::Dims dims() const;
};

bool are_same(const AttentionMatrix& x, const AttentionMatrix& y);

/// A product of scores or weights with a matrix; `dot` is null if the program needs none.
struct AttentionProduct {
  const ir::Op* dot = nullptr;
  ir::Dims order = {};  // its result's dimensions, as in AttentionMatrix
};

/// The dimensions of scores.
struct AttentionAxes {
  ir::Dims batch;
  std::int64_t query = 0, key = 0;
};

/// The dimensions of `products`, of which `key` is that of keys; nothing if they are no products of two matrices.
std::optional<AttentionAxes> axes_of(ir::Value products, std::int64_t key);

struct AttentionFactors {
  AttentionMatrix query, key;
};

/// The factors of products with these dimensions: rows for queries and for keys.
std::optional<AttentionFactors> factors_of(ir::Value products, const AttentionAxes& axes);

/// A product of scores or weights with a matrix.
struct AttentionMix {
  AttentionMatrix matrix;
  AttentionProduct product;
  bool is_over_keys = false;  // else over queries
};

/// `product` as that of `scores` with a matrix; nothing if it is something else.
std::optional<AttentionMix> mix_of(const ir::Op& product, ir::Value scores, const AttentionAxes& axes);

}  // namespace cornu::inline v0::transform
