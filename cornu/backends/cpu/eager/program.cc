#include "cornu/backends/cpu/eager/program.h"

#include <array>
#include <cstdlib>
#include <utility>

#include "cornu/backends/cpu/eager/builder.h"
#include "cornu/backends/cpu/memory/cpu_buffer.h"
#include "cornu/backends/cpu/op/cpu_op.h"
#include "cornu/base/float_environment.h"
#include "cornu/base/per_thread.h"
#include "cornu/transform/simplify.h"
#include "cornu/transform/split_complex.h"
#include "cornu/transform/widen_small_types.h"

namespace cornu::inline v0::backends::cpu::eager {
namespace {

AlignedBytes allocate(std::size_t size_bytes) {
  return allocate_uninitialized(size_bytes, "an operation's working memory");
}

/// Working memory that a thread keeps between runs.
struct KeptBytes {
  static constexpr std::size_t kSize = 256 * 1024;
  AlignedBytes bytes = allocate(kSize);
  bool in_use = false;
};

/// Working memory: the thread's, where it is enough and free.
class Temporaries {
 public:
  explicit Temporaries(std::size_t size_bytes) {
    if (size_bytes == 0) return;
    if (size_bytes > KeptBytes::kSize || PerThread<KeptBytes>::get().in_use) {
      own_ = allocate(size_bytes);
      data_ = own_.get();
      return;
    }
    borrowed_ = &PerThread<KeptBytes>::get();
    data_ = borrowed_->bytes.get();
    borrowed_->in_use = true;
  }
  ~Temporaries() {
    if (borrowed_ != nullptr) borrowed_->in_use = false;
  }
  Temporaries(const Temporaries&) = delete;
  Temporaries& operator=(const Temporaries&) = delete;
  std::byte* data() const { return data_; }

 private:
  AlignedBytes own_;
  std::byte* data_ = nullptr;
  KeptBytes* borrowed_ = nullptr;
};

class Program final : public runtime::EagerProgram {
 public:
  Program(Parts parts, std::shared_ptr<ThreadPool> pool) : parts_(std::move(parts)), pool_(std::move(pool)) {}

  void run(std::span<const std::byte* const> inputs, std::span<std::byte* const> outputs) const override {
    const FloatEnvironment environment;
    constexpr std::size_t kOnStack = 64;
    std::array<std::byte*, kOnStack> on_stack;
    std::vector<std::byte*> on_heap;
    std::byte** addresses = on_stack.data();
    if (parts_.slots.size() > kOnStack) {
      on_heap.resize(parts_.slots.size());
      addresses = on_heap.data();
    }
    const Temporaries temporaries(parts_.temporary_bytes);
    for (std::size_t i = 0; i < parts_.slots.size(); ++i) {
      const Slot& slot = parts_.slots[i];
      switch (slot.kind) {
        // Inputs and constants are only read.
        case Slot::Kind::kInput: addresses[i] = const_cast<std::byte*>(inputs[slot.index]); break;
        case Slot::Kind::kConstant:
          addresses[i] = const_cast<std::byte*>(parts_.constants[slot.index].bytes().data());
          break;
        case Slot::Kind::kOutput: addresses[i] = outputs[slot.index]; break;
        case Slot::Kind::kTemporary: addresses[i] = temporaries.data() + slot.offset_bytes; break;
      }
    }
    const Run run{addresses, pool_.get()};
    for (const std::unique_ptr<Step>& step : parts_.steps) step->run(run);
  }

  std::size_t size_bytes() const override {
    constexpr std::size_t kStepBytes = 512, kOpBytes = 1024;
    std::size_t bytes = sizeof *this + parts_.slots.size() * sizeof(Slot) + parts_.steps.size() * kStepBytes +
                        parts_.kernel_bytes;
    for (const ir::Literal& constant : parts_.constants) bytes += constant.bytes().size();
    if (parts_.function != nullptr) bytes += parts_.function->body.ops().size() * kOpBytes;
    return bytes;
  }

 private:
  Parts parts_;
  std::shared_ptr<ThreadPool> pool_;
};

}  // namespace

std::unique_ptr<runtime::EagerProgram> prepare(const ir::Function& function, const Target& target,
                                               std::shared_ptr<ThreadPool> pool, int* num_reference_ops) {
  if (const auto real = transform::split_complex(function))
    return prepare(*real, target, std::move(pool), num_reference_ops);
  if (const auto wide = transform::widen_small_types(function))
    return prepare(*wide, target, std::move(pool), num_reference_ops);
  Parts parts = Builder(transform::simplify(function, {.keep_composite = &has_group_kernel}),
                        elements::kernel_set(target.isa), target, pool->num_threads())
                    .build();
  if (num_reference_ops != nullptr) *num_reference_ops = parts.num_reference_ops;
  return std::make_unique<Program>(std::move(parts), std::move(pool));
}

}  // namespace cornu::inline v0::backends::cpu::eager
