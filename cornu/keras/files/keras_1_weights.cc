#include <algorithm>
#include <cstring>
#include <iterator>
#include <memory>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "cornu/keras/config/config.h"
#include "cornu/keras/files/old_weights_support.h"
#include "cornu/keras/network/network.h"

namespace cornu::inline v0::keras::files {
namespace {

/// Concatenates arrays of one shape along the last axis.
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

/// Joins the gates' arrays to the kernel, recurrent kernel and bias of a recurrent layer: `order` lists the
/// file's gates in the present order. Empty if the arrays do not fit.
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

/// The axis of the file's kernel for each axis of the present kernel, and true if the file's kernel is
/// rotated by 180 degrees.
struct KernelChange {
  std::vector<std::size_t> axes;  // empty: the same axes
  bool is_turned = false;
};

Dims dims_after(const Dims& dims, const KernelChange& change) {
  Dims result = dims;
  for (std::size_t axis = 0; axis < change.axes.size() && axis < dims.size(); ++axis)
    result[axis] = dims.at(change.axes[axis]);
  return result;
}

/// Permutes the array's axes and reverses the elements along all but the last two.
FoundArray rearranged(FoundArray array, const KernelChange& change) {
  const std::size_t rank = array.dims.size();
  // The strides of the file's array, in bytes.
  std::vector<std::int64_t> strides(rank, io::element_size_bytes(array.type));
  for (std::size_t axis = rank - 1; axis-- > 0;) strides[axis] = strides[axis + 1] * array.dims[axis + 1];
  const Dims dims = dims_after(array.dims, change);
  Dims steps;
  std::int64_t begin = 0;
  for (std::size_t axis = 0; axis < rank; ++axis) {
    const std::size_t from = change.axes.empty() ? axis : change.axes[axis];
    const bool is_reversed = change.is_turned && axis + 2 < rank;
    steps.push_back(is_reversed ? -strides[from] : strides[from]);
    if (is_reversed) begin += (array.dims[from] - 1) * strides[from];
  }
  return {array.type, dims, [array = std::move(array), dims, steps, begin](std::span<std::byte> destination) {
            const std::vector<std::byte> bytes = bytes_of(array);
            const auto size = static_cast<std::size_t>(io::element_size_bytes(array.type));
            Dims index(dims.size());
            std::int64_t from = begin;
            for (std::size_t at = 0; at < destination.size(); at += size) {
              std::memcpy(destination.data() + at, bytes.data() + from, size);
              for (std::size_t axis = dims.size(); axis-- > 0;) {
                from += steps[axis];
                if (++index[axis] < dims[axis]) break;
                from -= steps[axis] * dims[axis];
                index[axis] = 0;
              }
            }
          }};
}

/// The difference between the layer's kernels in such a file and today's.
KernelChange kernel_change(const Layer& layer, const KernelForm& form) {
  const std::string& name = layer.description().class_name;
  const auto is_one_of = [&](std::initializer_list<std::string_view> names) {
    return std::find(names.begin(), names.end(), name) != names.end();
  };
  KernelChange change;
  if (!is_one_of({"Conv1D", "Conv2D", "Conv3D", "Conv2DTranspose", "SeparableConv2D"})) return change;
  change.is_turned = form.is_turned && name != "SeparableConv2D";
  if (!form.is_keras_1 || name == "Conv1D") return change;
  const Config options = layer.get_config();
  const Config* const format = options.find("data_format");
  const bool is_channels_first = format != nullptr && *format == Config("channels_first");
  if (name == "Conv2DTranspose")
    change.axes =
        is_channels_first ? std::vector<std::size_t>{2, 3, 0, 1} : std::vector<std::size_t>{0, 1, 3, 2};
  else if (is_channels_first)
    change.axes =
        name == "Conv3D" ? std::vector<std::size_t>{2, 3, 4, 1, 0} : std::vector<std::size_t>{2, 3, 1, 0};
  return change;
}

/// The inner layers of a layer, whose weights a file lists as those of one layer.
std::vector<std::shared_ptr<Layer>> layers_inside(const Layer& layer) {
  if (const Network* const network = layer.network_or_null()) return network->layers();
  const std::string& name = layer.description().class_name;
  const bool is_wrapper = name == "Bidirectional" || name == "TimeDistributed";
  return is_wrapper ? layer.sublayers() : std::vector<std::shared_ptr<Layer>>();
}

using Owners = std::unordered_map<Variable::Id, const Layer*>;

void find_owners(const Layer& layer, Owners& owners) {
  const std::vector<std::shared_ptr<Layer>> inside = layers_inside(layer);
  for (const std::shared_ptr<Layer>& each : inside) find_owners(*each, owners);
  if (inside.empty())
    for (const Variable& variable : layer.weights()) owners.emplace(variable.id(), &layer);
}

class OldWeights {
 public:
  OldWeights(const KernelForm& form, std::vector<FoundArray>& arrays) : form_(form), arrays_(arrays) {}

