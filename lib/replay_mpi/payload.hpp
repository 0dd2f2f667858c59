// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "replay_mpi/amounts.hpp"
#include "replay_mpi/buffers.hpp"
#include "replay_mpi/requests/requests.hpp"

namespace tracefold {

/// What the calls of one location transfer from and to, and the requests of its process.
struct Payload {
    Amounts& amounts;
    Buffers& buffers;
    Requests& requests;
};

}  // namespace tracefold
