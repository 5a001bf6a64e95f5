#include "cornu/ir/text/op_attributes.h"
#include "cornu/ops/op_texts.h"

namespace cornu::inline v0::ops::slice_folder {
namespace {

ir::Attributes read_attributes(ir::OpAttributes& text) {
  if (text.loose().empty())
    return {{"start_indices", text.integers({"start_indices"})},
            {"limit_indices", text.integers({"limit_indices"})},
            {"strides", text.integers({"strides"})}};
  ir::Dims start, limit, strides;  // the short form: %0 [0:5:2, 1:3]
  for (const ir::text::Syntax& range : text.loose()[0].items) {
    if (range.integers.size() != 2 && range.integers.size() != 3)
      text.fail(range.begin, "a range is start:limit or start:limit:stride");
    start.push_back(range.integers[0]);
    limit.push_back(range.integers[1]);
    strides.push_back(range.integers.size() == 3 ? range.integers[2] : 1);
  }
  return {{"start_indices", start}, {"limit_indices", limit}, {"strides", strides}};
}

}  // namespace

std::span<const ir::OpText> op_texts() {
  static constexpr ir::OpText rows[] = {{.name = "slice", .read_attributes = &read_attributes}};
  return rows;
}

}  // namespace cornu::inline v0::ops::slice_folder
