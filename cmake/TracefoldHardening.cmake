# SPDX-FileCopyrightText: 2026 The tracefold authors
# SPDX-License-Identifier: BSD-3-Clause

# Release builds end where a buffer or a return address is overwritten, and link all functions before they start.
# Flags of a package come first; sanitizers have checks of their own.
set(_flags "${CMAKE_C_FLAGS} ${CMAKE_CXX_FLAGS}")
if(CMAKE_BUILD_TYPE STREQUAL "Release" AND NOT _flags MATCHES "-fsanitize|_FORTIFY_SOURCE")
    # Some compilers define it themselves, and warn of another value.
    add_compile_options(-U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=2 -fstack-protector-strong)
    add_link_options(LINKER:-z,relro LINKER:-z,now)
endif()
