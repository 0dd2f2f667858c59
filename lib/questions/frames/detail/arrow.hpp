// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "questions/frames/detail/frame.hpp"

#include <cstdint>
#include <functional>
#include <memory>

// The Arrow C data and stream interfaces. Layout, names and include guards follow the
// specification: several copies of these definitions may coexist in one program.
extern "C" {

#ifndef ARROW_C_DATA_INTERFACE
#define ARROW_C_DATA_INTERFACE

#define ARROW_FLAG_DICTIONARY_ORDERED 1
#define ARROW_FLAG_NULLABLE 2
#define ARROW_FLAG_MAP_KEYS_SORTED 4

struct ArrowSchema {
    const char* format;
    const char* name;
    const char* metadata;
    std::int64_t flags;
    std::int64_t n_children;
    struct ArrowSchema** children;
    struct ArrowSchema* dictionary;
    void (*release)(struct ArrowSchema*);
    void* private_data;
};

struct ArrowArray {
    std::int64_t length;
    std::int64_t null_count;
    std::int64_t offset;
    std::int64_t n_buffers;
    std::int64_t n_children;
    const void** buffers;
    struct ArrowArray** children;
    struct ArrowArray* dictionary;
    void (*release)(struct ArrowArray*);
    void* private_data;
};

#endif

#ifndef ARROW_C_STREAM_INTERFACE
#define ARROW_C_STREAM_INTERFACE

struct ArrowArrayStream {
    int (*get_schema)(struct ArrowArrayStream*, struct ArrowSchema* out);
    int (*get_next)(struct ArrowArrayStream*, struct ArrowArray* out);
    const char* (*get_last_error)(struct ArrowArrayStream*);
    void (*release)(struct ArrowArrayStream*);
    void* private_data;
};

#endif

}  // extern "C"

namespace tracefold {

/// Fills `out` with the schema of frames with these columns: a struct with one child per column.
/// Integers are int64, labels int32 indices into a utf8 dictionary, lists list<int64>. The metadata
/// key "unit" holds a column's unit. The consumer releases the schema.
void export_schema(const std::vector<ColumnInfo>& columns, ArrowSchema* out);

/// Fills `out` with a frame without copying it. The frame lives until its array is released.
void export_frame(const std::vector<ColumnInfo>& columns, std::shared_ptr<const Frame> frame,
                  ArrowArray* out);

/// Fills `out` with a stream of all frames of a source. `guarded` runs the computation of each
/// frame, for callers that hold locks. Errors become EIO with a message. The consumer releases the
/// stream.
void export_stream(std::shared_ptr<FrameSource> source,
                   std::function<void(const std::function<void()>&)> guarded,
                   ArrowArrayStream* out);

}  // namespace tracefold
