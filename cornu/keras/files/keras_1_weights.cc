#include <algorithm>
#include <cstring>
#include <iterator>
#include <memory>
#include <utility>

#include "cornu/keras/files/old_weights_support.h"

namespace cornu::inline v0::keras::files {
namespace {

/// Arrays of one shape beside each other along the last axis.
FoundArray joined(std::vector<FoundArray> parts) {
  Dims dims = parts[0].dims;
  dims.back() *= static_cast<std::int64_t>(parts.size());
  const io::ElementType type = parts[0].type;
  return {type, dims, [parts = std::move(parts)](std::span<std::byte> destination) {
            const std::size_t size = destination.size() / parts.size(),
                              row = static_cast<std::size_t>(parts[0].dims.back()) *
                                    static_cast<std::size_t>(io::element_size_bytes(parts[0].type));
            std::vector<std::byte> bytes(size);
            for (std::size_t i = 0; i < parts.size(); ++i) {
              parts[i].read(bytes);
              for (std::size_t at = 0; at < size; at += row)
                std::memcpy(destination.data() + at * parts.size() + i * row, bytes.data() + at, row);
            }
          }};
}

/// Kernel, recurrent kernel and bias of a recurrent layer, from those of its gates: `order` are the gates of
/// the file in today's order. Null where the arrays are others.
std::vector<FoundArray> joined_gates(std::span<FoundArray> gates, std::initializer_list<std::size_t> order) {
  std::vector<FoundArray> result;
  for (std::size_t kind = 0; kind < 3; ++kind) {
    std::vector<FoundArray> parts;
    for (const std::size_t gate : order) parts.push_back(gates[3 * gate + kind]);
    const bool fit = std::all_of(parts.begin(), parts.end(), [&](const FoundArray& part) {
      return part.dims == parts[0].dims && part.type == parts[0].type && !part.dims.empty() &&
             part.dims.back() > 0;
    });
    if (!fit) return {};
    result.push_back(joined(std::move(parts)));
  }
  return result;
}

class Keras1Weights {
 public:
  explicit Keras1Weights(std::vector<FoundArray>& arrays) : arrays_(arrays) {}

  void add(const Layer& layer) {
    const std::string& class_name = layer.description().class_name;
    const std::size_t num_weights = layer.weights().size();
    const auto left = static_cast<std::size_t>(arrays_.size() - next_);
    if (class_name == "Bidirectional") {
      for (const std::shared_ptr<Layer>& inside : layer.sublayers()) add(*inside);
    } else if (num_weights == 3 && class_name == "LSTM" && has_gates(layer, 12)) {
      take_gates(12, {0, 2, 1, 3});  // i, c, f, o
    } else if (num_weights == 3 && class_name == "GRU" && has_gates(layer, 9)) {
      take_gates(9, {0, 1, 2});
    } else {
      const std::size_t count = std::min(num_weights, left);
      if (class_name == "Conv1D" && count > 0) take_second_extent(arrays_[next_]);
      std::move(arrays_.begin() + static_cast<std::ptrdiff_t>(next_),
                arrays_.begin() + static_cast<std::ptrdiff_t>(next_ + count), std::back_inserter(converted_));
      next_ += count;
    }
  }

  std::vector<FoundArray> finish() {
    std::move(arrays_.begin() + static_cast<std::ptrdiff_t>(next_), arrays_.end(),
              std::back_inserter(converted_));
    return std::move(converted_);
  }

 private:
  /// Whether the next arrays are those of single gates: their kernels are narrower than the layer's.
  bool has_gates(const Layer& layer, std::size_t count) const {
    const Dims& kernel = layer.weights()[0].shape();
    return arrays_.size() - next_ >= count && arrays_[next_].dims.size() == 2 && kernel.size() == 2 &&
           arrays_[next_].dims[1] * static_cast<std::int64_t>(count / 3) == kernel[1];
  }

  void take_gates(std::size_t count, std::initializer_list<std::size_t> order) {
    const std::span<FoundArray> gates = std::span(arrays_).subspan(next_, count);
    std::vector<FoundArray> joint = joined_gates(gates, order);
    if (joint.empty())
      joint.assign(gates.begin(), gates.end());  // what is wrong is said where shapes are compared
    std::move(joint.begin(), joint.end(), std::back_inserter(converted_));
    next_ += count;
  }

  static void take_second_extent(FoundArray& kernel) {
    if (kernel.dims.size() == 4 && kernel.dims[1] == 1) kernel.dims.erase(kernel.dims.begin() + 1);
  }

  std::vector<FoundArray>& arrays_;
  std::size_t next_ = 0;
  std::vector<FoundArray> converted_;
};

}  // namespace

void convert_keras_1_weights(const Layer& layer, std::vector<FoundArray>& arrays) {
  Keras1Weights weights(arrays);
  weights.add(layer);
  arrays = weights.finish();
}

}  // namespace cornu::inline v0::keras::files
