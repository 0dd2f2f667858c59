// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "io/file_descriptor.hpp"

#include <filesystem>
#include <string>

namespace tracefold::inline io {

/// What `work` returns, which lists the folder with std::filesystem. Throws Error(io) with the name
/// of the folder instead of filesystem_error, which has none when a step of an iterator fails.
template <class Work>
auto list_folder(const std::string& folder, const Work& work) {
    try {
        return work();
    } catch (const std::filesystem::filesystem_error& error) {
        throw_io_error("cannot list the folder", folder, error.code().value());
    }
}

}  // namespace tracefold::inline io
