#include "cornu/base/error.h"
#include "cornu/keras/files/training_state.h"
#include "tests/fuzz/target.h"

namespace cornu::inline v0::fuzz {

/// A checkpoint.
void training_state(Bytes bytes) {
  try {
    keras::load_training_state(io::view_bytes(bytes, "input"));
  } catch (const Error& error) {
    require(error.code() == ErrorCode::kDataLoss || error.code() == ErrorCode::kResourceExhausted,
            error.what());
  }
}

}  // namespace cornu::inline v0::fuzz
