// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "model/record_batch.hpp"
#include "mpi_calls/mapping_tables.hpp"
#include "query/io_crossings.hpp"

#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace tracefold {

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
