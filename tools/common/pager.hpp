// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "common/environment.hpp"

#include <sys/types.h>

namespace tracefold {

/// Shows what goes to standard output in a pager, as git does: the program that TRACEFOLD_PAGER or
/// PAGER names, else less. One at a time, in the main thread.
class Pager {
  public:
    /// Starts nothing yet.
    Pager(Environment environment, const Terminal& terminal);
    Pager(const Pager&) = delete;
    Pager& operator=(const Pager&) = delete;
    /// Closes standard output and waits until the reader has left the pager.
    ~Pager();

    /// From here on standard output, and standard error if it is a terminal, go to the pager. False
    /// if there is none: standard output is no terminal, or a dumb one, the variable is empty or
    /// names "cat", or the program cannot be started.
    bool start();

    /// What the destructor does, for a process that ends by a signal: the pager gets the signal as
    /// well and need not end by it, and leaving first would leave the terminal to two readers.
    static void wait();

  private:
    Environment environment_;
    Terminal terminal_;
    pid_t child_ = 0;
};

}  // namespace tracefold
