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

inline constexpr std::size_t kBatchRecords = 4096;

/// Maximum number of values per batch: definitions may have long lists.
inline constexpr std::size_t kBatchValues = std::size_t{1} << 20U;

/// True if the batch has reached either limit.
inline bool is_full(const RecordBatch& batch) {
    return batch.size() >= kBatchRecords || batch.value_count() >= kBatchValues;
}

/// A pull source of records, batch by batch.
class TRACEFOLD_API RecordSource {
  public:
    RecordSource() = default;
    RecordSource(const RecordSource&) = delete;
    RecordSource& operator=(const RecordSource&) = delete;
    virtual ~RecordSource() = default;

    /// Overwrites `batch` with the next records; false (and an empty batch) at the end. Throws
    /// Error(corrupt) if the stream contradicts its file.
    virtual bool next(RecordBatch& batch) = 0;
};

inline void drain(RecordSource& source, const BatchSink& sink) {
    RecordBatch batch;
    while (source.next(batch)) sink(batch);
}

/// Passes all records one by one: sink(head, values).
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

/// The records of a whole trace as input for folding: an archive, or data derived from a file.
/// Locations are identified by id. Everything may be read repeatedly, with the same result; but the
/// global definitions, info() and read_files() may depend on the events, so they are final only
/// once the events of all locations were read. Throws Error.
class TraceSource {
  public:
    TraceSource() = default;
    TraceSource(const TraceSource&) = delete;
    TraceSource& operator=(const TraceSource&) = delete;
    virtual ~TraceSource() = default;

    /// Another reader of the same trace with the known definitions of this one, for another thread;
    /// null if only one reader is supported.
    [[nodiscard]] virtual std::unique_ptr<TraceSource> clone_reader() const { return nullptr; }

    [[nodiscard]] virtual const ArchiveInfo& info() const = 0;
    /// The files of a recorded archive; null if the trace has another origin.
    [[nodiscard]] virtual const ArchiveFiles* files() const { return nullptr; }
    /// Hash of the input, equal on all processes that read the same one; 0 without files.
    [[nodiscard]] virtual u64 content() const { return 0; }
    /// A hash that differs once a file of the trace has been replaced or written to: of the files
    /// of locations, every `parts`-th one, from number `part` on.
    [[nodiscard]] virtual u64 state(int part, int parts) const {
        (void)part, (void)parts;
        return 0;
    }
    /// Size of the archive's files; 0 if there are none.
    [[nodiscard]] virtual u64 archive_bytes() const = 0;
    /// Number of skipped records of unknown types.
    [[nodiscard]] virtual u64 unknown_records() const = 0;
    /// The damage of a rescued archive.
    [[nodiscard]] virtual std::vector<FileLoss> losses() const { return {}; }
    /// ClockOffset definitions dropped earlier.
    [[nodiscard]] virtual u64 dropped_clock_offsets() const { return 0; }

    /// Also registers the locations.
    virtual void read_global_definitions(const BatchSink& sink) = 0;
    [[nodiscard]] virtual bool has_local_definitions(u64 location) const = 0;
    [[nodiscard]] virtual bool has_events(u64 location) const = 0;
    virtual void read_local_definitions(u64 location, const BatchSink& sink) = 0;
    /// Returns the number of events.
    virtual u64 read_events(u64 location, const BatchSink& sink) = 0;
    // For verification: reads with another implementation if there is one.
    virtual void read_local_definitions_again(u64 location, const BatchSink& sink) {
        read_local_definitions(location, sink);
    }
    virtual u64 read_events_again(u64 location, const BatchSink& sink) {
        return read_events(location, sink);
    }

    /// Passes the files to store verbatim, without `except`; with `extra`, also foreign files.
    virtual void read_files(const std::vector<u64>& locations, bool extra,
                            const std::string& except,
                            const std::function<void(const CarriedFile&)>& sink) = 0;
};

}  // namespace tracefold
