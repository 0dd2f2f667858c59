# SPDX-FileCopyrightText: 2026 The tracefold authors
# SPDX-License-Identifier: BSD-3-Clause
add_library(tracefold_warnings INTERFACE)
target_compile_options(
    tracefold_warnings
    INTERFACE -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wold-style-cast -Wcast-qual
              -Wnon-virtual-dtor $<$<BOOL:${TRACEFOLD_WERROR}>:-Werror>)
