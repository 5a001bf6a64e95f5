#include "cornu/base/check.h"
#include "cornu/keras/layers/operations/index_key_support.h"
#include "cornu/keras/layers/operations/operation_call_support.h"
#include "cornu/tensor/ops.h"

namespace cornu::inline v0::keras::layers {
namespace {

using Tensors = std::vector<Tensor>;
using Call = OperationCall;

ops::TakeOptions take_options(const Call& c) {
  return c.options<ops::TakeOptions>("axis", &ops::TakeOptions::axis);
}

/// Start positions of a slice: numbers, or a tensor.
ops::StartIndices starts(const Call& c) {
  const Config* const given = c.find("start_indices");
  if (given != nullptr && given->is_list()) return c.get<Dims>("start_indices");
  return c[1];
}

template <Tensor (*kFunction)(const Tensor&, const Tensor&, const ops::SegmentOptions&)>
Tensors segments(const Call& c) {
  using O = ops::SegmentOptions;
  return {kFunction(c[0], c[1], c.options<O>("num_segments", &O::num_segments, "sorted", &O::sorted))};
}

template <Tensor (*kFunction)(const Tensor&, const ops::SortAxisOptions&)>
Tensors ordered(const Call& c) {
  return {kFunction(c[0], c.options<ops::SortAxisOptions>("axis", &ops::SortAxisOptions::axis))};
}

template <Tensor (*kFunction)(const Tensor&, std::int64_t, const ops::OneHotOptions&)>
Tensors encoded(const Call& c) {
  using O = ops::OneHotOptions;
  if (c.get("sparse", false))
    fail(ErrorCode::kUnimplemented, {.argument = "sparse"}, "[operation] there are no sparse tensors here");
  return {kFunction(c[0], c.get<std::int64_t>("num_classes"),
                    c.options<O>("axis", &O::axis, "dtype", null_is_default(&O::dtype)))};
}

}  // namespace

std::vector<OperationRow> indexing_operations() {
  return {
      {"GetItem", kNumpyModule, "x key",
       [](const Call& c) {
         const Config* const key = c.find("key");
         return Tensors{ops::get_item(c[0], index_key(key == nullptr ? Config() : *key))};
       }},
      {"Take", kNumpyModule, "x indices",
       [](const Call& c) { return Tensors{ops::take(c[0], c[1], take_options(c))}; }},
      {"TakeAlongAxis", kNumpyModule, "x indices",
       [](const Call& c) { return Tensors{ops::take_along_axis(c[0], c[1], take_options(c))}; }},
      {"Slice", kCoreModule, "inputs start_indices",
       [](const Call& c) { return Tensors{ops::slice(c[0], starts(c), c.get<Dims>("shape"))}; }},
      {"SliceUpdate", kCoreModule, "inputs start_indices updates",
       [](const Call& c) { return Tensors{ops::slice_update(c[0], starts(c), c[2])}; }},
      {"Scatter", kCoreModule, "indices values",
       [](const Call& c) { return Tensors{ops::scatter(c[0], c[1], c.get<Dims>("shape"))}; }},
      {"ScatterUpdate", kCoreModule, "inputs indices updates",
       [](const Call& c) {
         using O = ops::ScatterUpdateOptions;
         return Tensors{ops::scatter_update(c[0], c[1], c[2],
                                            c.options<O>("reduction", null_is_default(&O::reduction)))};
       }},
      {"SegmentSum", kMathModule, "data segment_ids", &segments<&ops::segment_sum>},
      {"SegmentMax", kMathModule, "data segment_ids", &segments<&ops::segment_max>},
      {"SegmentMin", kMathModule, "data segment_ids", &segments<&ops::segment_min>},
      {"SegmentProd", kMathModule, "data segment_ids", &segments<&ops::segment_prod>},
      {"OneHot", kNnModule, "x", &encoded<&ops::one_hot>},
      {"MultiHot", kNnModule, "inputs", &encoded<&ops::multi_hot>},
      {"InTopK", kMathModule, "targets predictions",
       [](const Call& c) { return Tensors{ops::in_top_k(c[0], c[1], c.get<std::int64_t>("k"))}; }},
      {"SearchSorted", kNumpyModule, "sorted_sequence values",
       [](const Call& c) {
         return Tensors{ops::searchsorted(c[0], c[1], c.get<std::string_view>("side", "left"))};
       }},
      {"Digitize", kNumpyModule, "x bins",
       [](const Call& c) {
         // Integers stay integers if the bins are integers too.
         const Tensor bins = ir::is_float(c[0].dtype()) ? ops::cast(c[1], c[0].dtype()) : c[1];
         return Tensors{ops::searchsorted(bins, c[0], std::string_view("right"))};
       }},
      {"Bincount", kNumpyModule, "x",
       [](const Call& c) {
         using O = ops::BincountOptions;
         return Tensors{
             ops::bincount(c[0], c.options<O>("weights", &O::weights, "minlength", &O::minlength))};
       }},
      {"ExtractSequences", kMathModule, "x",
       [](const Call& c) {
         return Tensors{ops::extract_sequences(c[0], c.get<std::int64_t>("sequence_length"),
                                               c.get<std::int64_t>("sequence_stride"))};
       }},
      {"Sort", kNumpyModule, "x", &ordered<&ops::sort>},
      {"Argsort", kNumpyModule, "x", &ordered<&ops::argsort>},
      {"TopK", kMathModule, "x",
       [](const Call& c) {
         const ops::TopK top = ops::top_k(c[0], c.get<std::int64_t>("k"));
         return Tensors{top.values, top.indices};
       }},
  };
}

}  // namespace cornu::inline v0::keras::layers