  /// Adds the next arrays for successive weights of one layer.
  void add(const Layer& layer, std::span<const Variable> weights) {
    const std::string& class_name = layer.description().class_name;
    if (has_gates(class_name == "LSTM" ? 12 : class_name == "GRU" ? 9 : 0, weights)) {
      if (class_name == "LSTM")
        take_gates(12, {0, 2, 1, 3});  // i, c, f, o
      else
        take_gates(9, {0, 1, 2});
      return;
    }
    const KernelChange change = kernel_change(layer, form_);
    std::vector<Variable> kernels = layer.weights();
    kernels.resize(std::min<std::size_t>(kernels.size(), class_name == "SeparableConv2D" ? 2 : 1));
    for (const Variable& weight : weights) {
      if (next_ == arrays_.size()) return;
      FoundArray& array = arrays_[next_++];
      const bool is_kernel = std::find(kernels.begin(), kernels.end(), weight) != kernels.end();
      converted_.push_back(is_kernel ? kernel(std::move(array), class_name, weight.shape(), change)
                                     : std::move(array));
    }
  }

  /// Adds an array for a weight that no inner layer has.
  void add_as_it_is() {
    if (next_ < arrays_.size()) converted_.push_back(std::move(arrays_[next_++]));
  }

  std::vector<FoundArray> finish() {
    std::move(arrays_.begin() + static_cast<std::ptrdiff_t>(next_), arrays_.end(),
              std::back_inserter(converted_));
    return std::move(converted_);
  }

 private:
  /// True if the next arrays are those of single gates: their kernels are narrower than the layer's.
  bool has_gates(std::size_t count, std::span<const Variable> weights) const {
    if (!form_.is_keras_1 || count == 0 || weights.size() != 3 || arrays_.size() - next_ < count)
      return false;
    const Dims& kernel = weights[0].shape();
    return arrays_[next_].dims.size() == 2 && kernel.size() == 2 &&
           arrays_[next_].dims[1] * static_cast<std::int64_t>(count / 3) == kernel[1];
  }

  void take_gates(std::size_t count, std::initializer_list<std::size_t> order) {
    const std::span<FoundArray> gates = std::span(arrays_).subspan(next_, count);
    std::vector<FoundArray> joint = joined_gates(gates, order);
    if (joint.empty())
      joint.assign(gates.begin(), gates.end());  // the comparison of shapes reports the error
    std::move(joint.begin(), joint.end(), std::back_inserter(converted_));
    next_ += count;
  }

  /// Converts a kernel for a weight of this shape. Arrays that do not fit stay unchanged; the comparison of
  /// shapes reports them.
  FoundArray kernel(FoundArray array, const std::string& class_name, const Dims& shape,
                    const KernelChange& change) const {
    if (form_.is_keras_1 && class_name == "Conv1D" && array.dims.size() == 4 && shape.size() == 3) {
      if (array.dims == Dims{shape[2], shape[1], shape[0], 1})  // before Keras 1.2
        array = rearranged(std::move(array), {.axes = {2, 3, 1, 0}});
      if (array.dims[1] == 1) array.dims.erase(array.dims.begin() + 1);
    }
    const std::size_t rank = change.axes.empty() ? shape.size() : change.axes.size();
    const bool is_changed = change.is_turned || !change.axes.empty();
    if (!is_changed || array.dims.size() != rank || dims_after(array.dims, change) != shape) return array;
    return rearranged(std::move(array), change);
  }

  const KernelForm& form_;
  std::vector<FoundArray>& arrays_;
  std::size_t next_ = 0;
  std::vector<FoundArray> converted_;
};

}  // namespace

void convert_old_weights(const Layer& layer, const std::vector<Variable>& variables, const KernelForm& form,
                         std::vector<FoundArray>& arrays) {
  if (!form.is_keras_1 && !form.is_turned) return;
  Owners owners;
  find_owners(layer, owners);
  const auto owner_of = [&](std::size_t index) -> const Layer* {
    const auto found = owners.find(variables[index].id());
    return found == owners.end() ? nullptr : found->second;
  };
  OldWeights weights(form, arrays);
  for (std::size_t begin = 0, end = 0; begin < variables.size(); begin = end) {
    const Layer* const owner = owner_of(begin);
    for (end = begin + 1; end < variables.size() && owner_of(end) == owner;) ++end;
    if (owner != nullptr)
      weights.add(*owner, std::span(variables).subspan(begin, end - begin));
    else
      for (std::size_t i = begin; i < end; ++i) weights.add_as_it_is();
  }
  arrays = weights.finish();
}

bool rearranges_kernels(const Layer& layer, const KernelForm& form) {
  const std::vector<std::shared_ptr<Layer>> inside = layers_inside(layer);
  const KernelChange change = kernel_change(layer, form);
  return change.is_turned || !change.axes.empty() ||
         std::any_of(inside.begin(), inside.end(),
                     [&](const std::shared_ptr<Layer>& each) { return rearranges_kernels(*each, form); });
}

}  // namespace cornu::inline v0::keras::files
