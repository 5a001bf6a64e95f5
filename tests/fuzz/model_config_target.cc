#include <string_view>

#include "cornu/base/error.h"
#include "cornu/keras/files/model_files_support.h"
#include "cornu/keras/layer/deferred_initialization.h"
#include "cornu/keras/saving/models.h"
#include "tests/fuzz/target.h"

namespace cornu::inline v0::fuzz {

/// The description of a model, as load_model takes it: any error but an internal one.
void model_config(Bytes bytes) {
  try {
    const keras::DeferredInitialization withheld(keras::files::weight_budget(bytes.size()));
    keras::model_from_json(std::string_view(reinterpret_cast<const char*>(bytes.data()), bytes.size()));
  } catch (const Error& error) {
    require(error.code() != ErrorCode::kInternal, error.what());
  }
  keras::clear_session();
}

}  // namespace cornu::inline v0::fuzz
