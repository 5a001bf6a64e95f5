# Eager mode's elementwise kernels: one object file per instruction set level. A program that links the CPU engine writes them with the code
# generator of fused loops (docs/adr/0118). Targets that link the engine link them too.
add_executable(cornu_make_eager_kernels ${PROJECT_SOURCE_DIR}/cornu/backends/cpu/eager_kernels/main.cc
               ${PROJECT_SOURCE_DIR}/cornu/backends/cpu/eager_kernels/kernel_emitter.cc)
# Links the archive without its interface libraries, because this program generates one of them.
target_link_libraries(cornu_make_eager_kernels PRIVATE cornu_flags $<TARGET_FILE:cornu_backends_cpu> cornu_runtime cornu_transform cornu_llvm cornu_onednn)
add_dependencies(cornu_make_eager_kernels cornu_backends_cpu)
set_target_properties(cornu_make_eager_kernels PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/tools UNITY_BUILD ${CORNU_UNITY})

set(CORNU_EAGER_KERNELS "")
foreach(level sse2 avx2 avx512)
  set(object ${PROJECT_BINARY_DIR}/generated/eager_kernels_${level}.o)
  # The program rewrites the file only if its content changes, so other changes to the engine cause no relinking.
  add_custom_command(OUTPUT ${object} BYPRODUCTS ${object}.key COMMAND cornu_make_eager_kernels ${level} ${object}
                     DEPENDS cornu_make_eager_kernels COMMENT "Making eager mode's kernels for ${level}" VERBATIM)
  list(APPEND CORNU_EAGER_KERNELS ${object})
endforeach()
set_source_files_properties(${CORNU_EAGER_KERNELS} PROPERTIES EXTERNAL_OBJECT ON GENERATED ON)
add_library(cornu_eager_kernels STATIC ${CORNU_EAGER_KERNELS})
set_target_properties(cornu_eager_kernels PROPERTIES LINKER_LANGUAGE CXX)
target_link_libraries(cornu_backends_cpu INTERFACE cornu_eager_kernels)
