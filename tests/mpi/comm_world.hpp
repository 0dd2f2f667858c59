// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "base/communicator.hpp"

namespace tracefold {

/// All processes that run this test program, in step: every process runs the same tests in the same
/// order. Provided by the main function of the test program.
Communicator& test_world();

}  // namespace tracefold
