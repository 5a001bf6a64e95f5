#include "benchmarks/functions/cases.h"

namespace cornu::inline v0::benchmarks {
namespace {

using Results = std::vector<Tensor>;

void add_resizes(std::vector<FunctionCase>& all, const Tensor& images) {
  for (const char* interpolation : {"nearest", "bilinear", "bicubic", "lanczos3", "lanczos5"})
    for (const bool antialias : {false, true}) {
      if (antialias && std::string(interpolation) == "nearest") continue;
      all.push_back({std::string("resize_") + interpolation + (antialias ? "_antialias" : ""),
                     {images},
                     [=](const Results& x) -> Results {
                       return {ops::image::resize(x[0], {160, 160},
                                                  {.interpolation = interpolation, .antialias = antialias})};
                     }});
    }
}

void add_transforms(std::vector<FunctionCase>& all, const Tensor& images) {
  const Tensor transforms =
      ops::tile(Tensor::of<float>({1, 8}, {0.9F, 0.1F, 3.0F, -0.1F, 0.95F, 5.0F, 0.0F, 0.0F}), {8, 1});
  for (const char* interpolation : {"nearest", "bilinear"})
    all.push_back({std::string("affine_transform_") + interpolation,
                   {images, transforms},
                   [=](const Results& x) -> Results {
                     return {ops::image::affine_transform(
                         x[0], x[1], {.interpolation = interpolation, .fill_mode = "reflect"})};
                   }});
  const Tensor from = ops::tile(Tensor::of<float>({1, 4, 2}, {0, 0, 223, 0, 0, 223, 223, 223}), {8, 1, 1});
  const Tensor to = ops::tile(Tensor::of<float>({1, 4, 2}, {5, 9, 210, 3, 8, 215, 220, 201}), {8, 1, 1});
  all.push_back({"perspective_transform", {images, from, to}, [](const Results& x) -> Results {
                   return {ops::image::perspective_transform(x[0], x[1], x[2])};
                 }});
  const Tensor coordinates = numbers({2, 512, 512}, 511);
  for (const std::int64_t order : {0, 1})
    all.push_back({"map_coordinates_" + std::to_string(order),
                   {numbers({512, 512}), coordinates},
                   [=](const Results& x) -> Results {
                     return {ops::image::map_coordinates(x[0], x[1], order, {.fill_mode = "nearest"})};
                   }});
}

}  // namespace

std::vector<FunctionCase> image_cases() {
  const Tensor images = numbers({8, 224, 224, 3});
  std::vector<FunctionCase> all;
  add_resizes(all, images);
  add_transforms(all, images);
  const auto add = [&](const char* name, Tensor (*f)(const Tensor&)) {
    all.push_back({name, {images}, [f](const Results& x) -> Results { return {f(x[0])}; }});
  };
  add("extract_patches", [](const Tensor& x) { return ops::image::extract_patches(x, 16); });
  add("extract_patches_overlapping",
      [](const Tensor& x) { return ops::image::extract_patches(x, 5, {.strides = 2, .padding = "same"}); });
  add("rgb_to_hsv", [](const Tensor& x) { return ops::image::rgb_to_hsv(x); });
  add("hsv_to_rgb", [](const Tensor& x) { return ops::image::hsv_to_rgb(x); });
  add("rgb_to_grayscale", [](const Tensor& x) { return ops::image::rgb_to_grayscale(x); });
  add("gaussian_blur",
      [](const Tensor& x) { return ops::image::gaussian_blur(x, {.kernel_size = {5, 5}, .sigma = {1, 1}}); });
  add("elastic_transform", [](const Tensor& x) { return ops::image::elastic_transform(x, {.seed = 1}); });
  add("pad_images", [](const Tensor& x) {
    return ops::image::pad_images(
        x, {.top_padding = 8, .left_padding = 8, .bottom_padding = 8, .right_padding = 8});
  });
  add("crop_images", [](const Tensor& x) {
    return ops::image::crop_images(
        x, {.top_cropping = 8, .left_cropping = 8, .target_height = 200, .target_width = 200});
  });
  return all;
}

}  // namespace cornu::inline v0::benchmarks
