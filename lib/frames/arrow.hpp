// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "frames/arrow_abi.hpp"
#include "frames/frame.hpp"

#include <functional>
#include <memory>

namespace tracefold {

/// Fills `out` with a description of frames with these columns: a struct with a child each.
/// Integers are int64, labels int32 indices into a utf8 dictionary, lists list<int64>. The unit
/// of a column stands in its metadata under the key "unit". The consumer releases it.
void export_schema(const std::vector<ColumnInfo>& columns, ArrowSchema* out);

/// Fills `out` with a frame, which is not copied and lives until the consumer releases the array.
void export_frame(const std::vector<ColumnInfo>& columns, std::shared_ptr<const Frame> frame,
                  ArrowArray* out);

/// Fills `out` with a stream of all frames of a source. `guarded` runs what computes a frame, for
/// callers that hold locks. Errors become EIO and a message; the consumer releases the stream.
void export_stream(std::shared_ptr<FrameSource> source,
                   std::function<void(const std::function<void()>&)> guarded,
                   ArrowArrayStream* out);

}  // namespace tracefold
