#pragma once

#include <memory>

#include "cornu/keras/network.h"

namespace cornu::inline v0::keras {

/// The network that trains a layer: the layer itself if it is one, else one with Keras's steps around it. Null for null.
std::shared_ptr<Network> network_of(const std::shared_ptr<Layer>& layer);

}  // namespace cornu::inline v0::keras
