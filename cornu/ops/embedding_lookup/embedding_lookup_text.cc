#include "cornu/ops/op_texts.h"

namespace cornu::inline v0::ops::embedding_lookup_folder {
std::span<const ir::OpText> op_texts() {
  static constexpr ir::OpText rows[] = {
      {.name = "cornu.embedding_lookup", .min_operands = 2, .max_operands = 2},
      {.name = "cornu.embedding_lookup_gradient", .min_operands = 2, .max_operands = 2}};
  return rows;
}

}  // namespace cornu::inline v0::ops::embedding_lookup_folder
