#include "cornu/ops/collectives.h"
#include "cornu/ops/op_texts.h"

namespace cornu::inline v0::ops::collective_permute_folder {
namespace {

ir::Attributes read_attributes(ir::OpAttributes& text) {
  return {{"source_target_pairs", text.literal({"source_target_pairs"})}, {"channel_id", read_channel(text)}};
}

}  // namespace

std::span<const ir::OpText> op_texts() {
  static constexpr ir::OpText rows[] = {{.name = "collective_permute", .read_attributes = &read_attributes}};
  return rows;
}

}  // namespace cornu::inline v0::ops::collective_permute_folder
