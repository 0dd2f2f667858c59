// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "io/file.hpp"

#include <array>
#include <span>
#include <string>

namespace tracefold {

/// Functions of MPI by their numbers in DUMPI files.
enum class DumpiFunction : u16 {
    Send = 0,
    Recv = 1,
    Isend = 8,
    Irecv = 12,
    Wait = 13,
    Waitall = 18,
    Barrier = 52,
    Bcast = 53,
    Gather = 54,
    Gatherv = 55,
    Scatter = 56,
    Scatterv = 57,
    Allgather = 58,
    Allgatherv = 59,
    Alltoall = 60,
    Alltoallv = 61,
    Reduce = 62,
    Allreduce = 65,
    Reduce_scatter = 66,
    Scan = 67,
    Comm_split = 86,
    Init = 124,
    Finalize = 125,
    Exscan = 156,
};

/// A DUMPI file of one rank, format 13.0.0: a magic number; the biases of the clocks; a record for
/// each call (function, what it has, thread, begin and end, arguments); header, footer with the
/// number of calls of each function, key values, sizes of datatypes; an index. All numbers are big
/// endian. Appears whole or not at all. Memory: a fixed buffer.
class DumpiFile {
  public:
    static constexpr u8 kSum = 3;
    static constexpr u32 kByte = 5;
    static constexpr u32 kDouble = 14;
    static constexpr u32 kLongDouble = 15;
    static constexpr u16 kNullComm = 1;
    static constexpr u16 kWorldComm = 2;
    static constexpr u16 kFirstComm = 4;
    static constexpr u32 kFirstRequest = 2;

    /// As AtomicFile. Without times, records have none.
    DumpiFile(const std::filesystem::path& path, bool has_times);

    /// Begins the record of a call, whose arguments follow. Nanoseconds. Throws Error: io,
    /// unsupported (a moment later than the format has numbers for).
    void begin(DumpiFunction function, u64 begin_ns, u64 end_ns);
    /// Changes the end of the last record.
    void end_last_at(u64 end_ns);

    void put_op() { put<u8>(kSum); }
    void put_type(u32 type = kByte) { put(static_cast<u16>(type)); }
    void put_comm(u16 comm) { put(comm); }
    void put_int(u64 value) { put(static_cast<u32>(value)); }
    void put_ints(std::span<const u32> values);
    /// No status was kept.
    void put_statuses() { put_int(0); }

    /// Writes what follows the records, and puts the file into place. Throws Error(io).
    void commit(const std::string& host);
    [[nodiscard]] u64 size() const { return file_.size() + buffer_.size(); }
    /// Records so far, of all functions or of one.
    [[nodiscard]] u64 calls() const;
    [[nodiscard]] u64 calls(DumpiFunction function) const {
        return counts_[static_cast<std::size_t>(function)];
    }

  private:
    static constexpr std::size_t kFunctions = 290;

    template <class Number>
    void put(Number number) {
        for (std::size_t byte = sizeof(Number); byte-- > 0;) {
            buffer_ += static_cast<char>(static_cast<u64>(number) >> (8 * byte));
        }
    }
    void put_text(std::string_view text);
    void put_time(u64 nanoseconds);

    AtomicFile file_;
    bool has_times_;
    std::string buffer_;
    std::size_t last_end_ = 0;  ///< where the end of the last record is in the buffer
    std::array<u32, kFunctions + 1> counts_{};
};

}  // namespace tracefold
