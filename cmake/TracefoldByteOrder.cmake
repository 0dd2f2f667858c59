# SPDX-FileCopyrightText: 2026 The tracefold authors
# SPDX-License-Identifier: BSD-3-Clause

# What depends on the size of words and their byte order: files are the same everywhere.
if(CMAKE_SIZEOF_VOID_P LESS 8)
    message(FATAL_ERROR "tracefold computes with 128-bit integers, which compilers have for 64-bit processors only")
endif()
if(CMAKE_CXX_BYTE_ORDER STREQUAL BIG_ENDIAN)
    include(CheckCXXSourceCompiles)
    check_cxx_source_compiles("#include <version>\n#ifndef __GLIBCXX__\n#error\n#endif\nint main() {}" TRACEFOLD_LIBSTDCXX)
    if(TRACEFOLD_LIBSTDCXX)
        add_compile_options("$<$<COMPILE_LANGUAGE:CXX>:SHELL:-include ${CMAKE_CURRENT_LIST_DIR}/big_endian_comparisons.hpp>")
    endif()
endif()
