#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cornu/data/element.h"
#include "cornu/tensor/ops/types.h"
#include "cornu/tensor/tensor.h"

/// Code shared by the layers that map texts and integers to indices on the host; not part of the interface.
namespace cornu::inline v0::keras::layers {

enum class CategoryMode { kInt, kOneHot, kMultiHot, kCount, kTfIdf };

/// nullopt for an unknown name; "binary" and "tf-idf" are Keras's old names.
std::optional<CategoryMode> category_mode_named(const std::string& name);

/// The index of a dropped term, beyond every vocabulary.
inline constexpr std::int64_t kDropped = std::numeric_limits<std::int64_t>::max();

/// The conversion of indices to a layer's result.
struct CategoryEncoder {
  const char* op;  // for errors: "string_lookup"
  CategoryMode mode = CategoryMode::kInt;
  std::int64_t depth = 0;
  DType dtype = DType::kI64;  // of the result; float32 with kTfIdf
  std::span<const float> idf_weights = {};

  /// Encodes a block of indices of this shape. Errors: InvalidArgument for more than two axes, except with
  /// kInt and kOneHot.
  Tensor operator()(std::vector<std::int64_t> numbers, Dims shape) const;
  /// Returns a vector for each row; row i has the indices numbers[row_splits[i]] .. numbers[row_splits[i +
  /// 1]]. Not for kInt.
  Tensor rows(std::span<const std::int64_t> numbers, std::span<const std::int64_t> row_splits) const;
};

/// Encodes an element. `numbers_of(leaf)` returns the indices of texts or of a tensor; ragged rows stay
/// ragged with kInt.
/// Errors: InvalidArgument for a structure, and, except with kInt, for ragged rows within ragged rows.
data::Element encode_element(
    const data::Element& input, const CategoryEncoder& encoder,
    const std::function<std::vector<std::int64_t>(const data::Element&)>& numbers_of);

/// Visits the argument of adapt(): batches if it is a list of elements, else an array whose items are rows.
template <typename See>
void see_given(const data::Element& given, See&& see) {
  if (!given.is_structure()) return see(given, true);
  for (const data::Element& batch : given.parts()) see(batch, false);
}

/// The shape of texts, strings, a number or a tensor.
Dims leaf_shape(const data::Element& leaf);
/// The integers of a number or a tensor; floating-point ones are truncated. Errors: InvalidArgument, naming
/// `op`.
std::vector<std::int64_t> integers_of(const char* op, const data::Element& leaf);
/// Calls `f` with each text of texts or strings. Errors: InvalidArgument, naming `op`, for other elements.
void for_each_text(const char* op, const data::Element& leaf, const std::function<void(std::string_view)>& f);

/// The key of an option `salt`: one number for both halves, or two. Errors: InvalidArgument.
std::optional<std::array<std::uint64_t, 2>> salt_of(const char* op, const ops::OptionalIntOrInts& salt);

}  // namespace cornu::inline v0::keras::layers
