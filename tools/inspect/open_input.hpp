// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "common/environment.hpp"
#include "pipeline/folded_input.hpp"

#include <memory>
#include <string>

namespace tracefold {

/// A folded file, or an archive that is folded for the time being. Collective.
inline std::unique_ptr<FoldedInput> open_input(Communicator& comm, const std::string& path) {
    return std::make_unique<FoldedInput>(comm, path, FoldedInputOptions{scratch_directory()});
}

}  // namespace tracefold
