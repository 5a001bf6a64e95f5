#include "cornu/ir/text/op_attributes.h"
#include "cornu/ops/op_texts.h"

namespace cornu::inline v0::ops::sort_folder {
namespace {

ir::Attributes read_attributes(ir::OpAttributes& text) {
  return {{"dimension", text.integer({"dimension"}, -1)}, {"is_stable", text.boolean({"is_stable"}, false)}};
}

}  // namespace

std::span<const ir::OpText> op_texts() {
  static constexpr ir::OpText rows[] = {
      {.name = "sort", .has_regions = true, .read_attributes = &read_attributes}};
  return rows;
}

}  // namespace cornu::inline v0::ops::sort_folder
