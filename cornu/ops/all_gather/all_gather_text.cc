#include "cornu/ops/collectives.h"
#include "cornu/ops/op_texts.h"

namespace cornu::inline v0::ops::all_gather_folder {
namespace {

ir::Attributes read_attributes(ir::OpAttributes& text) {
  ir::Attributes attributes = read_groups(text);
  attributes.set("all_gather_dim", text.integer({"all_gather_dim"}));
  return attributes;
}

}  // namespace

std::span<const ir::OpText> op_texts() {
  static constexpr ir::OpText rows[] = {{.name = "all_gather", .read_attributes = &read_attributes}};
  return rows;
}

}  // namespace cornu::inline v0::ops::all_gather_folder
