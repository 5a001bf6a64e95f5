#pragma once

#include "cornu/io/images/module_interface.h"

// Inside libcornu_images.so.
namespace cornu::inline v0::io {

ImageCodec jpeg_codec();
ImageCodec png_codec();
ImageCodec gif_codec();

bool encode_jpeg(const ImageHeader* image, const unsigned char* pixels, int quality,
                 void (*write)(void* to, const unsigned char* bytes, std::size_t size), void* to,
                 ImageMessage* message);
bool encode_png(const ImageHeader* image, const unsigned char* pixels, int quality,
                void (*write)(void* to, const unsigned char* bytes, std::size_t size), void* to,
                ImageMessage* message);

}  // namespace cornu::inline v0::io
