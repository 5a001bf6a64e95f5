#include "cornu/ops/collectives.h"
#include "cornu/ops/op_texts.h"

namespace cornu::inline v0::ops::all_to_all_folder {
namespace {

ir::Attributes read_attributes(ir::OpAttributes& text) {
  ir::Attributes attributes = read_groups(text);
  for (const char* const name : {"split_dimension", "concat_dimension", "split_count"})
    attributes.set(name, text.integer({name}));
  return attributes;
}

}  // namespace

std::span<const ir::OpText> op_texts() {
  static constexpr ir::OpText rows[] = {{.name = "all_to_all", .read_attributes = &read_attributes}};
  return rows;
}

}  // namespace cornu::inline v0::ops::all_to_all_folder
