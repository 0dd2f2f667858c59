// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "base/types.hpp"
#include "file/archive_codec.hpp"
#include "model/archive_info.hpp"
#include "model/record_batch.hpp"

#include <functional>
#include <memory>
#include <string>
#include <vector>

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

class ArchiveFiles;
}  // namespace tracefold

namespace tracefold {

/// The records of a whole trace that is to be folded: an archive, or what is made of a file.
/// Locations are named by their ids. Everything may be read any number of times, with the same
/// result; but what the global definitions, info() and read_files() say may depend on the events,
/// so that it is final only once the events of all locations were read. Throws Error.
class TraceSource {
  public:
    TraceSource() = default;
    TraceSource(const TraceSource&) = delete;
    TraceSource& operator=(const TraceSource&) = delete;
    virtual ~TraceSource() = default;

    /// Another reader of the same trace that knows the definitions as this one does, for another
    /// thread; none if it can be read by one only.
    [[nodiscard]] virtual std::unique_ptr<TraceSource> clone_reader() const { return nullptr; }

    [[nodiscard]] virtual const ArchiveInfo& info() const = 0;
    /// The files of an archive that a recorder left; null if the trace is made of something else.
    [[nodiscard]] virtual const ArchiveFiles* files() const { return nullptr; }
    /// Size of the archive's files; 0 if there are none.
    [[nodiscard]] virtual u64 archive_bytes() const = 0;
    /// Records skipped so far, since nobody knows their types.
    [[nodiscard]] virtual u64 unknown_records() const = 0;
    /// What was damaged in an archive that was rescued.
    [[nodiscard]] virtual std::vector<FileLoss> losses() const { return {}; }
    /// ClockOffset definitions that were left out before.
    [[nodiscard]] virtual u64 dropped_clock_offsets() const { return 0; }

    /// Locations become known by this call.
    virtual void read_global_definitions(const BatchSink& sink) = 0;
    [[nodiscard]] virtual bool has_local_definitions(u64 location) const = 0;
    [[nodiscard]] virtual bool has_events(u64 location) const = 0;
    virtual void read_local_definitions(u64 location, const BatchSink& sink) = 0;
    /// Returns their number.
    virtual u64 read_events(u64 location, const BatchSink& sink) = 0;
    // The same to check these: read in another way where there is one.
    virtual void read_local_definitions_again(u64 location, const BatchSink& sink) {
        read_local_definitions(location, sink);
    }
    virtual u64 read_events_again(u64 location, const BatchSink& sink) {
        return read_events(location, sink);
    }

    /// Files to be carried along, but `except`; `extra`: also those that are not of the archive.
    virtual void read_files(const std::vector<u64>& locations, bool extra,
                            const std::string& except,
                            const std::function<void(const CarriedFile&)>& sink) = 0;
};

}  // namespace tracefold
