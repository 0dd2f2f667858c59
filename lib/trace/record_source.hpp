// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/export.hpp"
#include "model/record_batch.hpp"

#include <functional>

namespace tracefold {

using BatchSink = std::function<void(const RecordBatch&)>;

/// Records in a batch before it is passed on.
inline constexpr std::size_t kBatchRecords = 4096;

/// Values after which it is passed on anyway: definitions may hold long lists.
inline constexpr std::size_t kBatchValues = std::size_t{1} << 20U;

/// True if a batch should be passed on.
inline bool is_full(const RecordBatch& batch) {
    return batch.size() >= kBatchRecords || batch.value_count() >= kBatchValues;
}

/// A stream of records to be pulled batch by batch.
class TRACEFOLD_API RecordSource {
  public:
    RecordSource() = default;
    RecordSource(const RecordSource&) = delete;
    RecordSource& operator=(const RecordSource&) = delete;
    virtual ~RecordSource() = default;

    /// Overwrites `batch` with the next records; false (and an empty batch) at the end. Throws
    /// Error(corrupt) if the stream is not what its file promises.
    virtual bool next(RecordBatch& batch) = 0;
};

/// Passes all batches on.
inline void drain(RecordSource& source, const BatchSink& sink) {
    RecordBatch batch;
    while (source.next(batch)) sink(batch);
}

/// Passes all records on one by one: sink(head, values).
template <class Sink>
void for_each_record(RecordSource& source, const Sink& sink) {
    RecordBatch batch;
    while (source.next(batch)) {
        for (const RecordBatch::Head& head : batch.heads()) sink(head, batch.values(head));
    }
}

}  // namespace tracefold
