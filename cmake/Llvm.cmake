# LLVM 19, static, only what the just-in-time compiler of the CPU backend needs; its headers stay behind cornu_backends_cpu.
find_package(LLVM 19.1 REQUIRED CONFIG HINTS /usr/lib/llvm-19/lib/cmake/llvm)
llvm_map_components_to_libnames(cornu_llvm_libraries orcjit x86codegen x86asmparser x86desc x86info passes target)
add_library(cornu_llvm INTERFACE)
target_include_directories(cornu_llvm SYSTEM INTERFACE ${LLVM_INCLUDE_DIRS})
target_link_libraries(cornu_llvm INTERFACE ${cornu_llvm_libraries})
# --as-needed: LLVMSupport names libz3 and others that nothing here calls; each would cost start-up.
target_link_options(cornu_llvm INTERFACE -Wl,--exclude-libs,ALL -Wl,--gc-sections -Wl,--as-needed)
# LLVM ends the process where malloc fails: it gets cornu/backends/cpu/memory/memory_reserve.cc in between.
target_link_options(cornu_llvm INTERFACE -Wl,--wrap=malloc -Wl,--wrap=calloc -Wl,--wrap=realloc)
