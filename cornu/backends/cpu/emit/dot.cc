#include <llvm/IR/Intrinsics.h>

#include <algorithm>
#include <bit>
#include <cmath>

#include "cornu/backends/cpu/emit/group_emitter.h"
#include "cornu/base/check.h"
#include "cornu/base/divide_up.h"

namespace cornu::inline v0::backends::cpu {
namespace {

constexpr std::int64_t kUnrolledContraction = 8;  // contractions up to this length are straight code
constexpr std::int64_t kMaxBlockRows = 10;
constexpr std::int64_t kMaxPreloaded = 8;  // registers

/// The largest divisor of n up to `most` if there is a good one, else `most`.
std::int64_t block_size(std::int64_t n, std::int64_t most) {
  most = std::max<std::int64_t>(1, std::min(n, most));
  for (std::int64_t size = most; size * 2 > most; --size)
    if (n % size == 0) return size;
  return most;
}

/// A rough count of cycles with vectors along one axis and scalars of the other tensor along `num_rows`:
/// gathers and scatters cost about a cycle a lane, everything else half a cycle a register.
double dot_cycles(const Target& target, const DotAxis& vectors, std::int64_t load_stride,
                  std::int64_t num_rows, double length) {
  const auto extent = static_cast<double>(vectors.extent);
  const double lanes = std::min<double>(
      target.lanes, static_cast<double>(std::bit_ceil(static_cast<std::uint64_t>(vectors.extent))));
  const double passes = std::ceil(extent / lanes);
  const double rows = static_cast<double>(num_rows);
  const double row_blocks = std::ceil(rows / static_cast<double>(kMaxBlockRows));
  const double strided = 1.2 * lanes;
  return passes * (length * row_blocks * (load_stride == 1 ? 0.5 : strided) + rows * length * 0.5 +
                   rows * (vectors.c == 1 ? 1.0 : strided));
}

}  // namespace

void GroupEmitter::emit_dot_group() {
  DotShape dot = dot_shape(plan_, group_);
  contracting_ = dot.contracting;
  std::vector<DotAxis> outer = dot.batch, m = dot.rows, n = dot.columns;
  if (m.empty()) m.emplace_back();
  if (n.empty()) n.emplace_back();

  // Vectors run along n, or along m (the transposed product), whichever costs less.
  double length = 1;
  for (const DotAxis& axis : contracting_) length *= static_cast<double>(axis.extent);
  auto cost = [&](const DotAxis& vectors, std::int64_t load_stride, const DotAxis& rows) {
    return dot_cycles(target_, vectors, load_stride, rows.extent, length);
  };
  const bool transposed = cost(m.back(), m.back().a, n.back()) < cost(n.back(), n.back().b, m.back());
  dot_buffers_ = {dot.a.buffer, dot.b.buffer, dot.c_buffer};
  if (transposed) {
    std::swap(m, n);
    std::swap(dot.a, dot.b);
    std::swap(dot_buffers_[0], dot_buffers_[1]);
    for (auto* axes : {&outer, &m, &n, &contracting_})
      for (DotAxis& axis : *axes) std::swap(axis.a, axis.b);
  }
  rows_ = m.back();
  columns_ = n.back();
  m.pop_back();
  n.pop_back();
  outer.insert(outer.end(), m.begin(), m.end());
  outer.insert(outer.end(), n.begin(), n.end());

  choose_dot_blocks(outer);
  const bool split_outer = num_slices_ > 1 && !outer.empty();
  std::function<void(std::size_t, llvm::Value*, llvm::Value*, llvm::Value*)> open =
      [&](std::size_t level, llvm::Value* pa, llvm::Value* pb, llvm::Value* pc) {
        if (level == outer.size()) return emit_dot_rows(pa, pb, pc);
        llvm::Value* begin = integer(0);
        llvm::Value* end = integer(outer[level].extent);
        if (level == 0 && split_outer) {
          begin = builder_.CreateMul(slice_, integer(chunk_));
          end = builder_.CreateBinaryIntrinsic(llvm::Intrinsic::smin,
                                               builder_.CreateAdd(begin, integer(chunk_)), end);
        }
        counted_loop(begin, end, 1, [&](llvm::Value* i) {
          auto moved = [&](llvm::Value* p, std::int64_t stride) {
            return stride == 0 ? p : builder_.CreateAdd(p, builder_.CreateMul(i, integer(stride)));
          };
          open(level + 1, moved(pa, outer[level].a), moved(pb, outer[level].b), moved(pc, outer[level].c));
        });
      };
  open(0, integer(dot.a.constant), integer(dot.b.constant), integer(0));
}

/// Chooses the size of blocks and the dimension that slices share: the first outer axis if there is one,
/// otherwise blocks of rows.
void GroupEmitter::choose_dot_blocks(const std::vector<DotAxis>& outer) {
  lanes_ = static_cast<int>(std::min<std::int64_t>(
      target_.lanes, static_cast<std::int64_t>(std::bit_ceil(static_cast<std::uint64_t>(columns_.extent)))));
  const std::int64_t max_vectors = target_.registers >= 32 ? 4 : 2;
  const std::int64_t num_vectors =
      std::min<std::int64_t>(max_vectors, (columns_.extent + lanes_ - 1) / lanes_);
  block_columns_ = num_vectors * lanes_;
  const std::int64_t accumulators = target_.registers - target_.registers / 4;
  block_rows_ = block_size(rows_.extent, std::min(kMaxBlockRows, accumulators / num_vectors));
  if (group_.num_slices > 1) {
    const std::int64_t extent = !outer.empty() ? outer[0].extent : rows_.extent;
    const std::int64_t unit = !outer.empty() ? 1 : block_rows_;
    chunk_ = ((extent + group_.num_slices - 1) / group_.num_slices + unit - 1) / unit * unit;
    num_slices_ = std::max<std::int64_t>(1, divide_up(extent, chunk_));
  }
  split_rows_ = num_slices_ > 1 && outer.empty();
}

/// Walks the result in blocks, columns outside so that a block of b stays in the cache over all rows.
void GroupEmitter::emit_dot_rows(llvm::Value* a, llvm::Value* b, llvm::Value* c) {
  auto moved = [&](llvm::Value* p, llvm::Value* i, std::int64_t stride) {
    return stride == 0 ? p : builder_.CreateAdd(p, builder_.CreateMul(i, integer(stride)));
  };
  std::int64_t length = 1;
  for (const DotAxis& axis : contracting_) length *= axis.extent;
  auto rows = [&](llvm::Value* pb, llvm::Value* pc, std::int64_t num_columns) {
    // A few registers of b that are costly to gather are loaded once for all rows.
    preloaded_.clear();
    const std::int64_t num_registers = length * divide_up(num_columns, lanes_);
    if (columns_.b != 1 && num_registers <= kMaxPreloaded && length <= kUnrolledContraction)
      preload(0, pb, num_columns);
    auto block = [&](llvm::Value* row, std::int64_t num_rows) {
      emit_dot_block({moved(a, row, rows_.a), pb, moved(pc, row, rows_.c), num_rows, num_columns});
    };
    const std::int64_t full = rows_.extent / block_rows_ * block_rows_;
    if (split_rows_) {
      llvm::Value* begin = builder_.CreateMul(slice_, integer(chunk_));
      llvm::Value* end = builder_.CreateBinaryIntrinsic(
          llvm::Intrinsic::smin, builder_.CreateAdd(begin, integer(chunk_)), integer(rows_.extent));
      llvm::Value* full_end = builder_.CreateBinaryIntrinsic(llvm::Intrinsic::smin, end, integer(full));
      counted_loop(begin, full_end, block_rows_, [&](llvm::Value* row) { block(row, block_rows_); });
      if (full != rows_.extent)
        counted_loop(builder_.CreateBinaryIntrinsic(llvm::Intrinsic::smax, begin, integer(full)), end,
                     rows_.extent - full, [&](llvm::Value* row) { block(row, rows_.extent - full); });
      return;
    }
    if (full == block_rows_)
      block(integer(0), block_rows_);
    else
      counted_loop(integer(0), integer(full), block_rows_,
                   [&](llvm::Value* row) { block(row, block_rows_); });
    if (full != rows_.extent) block(integer(full), rows_.extent - full);
  };
  const std::int64_t full_columns = columns_.extent / block_columns_ * block_columns_;
  if (full_columns == block_columns_)
    rows(b, c, block_columns_);
  else if (full_columns > 0)
    counted_loop(integer(0), integer(full_columns), block_columns_, [&](llvm::Value* column) {
      rows(moved(b, column, columns_.b), moved(c, column, columns_.c), block_columns_);
    });
  if (full_columns != columns_.extent)
    rows(moved(b, integer(full_columns), columns_.b), moved(c, integer(full_columns), columns_.c),
         columns_.extent - full_columns);
}

/// The registers of b for one step of the contraction.
std::vector<llvm::Value*> GroupEmitter::load_columns(llvm::Value* b, std::int64_t num_columns) {
  const ir::DType dtype = group_.op->result().dtype();
  std::vector<llvm::Value*> out;
  for (std::int64_t column = 0; column < num_columns; column += lanes_) {
    if (num_columns - column < lanes_) mask_ = masked_by_end(integer(column), integer(num_columns));
    const bool vector = lanes_ > 1 && columns_.b != 0;
    llvm::Value* position = column == 0 ? b : builder_.CreateAdd(b, integer(column * columns_.b));
    llvm::Value* value = load_at(buffer_base(dot_buffers_[1]), position, columns_.b, vector, dtype);
    out.push_back(vector ? value : splat(value));
    mask_ = nullptr;
  }
  return out;
}

void GroupEmitter::preload(std::size_t level, llvm::Value* b, std::int64_t num_columns) {
  if (level == contracting_.size()) {
    preloaded_.push_back(load_columns(b, num_columns));
    return;
  }
  for (std::int64_t k = 0; k < contracting_[level].extent; ++k)
    preload(level + 1, k == 0 ? b : builder_.CreateAdd(b, integer(k * contracting_[level].b)), num_columns);
}

/// sum + left * right, of one register each.
llvm::Value* GroupEmitter::multiply_add(llvm::Value* left, llvm::Value* right, llvm::Value* sum) {
  const ir::DType dtype = group_.op->result().dtype();
  if (dtype == ir::DType::kI1) return builder_.CreateOr(sum, builder_.CreateAnd(left, right));
  if (!ir::is_float(dtype)) return builder_.CreateAdd(sum, builder_.CreateMul(left, right));
  if (!target_.has_fma) return builder_.CreateFAdd(sum, builder_.CreateFMul(left, right));
  return builder_.CreateIntrinsic(llvm::Intrinsic::fma, {sum->getType()}, {left, right, sum});
}

/// Calls `step` with the positions in a and b for each step of the contraction, from its axis `level` on.
void GroupEmitter::emit_contraction(std::size_t level, llvm::Value* a, llvm::Value* b, bool unrolled,
                                    const std::function<void(llvm::Value*, llvm::Value*)>& step) {
  if (level == contracting_.size()) return step(a, b);
  const DotAxis& axis = contracting_[level];
  if (!unrolled) {
    counted_loop(integer(0), integer(axis.extent), 1, [&](llvm::Value* k) {
      emit_contraction(level + 1, builder_.CreateAdd(a, builder_.CreateMul(k, integer(axis.a))),
                       builder_.CreateAdd(b, builder_.CreateMul(k, integer(axis.b))), unrolled, step);
    });
    return;
  }
  auto moved = [&](llvm::Value* p, std::int64_t offset) {
    return offset == 0 ? p : builder_.CreateAdd(p, integer(offset));
  };
  for (std::int64_t k = 0; k < axis.extent; ++k)
    emit_contraction(level + 1, moved(a, k * axis.a), moved(b, k * axis.b), unrolled, step);
}

/// True for rows of one column whose contraction runs through both operands element by element: it has the lanes.
bool GroupEmitter::contracts_in_lanes() const {
  constexpr std::int64_t kFewestTerms = 16;
  const ir::Op& op = *group_.op;
  const ir::DType dtype = op.result().dtype();
  if ((dtype != ir::DType::kF32 && dtype != ir::DType::kF64) || op.operand(0).dtype() != dtype ||
      op.operand(1).dtype() != dtype || columns_.extent != 1 || contracting_.size() != 1)
    return false;
  const DotAxis& terms = contracting_[0];
  return terms.a == 1 && terms.b == 1 && terms.extent >= kFewestTerms;
}

/// One block of a single column: a register of partial sums for each row.
void GroupEmitter::emit_dot_lanes(const DotBlock& block) {
  const ir::DType dtype = group_.op->result().dtype();
  const std::int64_t length = contracting_[0].extent;
  lanes_ = target_.lanes * 4 / static_cast<int>(ir::size_bytes(dtype));
  llvm::Type* const type = register_type(context_, dtype, lanes_);
  std::vector<llvm::Value*> slots;
  for (std::int64_t r = 0; r < block.num_rows; ++r) {
    slots.push_back(stack_slot(type));
    builder_.CreateStore(llvm::Constant::getNullValue(type), slots.back());
  }
  const auto step = [&](llvm::Value* k) {
    llvm::Value* const right =
        load_at(buffer_base(dot_buffers_[1]), builder_.CreateAdd(block.b, k), 1, true, dtype);
    for (std::int64_t r = 0; r < block.num_rows; ++r) {
      llvm::Value* const at = builder_.CreateAdd(builder_.CreateAdd(block.a, k), integer(r * rows_.a));
      llvm::Value* const left = load_at(buffer_base(dot_buffers_[0]), at, 1, true, dtype);
      llvm::Value* const slot = slots[static_cast<std::size_t>(r)];
      builder_.CreateStore(multiply_add(left, right, builder_.CreateLoad(type, slot)), slot);
    }
  };
  const std::int64_t full = length / lanes_ * lanes_;
  counted_loop(integer(0), integer(full), lanes_, step);
  if (full != length) {
    mask_ = masked_by_end(integer(full), integer(length));
    step(integer(full));
    mask_ = nullptr;
  }
  for (std::int64_t r = 0; r < block.num_rows; ++r) {
    llvm::Value* sum = builder_.CreateLoad(type, slots[static_cast<std::size_t>(r)]);
    for (int width = lanes_ / 2; width >= 1; width /= 2) {
      std::vector<int> high(static_cast<std::size_t>(lanes_), -1);
      for (int i = 0; i < width; ++i) high[static_cast<std::size_t>(i)] = width + i;
      sum = builder_.CreateFAdd(sum, builder_.CreateShuffleVector(sum, high));
    }
    store_at(buffer_base(dot_buffers_[2]), builder_.CreateAdd(block.c, integer(r * rows_.c)), 0,
             builder_.CreateExtractElement(sum, std::uint64_t{0}), dtype);
  }
  lanes_ = 1;
}

/// One block: accumulators in registers, one broadcast of a and one fused multiply-add a register and row for
///            each step of the contraction.
void GroupEmitter::emit_dot_block(const DotBlock& block) {
  if (contracts_in_lanes()) return emit_dot_lanes(block);
  const ir::DType dtype = group_.op->result().dtype();
  const std::int64_t num_vectors = (block.num_columns + lanes_ - 1) / lanes_;
  llvm::Value* const tail =
      block.num_columns % lanes_ == 0
          ? nullptr
          : masked_by_end(integer((num_vectors - 1) * lanes_), integer(block.num_columns));
  llvm::Type* type = register_type(context_, dtype, lanes_);
  std::vector<llvm::Value*> slots;
  for (std::int64_t i = 0; i < block.num_rows * num_vectors; ++i) {
    slots.push_back(stack_slot(type));
    builder_.CreateStore(llvm::Constant::getNullValue(type), slots.back());
  }
  auto for_each_vector = [&](const std::function<void(std::int64_t)>& body) {
    for (std::int64_t v = 0; v < num_vectors; ++v) {
      mask_ = v + 1 == num_vectors ? tail : nullptr;
      body(v);
    }
    mask_ = nullptr;
  };
  auto moved = [&](llvm::Value* p, std::int64_t offset) {
    return offset == 0 ? p : builder_.CreateAdd(p, integer(offset));
  };
  std::size_t next_use = 0;
  auto step = [&](llvm::Value* pa, llvm::Value* pb) {
    const std::vector<llvm::Value*> right =
        preloaded_.empty() ? load_columns(pb, block.num_columns) : preloaded_[next_use++];
    for (std::int64_t r = 0; r < block.num_rows; ++r) {
      llvm::Value* left =
          splat(load_at(buffer_base(dot_buffers_[0]), moved(pa, r * rows_.a), 0, false, dtype));
      for (std::int64_t v = 0; v < num_vectors; ++v) {
        llvm::Value* slot = slots[static_cast<std::size_t>(r * num_vectors + v)];
        llvm::Value* sum = builder_.CreateLoad(type, slot);
        builder_.CreateStore(multiply_add(left, right[static_cast<std::size_t>(v)], sum), slot);
      }
    }
  };
  std::int64_t length = 1;
  for (const DotAxis& axis : contracting_) length *= axis.extent;
  if (length > 0) emit_contraction(0, block.a, block.b, length <= kUnrolledContraction, step);
  for (std::int64_t r = 0; r < block.num_rows; ++r)
    for_each_vector([&](std::int64_t v) {
      llvm::Value* sum = builder_.CreateLoad(type, slots[static_cast<std::size_t>(r * num_vectors + v)]);
      store_at(buffer_base(dot_buffers_[2]), moved(block.c, r * rows_.c + v * lanes_ * columns_.c),
               columns_.c, sum, dtype);
    });
}

}  // namespace cornu::inline v0::backends::cpu
