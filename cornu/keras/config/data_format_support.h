#pragma once

#include <string>

#include "cornu/keras/config/global_settings.h"

/// The data format of layers; not part of the interface.
namespace cornu::inline v0::keras::config {

/// `data_format`, or image_data_format() if it is empty.
inline std::string given_or_global(const std::string& data_format) {
  return data_format.empty() ? image_data_format() : data_format;
}

}  // namespace cornu::inline v0::keras::config
