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

/// The files of a trace, the handles that they were opened by, and the regions that are calls of
/// I/O. A file that two layers open, such as MPI-IO and POSIX, counts once for each layer. A handle
/// of no file, such as standard output, is a file by itself. Memory: linear in these definitions.
class IoFiles {
  public:
    struct File {
        std::string name;
        std::string paradigm;  ///< "MPI I/O"
    };

    /// Cost: one pass over the file's definitions. Throws Error(corrupt).
    explicit IoFiles(TraceFile& file);

    [[nodiscard]] const std::vector<File>& files() const { return files_; }
    /// The number of the file behind a global handle id; kNone if it is not defined.
    [[nodiscard]] u32 of_handle(u64 handle) const;
    /// True for regions whose role is I/O, and for the file functions of MPI.
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
    std::unordered_map<u64, u64> file_names_;     ///< string by file
    std::unordered_map<u64, u64> paradigms_;      ///< string by I/O paradigm
    std::unordered_map<u64, std::size_t> place_;  ///< in handles_, by id
};

/// Operations on files that one location begins and another one completes: of a thread that waits
/// for those of all, or of a kernel, where any processor may get the interrupt.
///
/// A completion is matched by handle and matching id: with the last operation that is open on its
/// own location, else on one of its process, else, of locations that belong to no MPI rank, on any.
/// Memory: nothing where all operations complete on their locations, else their records.
class IoCrossings {
  public:
    /// How an operation ended on another location.
    struct End {
        u64 begin = 0;  ///< number of its record among the location's IoOperationBegin records
        u64 bytes = 0;
        u64 time = 0;  ///< ticks
        bool cancelled = false;
    };
    /// Both by rising number.
    struct Location {
        std::vector<End> begun;  ///< on the location, and ended elsewhere
        /// Numbers, among the location's records that complete or cancel operations, of those that
        /// end one of another location.
        std::vector<u64> ended;
    };

    /// Cost: the events of the locations with such operations, unless each call ends those that it
    /// begins. Throws Error(corrupt).
    explicit IoCrossings(TraceFile& file);

    /// Null: all operations of the location end on it.
    [[nodiscard]] const Location* of(u32 location) const {
        const auto found = locations_.find(location);
        return found == locations_.end() ? nullptr : &found->second;
    }

  private:
    std::unordered_map<u32, Location> locations_;
};

/// What an operation on a file does: OTF2_IoOperationMode.
enum class IoMode : u8 { read, write, flush };
inline constexpr std::size_t kIoModes = 3;

/// "read"
std::string_view io_mode_name(IoMode mode);

/// A size that is not recorded: OTF2_UNDEFINED_UINT64.
inline constexpr u64 kUnknownBytes = ~u64{0};

/// An operation on a file from its beginning to its completion.
struct IoOperation {
    u64 handle = 0;  ///< global
    u64 number = 0;  ///< matching id
    IoMode mode{};
    u64 flags = 0;      ///< OTF2_IoOperationFlag
    u64 requested = 0;  ///< bytes; undefined ones are ~0
    u64 bytes = 0;      ///< that it moved; kUnknownBytes
    u64 begin = 0;      ///< ticks
    u64 end = 0;
    u32 mark = 0;  ///< what the user of the tracker noted where it began

    /// True for a read or write whose size is not recorded. Others move nothing.
    [[nodiscard]] bool lacks_size() const {
        return bytes == kUnknownBytes && mode != IoMode::flush;
    }
    [[nodiscard]] u64 known_bytes() const { return bytes == kUnknownBytes ? 0 : bytes; }
};

/// True for the records that begin, complete or cancel an operation on a file.
bool is_io_operation(u8 event_type);

/// True for the record that ends an operation and says how many bytes it moved.
bool completes_io(u8 event_type);

/// Puts together the records of a location that begin operations on files and complete them.
/// Memory: what is outstanding at a time.
class IoTracker {
  public:
    IoTracker() = default;
    /// `crossings` must outlive the tracker.
    IoTracker(const IoCrossings& crossings, u32 location) : crossing_(crossings.of(location)) {}

    /// The operation that the record completes, or begins if another location completes it; nothing
    /// for all other records, and for a completion whose beginning was not recorded. Cost:
    /// operations outstanding.
    std::optional<IoOperation> follow(const RecordBatch::Head& head, std::span<const u64> values,
                                      const MappingTables& tables, u32 mark);

    /// Operations that were begun and have not been completed.
    [[nodiscard]] const std::vector<IoOperation>& outstanding() const { return open_; }
    /// Completions without a beginning.
    [[nodiscard]] u64 unmatched() const { return unmatched_; }
    /// Operations that the location began and that were cancelled.
    [[nodiscard]] u64 cancelled() const { return cancelled_; }

  private:
    std::optional<IoOperation> begin(IoOperation operation);
    bool ends_foreign();
    std::optional<IoOperation> take(u64 handle, u64 number);

    const IoCrossings::Location* crossing_ = nullptr;  ///< null: all is on this location
    u64 begun_ = 0;                                    ///< records so far
    u64 ended_ = 0;
    std::size_t next_begun_ = 0;  ///< in crossing_
    std::size_t next_ended_ = 0;
    u64 cancelled_ = 0;
    std::vector<IoOperation> open_;
    u64 unmatched_ = 0;
};

}  // namespace tracefold
