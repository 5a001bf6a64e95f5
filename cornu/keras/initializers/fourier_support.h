#pragma once

#include <memory>

#include "cornu/keras/initializers/initializers.h"

namespace cornu::inline v0::keras {

/// The implementation of initializers::STFT. Errors: those of its constructor.
std::shared_ptr<Initializer> fourier_initializer(const initializers::STFTOptions& options);

}  // namespace cornu::inline v0::keras
