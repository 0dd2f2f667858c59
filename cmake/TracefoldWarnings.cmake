# SPDX-FileCopyrightText: 2026 The tracefold authors
# SPDX-License-Identifier: BSD-3-Clause
add_library(tracefold_warnings INTERFACE)
target_compile_options(
    tracefold_warnings
    INTERFACE -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wold-style-cast -Wcast-qual
              -Wnon-virtual-dtor $<$<BOOL:${TRACEFOLD_WERROR}>:-Werror>)
# GCC 12 sees overlapping copies in std::string concatenation where there are none (GCC PR105651).
# clang-tidy reads GCC's command line and does not know that warning.
target_compile_options(
    tracefold_warnings
    INTERFACE "$<$<CXX_COMPILER_ID:GNU>:-Wno-unknown-warning-option;-Wno-restrict>")
# In C++, Clang's -Wconversion includes -Wsign-conversion and GCC's does not. Clang's -Wpedantic warns of long strings,
# and embedded files are such strings.
target_compile_options(
    tracefold_warnings
    INTERFACE "$<$<CXX_COMPILER_ID:Clang>:-Wno-sign-conversion;-Wno-overlength-strings>")
# In a unity build Clang takes names of other sources for names of this one.
if(CMAKE_UNITY_BUILD)
    target_compile_options(tracefold_warnings INTERFACE $<$<CXX_COMPILER_ID:Clang>:-Wno-shadow>)
endif()
# In a unity build GCC takes every source for a header, where anonymous namespaces would be a mistake.
if(CMAKE_UNITY_BUILD)
    target_compile_options(tracefold_warnings INTERFACE $<$<COMPILE_LANG_AND_ID:CXX,GNU>:-Wno-subobject-linkage>)
endif()
