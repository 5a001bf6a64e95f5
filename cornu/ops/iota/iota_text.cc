#include "cornu/ir/text/op_attributes.h"
#include "cornu/ops/op_texts.h"

namespace cornu::inline v0::ops::iota_folder {
namespace {

ir::Attributes read_attributes(ir::OpAttributes& text) {
  return {{"dims", text.result_type().dims},
          {"dtype", text.result_type().dtype},
          {"iota_dimension", text.integer({"iota_dimension", "dim"})}};
}

}  // namespace

std::span<const ir::OpText> op_texts() {
  static constexpr ir::OpText rows[] = {{.name = "iota", .read_attributes = &read_attributes}};
  return rows;
}

}  // namespace cornu::inline v0::ops::iota_folder
