#include "cornu/keras/layers/core/lora.h"

#include "cornu/keras/layers/core/lora_support.h"

namespace cornu::inline v0::keras::layers {

void LoraHandle::enable_lora(const LoraOptions& options) const {
  auto* layer = dynamic_cast<LoraLayer*>(get());
  if (layer == nullptr)
    invalid_argument("[enable_lora] the handle is empty or its layer has no weight for LoRA");
  layer->enable_lora(options);
}

}  // namespace cornu::inline v0::keras::layers
