# cornu/version.h: the version in project(cornu VERSION ...), for sources and for programs.
configure_file(${PROJECT_SOURCE_DIR}/cmake/version.h.in ${PROJECT_BINARY_DIR}/generated/cornu/version.h @ONLY)
