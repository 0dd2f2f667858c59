// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "analysis/transfers.hpp"
#include "trace/call_reader.hpp"

#include <optional>

namespace tracefold {

/// Bytes of one message, one-sided transfer or part in a collective operation.
struct RecordTransfer {
    Transfer::Kind kind{};
    u64 sent = 0;
    u64 received = 0;
};

/// The transfer that a record of the stream's present call is about, told where it is posted: what
/// only completes one is none, nor is a receive that never completes. Cost: the records that the
/// call posts.
std::optional<RecordTransfer> transfer_of(const CallReader& stream, std::size_t record);

}  // namespace tracefold
