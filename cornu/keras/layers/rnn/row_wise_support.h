#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "cornu/keras/layer/layer.h"

/// Which calls compute the rows of a batch each alone; no part of the interface.
namespace cornu::inline v0::keras::layers {

/// What a layer's call on the rows of a batch depends on, besides the layer.
struct RowWiseCase {
  TensorType rows;                      // with kUnknown for the batch
  std::optional<TensorType> mask = {};  // with kUnknown for the batch
  bool training = false;
  bool has_padding = false;  // the call's RowMask is defined

  bool operator==(const RowWiseCase&) const = default;
};

/// Finds out of one layer whether a call on the rows of several batches gives what calls on each batch give.
///
/// Semantics: the call is traced for two numbers of rows, in traces that are thrown away. Its rows stay apart
///            when both traces are one program but for extents (an integer among the attributes may be the
///            same multiple of each number of rows), when nothing is assigned, when each row draws random
///            numbers of its own, and when RowAnalysis proves that each row of the outputs comes from that
///            row alone. All else is a doubt, also a call that cannot be traced, and outputs that follow from
///            the number of rows that count.
/// Threads:   one thread.
class RowWiseProofs {
 public:
  using Call = std::function<std::vector<Tensor>(const Tensor& rows, const CallArguments& arguments)>;

  /// Whether the rows of such a call are proven to stay apart. `call` runs only for the first question of its
  /// kind, and anew after a variable was frozen or made trainable.
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
