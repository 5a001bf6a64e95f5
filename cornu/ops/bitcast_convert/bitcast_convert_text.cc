#include "cornu/ir/text/op_attributes.h"
#include "cornu/ops/op_texts.h"

namespace cornu::inline v0::ops::bitcast_convert_folder {
namespace {

ir::Attributes read_attributes(ir::OpAttributes& text) { return {{{"dtype", text.result_type().dtype}}}; }

}  // namespace

std::span<const ir::OpText> op_texts() {
  static constexpr ir::OpText rows[] = {{.name = "bitcast_convert", .read_attributes = &read_attributes}};
  return rows;
}

}  // namespace cornu::inline v0::ops::bitcast_convert_folder
