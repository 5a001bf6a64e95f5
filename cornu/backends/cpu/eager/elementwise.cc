#include <algorithm>
#include <utility>

#include "cornu/backends/cpu/eager/steps.h"
#include "cornu/base/check.h"
#include "cornu/base/divide_up.h"
#include "cornu/base/thread_pool.h"

namespace cornu::inline v0::backends::cpu::eager {

bool View::is_row_major() const {
  std::int64_t stride = 1;
  for (std::size_t d = dims.size(); d-- > 0;) {
    if (dims[d] != 1 && strides[d] != stride) return false;
    stride *= dims[d];
  }
  return true;
}

std::int64_t View::num_elements() const {
  std::int64_t n = 1;
  for (const std::int64_t extent : dims) n *= extent;
  return n;
}

Loops Loops::of(const ir::Dims& dims, std::vector<ir::Dims> strides) {
  Loops loops;
  loops.strides.resize(strides.size());
  for (std::size_t d = 0; d < dims.size(); ++d) {
    if (dims[d] == 1) continue;
    bool joins = !loops.extents.empty();
    for (std::size_t t = 0; joins && t < strides.size(); ++t)
      joins = loops.strides[t].back() == strides[t][d] * dims[d];
    if (joins) {
      loops.extents.back() *= dims[d];
      for (std::size_t t = 0; t < strides.size(); ++t) loops.strides[t].back() = strides[t][d];
    } else {
      loops.extents.push_back(dims[d]);
      for (std::size_t t = 0; t < strides.size(); ++t) loops.strides[t].push_back(strides[t][d]);
    }
  }
  return loops;
}

namespace {

constexpr std::int64_t kResultsPerSlice = 32 * 1024;
constexpr std::size_t kMaxPlaces = 96;  // a step's inputs and outputs

class ElementwiseStep final : public Step {
 public:
  ElementwiseStep(const std::vector<View>& inputs, const std::vector<View>& outputs,
                  Instructions instructions)
      : instructions_(std::move(instructions)) {
    CORNU_CHECK(inputs.size() + outputs.size() <= kMaxPlaces, "{} places", inputs.size() + outputs.size());
    std::vector<ir::Dims> strides;
    for (const std::vector<View>* views : {&inputs, &outputs}) {
      for (const View& view : *views) {
        strides.push_back(view.strides);
        const auto bytes = static_cast<std::int64_t>(view.element_bytes);
        slots_.push_back(view.slot);
        offset_bytes_.push_back(view.offset * bytes);
        element_bytes_.push_back(bytes);
      }
    }
    const Loops loops = Loops::of(outputs[0].dims, strides);
    extents_ = loops.extents;
    if (!extents_.empty()) {
      length_ = extents_.back();
      extents_.pop_back();
    }
    for (std::size_t place = 0; place < slots_.size(); ++place) {
      inner_.push_back(loops.strides[place].empty() ? 0 : loops.strides[place].back());
      outer_bytes_.emplace_back();
      for (std::size_t d = 0; d < extents_.size(); ++d)
        outer_bytes_[place].push_back(loops.strides[place][d] * element_bytes_[place]);
    }
    for (const std::int64_t extent : extents_) num_rows_ *= extent;
    // Slices follow from the shape alone.
    const std::int64_t work = num_rows_ * length_ * static_cast<std::int64_t>(instructions_.size());
    if (work >= 2 * kResultsPerSlice) {
      const std::int64_t wanted = work / kResultsPerSlice;
      const std::int64_t units = num_rows_ > 1 ? num_rows_ : divide_up(length_, kUnit);
      per_slice_ = (units + std::min(wanted, units) - 1) / std::min(wanted, units);
      num_slices_ = divide_up(units, per_slice_);
    }
  }

  void run(const Run& run) const override {
    if (num_rows_ * length_ == 0) return;
    if (num_slices_ == 1) return run_rows(run.slots, 0, num_rows_, 0, length_);
    struct Work {
      const ElementwiseStep* step;
      std::byte* const* slots;
    } work{this, run.slots};
    run.pool->parallel_for(
        num_slices_,
        [](void* data, std::int64_t slice) {
          const auto [step, slots] = *static_cast<const Work*>(data);
          const std::int64_t begin = slice * step->per_slice_, end = begin + step->per_slice_;
          if (step->num_rows_ > 1) {
            step->run_rows(slots, begin, std::min(end, step->num_rows_), 0, step->length_);
          } else {
            step->run_rows(slots, 0, 1, begin * kUnit, std::min(end * kUnit, step->length_));
          }
        },
        &work);
  }

 private:
  static constexpr std::int64_t kUnit = 512;  // elements; slices of one row begin at multiples

  void run_rows(std::byte* const* slots, std::int64_t row_begin, std::int64_t row_end, std::int64_t begin,
                std::int64_t end) const {
    const std::byte* bases[kMaxPlaces];
    const std::size_t num_places = slots_.size();
    for (std::size_t p = 0; p < num_places; ++p)
      bases[p] = slots[slots_[p]] + offset_bytes_[p] + begin * inner_[p] * element_bytes_[p];
    if (extents_.empty()) return instructions_.run(end - begin, bases, inner_.data(), element_bytes_.data());
    constexpr std::size_t kMaxAxes = 64;  // each of two elements or more
    std::int64_t index[kMaxAxes];
    std::int64_t rest = row_begin;
    for (std::size_t d = extents_.size(); d-- > 0;) {
      index[d] = rest % extents_[d];
      rest /= extents_[d];
      for (std::size_t p = 0; p < num_places; ++p) bases[p] += index[d] * outer_bytes_[p][d];
    }
    for (std::int64_t row = row_begin;;) {
      instructions_.run(end - begin, bases, inner_.data(), element_bytes_.data());
      if (++row == row_end) return;
      for (std::size_t d = extents_.size(); d-- > 0;) {
        const bool wraps = ++index[d] == extents_[d];
        const std::int64_t moved = wraps ? 1 - extents_[d] : 1;
        for (std::size_t p = 0; p < num_places; ++p) bases[p] += moved * outer_bytes_[p][d];
        if (!wraps) break;
        index[d] = 0;
      }
    }
  }

  Instructions instructions_;
  // By place.
  std::vector<int> slots_;
  std::vector<std::int64_t> offset_bytes_, element_bytes_, inner_;
  std::vector<std::vector<std::int64_t>> outer_bytes_;
  ir::Dims extents_;  // without the last
  std::int64_t length_ = 1, num_rows_ = 1;
  std::int64_t per_slice_ = 1, num_slices_ = 1;
};

class ClosureStep final : public Step {
 public:
  explicit ClosureStep(std::function<void(const Run&)> function) : function_(std::move(function)) {}
  void run(const Run& run) const override { function_(run); }

 private:
  std::function<void(const Run&)> function_;
};

}  // namespace

std::unique_ptr<Step> make_elementwise_step(const std::vector<View>& inputs, const std::vector<View>& outputs,
                                            Instructions instructions) {
  return std::make_unique<ElementwiseStep>(inputs, outputs, std::move(instructions));
}

std::unique_ptr<Step> make_step(std::function<void(const Run&)> run) {
  return std::make_unique<ClosureStep>(std::move(run));
}

}  // namespace cornu::inline v0::backends::cpu::eager
