// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "common/common_options.hpp"

namespace tracefold {

/// --unsupported, of all that replay or say whether that can be done. SKIP must outlive APP.
inline void add_unsupported_option(CLI::App& app, bool& skip) {
    add_choice<bool>(app, "--unsupported", skip, {{"error", false}, {"skip", true}},
                     "What to do with calls that the trace says too little about");
}

}  // namespace tracefold
