// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "model/record_batch.hpp"

#include <cstddef>

namespace tracefold::otf2 {

/// Appends the records of a file of local definitions that is one chunk of `size` bytes, followed
/// by EventDecoder::kPadding zeros. False, and any records in the batch, if there are more than
/// `most` records, others than recorders write nowadays (mapping tables and clock offsets), or some
/// that libotf2 refuses or changes.
bool decode_local_definitions(const u8* bytes, std::size_t size, std::size_t most,
                              RecordBatch& batch);

}  // namespace tracefold::otf2
