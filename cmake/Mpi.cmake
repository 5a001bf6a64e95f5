# MPI is in libcornu_mpi, which is loaded when a strategy over several processes is made. Without an MPI for C it is left out, and the strategy
# says so.
set(CORNU_MPI_AVAILABLE OFF)
find_package(MPI QUIET COMPONENTS CXX)
if(MPI_CXX_FOUND)
  set(CORNU_MPI_AVAILABLE ON)
  file(GLOB mpi_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/cornu/distribute/mpi/*_module.cc)
  add_library(cornu_mpi_module MODULE ${mpi_sources})
  set_target_properties(cornu_mpi_module PROPERTIES OUTPUT_NAME cornu_mpi PREFIX lib LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/bin
                        INSTALL_RPATH "$ORIGIN")
  # Only C's functions are called.
  target_include_directories(cornu_mpi_module SYSTEM PRIVATE ${MPI_CXX_INCLUDE_DIRS})
  target_compile_options(cornu_mpi_module PRIVATE -fvisibility=hidden -fvisibility-inlines-hidden)
  target_link_libraries(cornu_mpi_module PRIVATE cornu_flags cornu_shared ${MPI_mpi_LIBRARY} fmt::fmt)
  install(TARGETS cornu_mpi_module LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
else()
  message(STATUS "no MPI (libopenmpi-dev): MultiWorkerMirroredStrategy is left out")
endif()
