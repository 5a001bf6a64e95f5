#pragma once

#include "cornu/io/images/module_interface.h"

namespace cornu::inline v0::io {

/// Windows bitmaps, as TensorFlow reads them: uncompressed, with 8 bits a pixel (taken as gray levels), 24 or
/// 32.
ImageCodec bmp_codec();

}  // namespace cornu::inline v0::io
