#pragma once

#include <string_view>

namespace cornu::inline v0::detail {

/// The data format of functions that get none: "channels_last", or that of keras::config::set_image_data_format().
/// A program that is compiled keeps the format of its trace.
std::string_view default_data_format();
/// Threads: safe.
void set_default_data_format(bool channels_first);

}  // namespace cornu::inline v0::detail
