// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

namespace tracefold {

/// Hands a signal on to all processes that run the same program and have the same parent, which are
/// the other ranks of a job on this node. They get it by sigqueue(3), which tells them that it was
/// handed on. Cost: reads all of /proc.
void forward_to_siblings(int signal);

}  // namespace tracefold
