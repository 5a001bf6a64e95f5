#include "cornu/ir/text/op_attributes.h"
#include "cornu/ops/op_texts.h"

namespace cornu::inline v0::ops::reshape_folder {
namespace {

ir::Attributes read_attributes(ir::OpAttributes& text) { return {{{"dims", text.result_type().dims}}}; }

}  // namespace

std::span<const ir::OpText> op_texts() {
  static constexpr ir::OpText rows[] = {{.name = "reshape", .read_attributes = &read_attributes}};
  return rows;
}

}  // namespace cornu::inline v0::ops::reshape_folder
