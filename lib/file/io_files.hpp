// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "file/trace_file.hpp"
#include "fold/mapping_tables.hpp"
#include "model/record_batch.hpp"

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace tracefold {

/// The files of a trace, their handles, and the regions that are I/O calls. A file opened through
/// two layers, such as MPI-IO and POSIX, counts once per layer. A handle without a file, such as
/// standard output, counts as a file. Memory: linear in these definitions.
class IoFiles {
  public:
    struct File {
        std::string name;
        std::string paradigm;  ///< "MPI I/O"
    };

    /// Cost: one pass over the file's definitions. Throws Error(corrupt).
    explicit IoFiles(TraceFile& file);

    [[nodiscard]] const std::vector<File>& files() const { return files_; }
    /// Returns the index of the file of a global handle id; kNone if undefined.
    [[nodiscard]] u32 of_handle(u64 handle) const;
    /// True for regions with an I/O role, and for MPI file functions.
    [[nodiscard]] bool is_io_call(u64 region) const { return io_regions_.contains(region); }

  private:
    struct Handle {
        u64 id;
        u64 name;
        u64 file;
        u64 paradigm;
        u64 parent;
    };

    void add(u8 type, std::span<const u64> v, const DefinitionIndex& index);
    void name_files(const DefinitionIndex& index);
    [[nodiscard]] u64 file_behind(const Handle& handle) const;

    std::vector<File> files_;
    std::unordered_map<u64, u32> of_handle_;
    std::unordered_set<u64> io_regions_;
    std::vector<Handle> handles_;                 ///< as defined
    std::unordered_map<u64, u64> file_names_;     ///< file -> string
    std::unordered_map<u64, u64> paradigms_;      ///< I/O paradigm -> string
    std::unordered_map<u64, std::size_t> place_;  ///< id -> index in handles_
};

/// I/O operations that one location begins and another one completes: a thread that waits for all
/// of them, or a kernel, where any processor may handle the interrupt.
///
/// A completion matches, by handle and matching id, the last open operation of its own location,
/// else of its process, else, for locations without an MPI rank, of any. Memory: none if all
/// operations complete on their own locations, else their records.
class IoCrossings {
  public:
    /// The end of an operation on another location.
    struct End {
        u64 begin = 0;  ///< index among the location's IoOperationBegin records
        u64 bytes = 0;
        u64 time = 0;  ///< ticks
        bool cancelled = false;
    };
    /// Both ascending by index.
    struct Location {
        std::vector<End> begun;  ///< begun on this location, ended elsewhere
        /// Indices among the location's completing and cancelling records of those that end an
        /// operation of another location.
        std::vector<u64> ended;
    };

    /// Cost: the events of locations that may have such operations. Throws Error(corrupt).
    explicit IoCrossings(TraceFile& file);

    /// Returns null if all operations of the location end on it.
    [[nodiscard]] const Location* of(u32 location) const {
        const auto found = locations_.find(location);
        return found == locations_.end() ? nullptr : &found->second;
    }

  private:
    std::unordered_map<u32, Location> locations_;
};

/// OTF2_IoOperationMode.
enum class IoMode : u8 { read, write, flush };
inline constexpr std::size_t kIoModes = 3;

std::string_view io_mode_name(IoMode mode);

/// An unrecorded size: OTF2_UNDEFINED_UINT64.
inline constexpr u64 kUnknownBytes = ~u64{0};

/// An I/O operation from begin to completion.
struct IoOperation {
    u64 handle = 0;  ///< global
    u64 number = 0;  ///< matching id
    IoMode mode{};
    u64 flags = 0;      ///< OTF2_IoOperationFlag
    u64 requested = 0;  ///< bytes; ~0 if undefined
    u64 bytes = 0;      ///< transferred; or kUnknownBytes
    u64 begin = 0;      ///< ticks
    u64 end = 0;
    u32 mark = 0;  ///< set by the caller at the begin

    /// True for a read or write without a recorded size. Flushes transfer nothing.
    [[nodiscard]] bool lacks_size() const {
        return bytes == kUnknownBytes && mode != IoMode::flush;
    }
    [[nodiscard]] u64 known_bytes() const { return bytes == kUnknownBytes ? 0 : bytes; }
};

/// True for records that begin, complete or cancel an I/O operation.
bool is_io_operation(u8 event_type);

/// True for the record that ends an operation with its transferred size.
bool completes_io(u8 event_type);

/// Matches begins and completions of a location's I/O operations. Memory: outstanding ones.
class IoTracker {
  public:
    IoTracker() = default;
    /// `crossings` must outlive the tracker.
    IoTracker(const IoCrossings& crossings, u32 location) : crossing_(crossings.of(location)) {}

    /// Returns the operation that the record completes, or begins if another location completes it;
    /// nothing for other records, and for completions without a recorded begin. Cost: linear in the
    /// outstanding operations.
    std::optional<IoOperation> follow(const RecordBatch::Head& head, std::span<const u64> values,
                                      const MappingTables& tables, u32 mark);

    /// Begun and not completed operations.
    [[nodiscard]] const std::vector<IoOperation>& outstanding() const { return open_; }
    /// Completions without a beginning.
    [[nodiscard]] u64 unmatched() const { return unmatched_; }
    /// Operations of this location that were cancelled.
    [[nodiscard]] u64 cancelled() const { return cancelled_; }

  private:
    std::optional<IoOperation> begin(IoOperation operation);
    bool ends_foreign();
    std::optional<IoOperation> take(u64 handle, u64 number);

    const IoCrossings::Location* crossing_ = nullptr;  ///< null: no operation leaves it
    u64 begun_ = 0;                                    ///< begin records so far
    u64 ended_ = 0;
    std::size_t next_begun_ = 0;  ///< index in crossing_
    std::size_t next_ended_ = 0;
    u64 cancelled_ = 0;
    std::vector<IoOperation> open_;
    u64 unmatched_ = 0;
};

}  // namespace tracefold
