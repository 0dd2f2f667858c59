// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "common/environment.hpp"

namespace tracefold {

/// What is known about the terminal when a tool starts.
struct Terminal {
    bool out_is_terminal = false;  ///< False in a job that a launcher started.
    bool err_is_terminal = false;
    bool colors_wanted = true;  ///< False under NO_COLOR or TERM=dumb.
    bool can_erase = true;      ///< False under TERM=dumb: no line can be rewritten.
    unsigned width = 80;        ///< Columns.
};

/// Asks the operating system about standard output and error, and the environment for NO_COLOR,
/// TERM and COLUMNS.
Terminal detect_terminal(const Environment& environment);

}  // namespace tracefold
