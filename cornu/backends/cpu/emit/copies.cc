#include <algorithm>
#include <bit>

#include "cornu/backends/cpu/emit/group_emitter.h"

// Loops that only copy elements.
namespace cornu::inline v0::backends::cpu {
namespace {

std::vector<int> interleaving(std::size_t lanes, bool high) {
  std::vector<int> indices;
  for (std::size_t i = 0; i < lanes; ++i)
    indices.push_back(static_cast<int>((high ? lanes / 2 : 0) + i / 2 + (i % 2 == 0 ? 0 : lanes)));
  return indices;
}

/// Transposes a square of as many vectors as they have lanes: rounds that interleave the first half of the vectors with
/// the second.
std::vector<llvm::Value*> transposed(llvm::IRBuilderBase& b, std::vector<llvm::Value*> rows) {
  const std::size_t count = rows.size();
  const std::vector<int> low = interleaving(count, false), high = interleaving(count, true);
  for (std::size_t size = 1; size < count; size *= 2) {
    std::vector<llvm::Value*> next;
    for (std::size_t i = 0; i < count / 2; ++i)
      for (const std::vector<int>* half : {&low, &high})
        next.push_back(b.CreateShuffleVector(rows[i], rows[i + count / 2], *half));
    rows = std::move(next);
  }
  return rows;
}

}  // namespace

/// True if the loops compute nothing. Their elements are moved as bits then.
bool GroupEmitter::only_copies() const {
  const std::vector<Node>& nodes = expression_.nodes();
  return sums_.empty() && !store_nodes_.empty() &&
         std::all_of(nodes.begin(), nodes.end(),
                     [](const Node& node) {
                       return node.kind == Node::Kind::kLoad && node.address.dynamic.empty();
                     }) &&
         std::all_of(store_addresses_.begin(), store_addresses_.end(),
                     [](const Address& address) { return address.dynamic.empty(); });
}

ir::DType GroupEmitter::moved_as(ir::DType dtype) const {
  if (!moves_bits_) return dtype;
  if (dtype == ir::DType::kI1) return ir::DType::kU8;
  return is_half(dtype) ? ir::DType::kU16 : dtype;
}

/// The lanes of a copy: whole vectors of small elements too, where all lanes are side by side and masks cost nothing.
int GroupEmitter::widest_copy() const {
  std::size_t most_bytes = 4;
  if (!moves_bits_ || loops_.empty() || target_.isa != IsaLevel::kAvx512) return target_.lanes;
  const std::size_t dimension = loops_.back().dimensions.back();
  std::size_t size = 1;
  for (const Node& node : expression_.nodes()) {
    const std::int64_t stride = node.address.position.coefficients[dimension];
    if (stride != 0 && stride != 1) return target_.lanes;
    size = std::max(size, ir::size_bytes(node.value.dtype()));
  }
  for (const Address& address : store_addresses_)
    if (address.position.coefficients[dimension] != 1) return target_.lanes;
  return target_.lanes * static_cast<int>(std::max(most_bytes / size, std::size_t{1}));
}

/// Emits a copy whose source runs along another loop than its result: squares of vectors, transposed in registers. The last
/// squares of a slice overlap those before. False: the loops have no such form.
bool GroupEmitter::emit_transposed_copy() {
  if (!moves_bits_ || store_nodes_.size() != 1 || loops_.size() < 2) return false;
  const Node& source = expression_.nodes()[static_cast<std::size_t>(store_nodes_[0])];
  const Affine &from = source.address.position, &to = store_addresses_[0].position;
  const auto stride_of = [&](const Affine& affine, std::size_t level) {
    return affine.coefficients[loops_[level].dimensions.back()];
  };
  const std::size_t columns = loops_.size() - 1;
  std::size_t rows = columns;
  for (std::size_t l = 0; l < columns; ++l)
    if (stride_of(from, l) == 1) rows = l;
  if (rows == columns || stride_of(to, columns) != 1 || stride_of(from, columns) <= 1) return false;
  const std::size_t size = ir::size_bytes(source.value.dtype());
  std::int64_t side = size > 4 ? target_.lanes / 2 : target_.lanes;
  for (const std::size_t l : {rows, columns})
    side = std::min(side,
                    static_cast<std::int64_t>(std::bit_floor(static_cast<std::uint64_t>(loops_[l].extent))));
  // Lanes that are near are read faster by the few vectors that they are in.
  const std::int64_t least_side = stride_of(from, columns) <= most_parts() ? target_.lanes : 4;
  if (side < least_side || source.buffer == group_.stores[0].buffer) return false;
  split_outermost(side);
  if (group_.chain && chunk_ < side && rows == 0) return false;
  set_levels();
  llvm::Type* const element = memory_type(context_, moved_as(source.value.dtype()));
  const llvm::Align align(size);
  llvm::Value *const in = buffer_base(source.buffer), *const out = buffer_base(group_.stores[0].buffer);
  const auto square = [&] {
    const auto at = [&](llvm::Value* base, const Address& address, std::int64_t offset) {
      llvm::Value* const position = builder_.CreateAdd(position_of(address), integer(offset));
      return builder_.CreateInBoundsGEP(element, base, position);
    };
    std::vector<llvm::Value*> vectors;
    for (std::int64_t i = 0; i < side; ++i)
      vectors.push_back(
          builder_.CreateAlignedLoad(llvm::FixedVectorType::get(element, static_cast<unsigned>(side)),
                                     at(in, source.address, i * stride_of(from, columns)), align));
    vectors = transposed(builder_, std::move(vectors));
    for (std::int64_t i = 0; i < side; ++i)
      builder_.CreateAlignedStore(vectors[static_cast<std::size_t>(i)],
                                  at(out, store_addresses_[0], i * stride_of(to, rows)), align);
  };
  open_squares(0, rows, side, square);
  return true;
}

void GroupEmitter::open_squares(std::size_t level, std::size_t rows, std::int64_t side, const Body& square) {
  if (level == loops_.size()) return square();
  const auto [begin, end] = bounds_of(level);
  const bool is_side = level == rows || level + 1 == loops_.size();
  counted_loop(begin, end, is_side ? side : 1, [&, last = end](llvm::Value* index) {
    if (is_side)
      index = builder_.CreateBinaryIntrinsic(llvm::Intrinsic::smin, index,
                                             builder_.CreateSub(last, integer(side)));
    loop_index_[level] = index;
    open_squares(level + 1, rows, side, square);
  });
}

}  // namespace cornu::inline v0::backends::cpu
