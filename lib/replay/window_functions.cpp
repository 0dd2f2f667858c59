// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "replay/window_functions.hpp"

namespace tracefold {

bool makes_window(MpiFunction function) {
    return function == MpiFunction::Win_create || function == MpiFunction::Win_create_dynamic ||
           function == MpiFunction::Win_allocate || function == MpiFunction::Win_allocate_shared;
}

bool is_window_collective(MpiFunction function) {
    return makes_window(function) || function == MpiFunction::Win_free ||
           function == MpiFunction::Win_fence;
}

}  // namespace tracefold
