#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "cornu/keras/layer/layer.h"

/// Detection of calls that compute each row of a batch separately; not part of the interface.
namespace cornu::inline v0::keras::layers {

/// The inputs, besides the layer, that determine whether a call is row-wise.
struct RowWiseCase {
  TensorType rows;                      // with kUnknown for the batch
  std::optional<TensorType> mask = {};  // with kUnknown for the batch
  bool training = false;
  bool has_padding = false;  // the call's RowMask is defined

  bool operator==(const RowWiseCase&) const = default;
};

/// Decides for one layer whether a call on the rows of several batches equals separate calls on each batch.
///
/// Semantics: the call is traced for two numbers of rows, in traces that are discarded. It is row-wise if
///            both traces are the same program apart from extents (an integer attribute may be the same
///            multiple of each number of rows), if nothing is assigned, if each row draws its own random
///            numbers, and if BatchDependenceAnalysis proves that each output row depends on the same input row alone.
///            Otherwise the answer is no, also for calls that cannot be traced and for outputs that depend on
///            the number of unmasked rows.
/// Threads:   one thread.
class RowWiseProofs {
 public:
  using Call = std::function<std::vector<Tensor>(const Tensor& rows, const CallArguments& arguments)>;

  /// True if the call is proven to be row-wise. `call` runs only for the first question of its kind, and
  /// again after a variable was frozen or made trainable.
  bool hold_for(const RowWiseCase& of, const Call& call);

 private:
  struct Answer {
    RowWiseCase of;
    bool is_proven;
  };
  std::vector<Answer> answers_;
  std::uint64_t trainable_epoch_ = 0;
};

}  // namespace cornu::inline v0::keras::layers
