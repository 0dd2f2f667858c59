// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "replay/file_functions.hpp"

namespace tracefold {

bool is_bare_file_call(MpiFunction function) {
    switch (function) {
        case MpiFunction::File_set_view:
        case MpiFunction::File_set_size:
        case MpiFunction::File_preallocate:
        case MpiFunction::File_sync:
        case MpiFunction::File_set_atomicity:
            return true;
        default:
            return false;
    }
}

bool is_file_collective(MpiFunction function) {
    switch (function) {
        case MpiFunction::File_open:
        case MpiFunction::File_close:
        case MpiFunction::File_seek_shared:
            return true;
        default:
            break;
    }
    const std::string_view name = name_of(function);
    return is_bare_file_call(function) || name.find("_all") != std::string_view::npos ||
           name.find("_ordered") != std::string_view::npos;
}

}  // namespace tracefold
