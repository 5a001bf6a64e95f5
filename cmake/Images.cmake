# libjpeg-turbo, libpng and giflib, in a module that is loaded when the first image is decoded: linked in, every start of every program would load
# them. Only cornu/io/images/*_module.cc includes their headers.
find_package(JPEG REQUIRED)
find_package(PNG REQUIRED)
find_package(GIF 5.1 REQUIRED)
file(GLOB image_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/cornu/io/images/*_module.cc)
add_library(cornu_images_module MODULE ${image_sources})
set_target_properties(cornu_images_module PROPERTIES OUTPUT_NAME cornu_images PREFIX lib LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/bin)
target_compile_options(cornu_images_module PRIVATE -fvisibility=hidden)
target_link_libraries(cornu_images_module PRIVATE cornu_flags JPEG::JPEG PNG::PNG GIF::GIF)
install(TARGETS cornu_images_module LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
add_library(cornu_images INTERFACE)
target_link_libraries(cornu_images INTERFACE ${CMAKE_DL_LIBS})
add_dependencies(cornu_images cornu_images_module)
