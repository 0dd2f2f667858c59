// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "analysis/tick_window.hpp"
#include "query/call_names.hpp"
#include "query/io_files.hpp"
#include "query/thread_forks.hpp"
#include "trace/call_reader.hpp"

#include <compare>
#include <map>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace tracefold {

/// What a location spends its time on.
enum class TimeUse : u8 {
    computation,
    point_to_point,
    collective,
    one_sided,
    other_mpi,
    kernel,       ///< on a stream of an accelerator
    device_copy,  ///< to or from an accelerator, on a stream or a thread
    device_wait,  ///< a thread waits for an accelerator
    device_call,  ///< any other call of an accelerator's interface
    thread_wait,  ///< a thread waits for others, or starts and ends them
    file_io,      ///< calls on files, of MPI or others
    idle,         ///< a stream or a worker thread has nothing to do
};
inline constexpr std::size_t kTimeUses = 12;

/// "computation", "point-to-point".
std::string_view time_use_name(TimeUse use);

/// What regions outside of MPI are about.
struct RegionUses {
    explicit RegionUses(TraceFile& file) : threads(file), files(file) {}

    ThreadRegions threads;
    IoFiles files;
};

/// A region of a task that goes on.
struct ResumedRegion {
    u64 region = 0;  ///< global id
    u32 symbol = 0;  ///< that enters it, in the structure
    bool is_mpi = false;
    TimeUse use = TimeUse::computation;

    static void each_field(auto& self, auto& visit) {
        visit(self.region, self.symbol, self.is_mpi, self.use);
    }
    auto operator<=>(const ResumedRegion&) const = default;
};

/// What decides how a call changes what its location spends its time on.
struct SymbolUse {
    /// The task that goes on after the call.
    enum class Task : u8 { same, implicit, other };

    CallKind kind = CallKind::record;
    u8 record = 0;                       ///< type of its first record
    bool is_mpi = false;                 ///< a function of MPI
    TimeUse use = TimeUse::computation;  ///< of a region: what it is about
    u64 region = 0;                      ///< global id; of a record 0
    Task task = Task::same;
    std::vector<ResumedRegion> resumed;  ///< of an explicit task, outermost first
    /// Uses of one symbol, where a Leave ends other regions than it names or a task goes on:
    /// numbered from the number of symbols on. That of the symbol itself is the symbol's number.
    u32 number = 0;

    static void each_field(auto& self, auto& visit) {
        visit(self.kind, self.record, self.is_mpi, self.use, self.region, self.task, self.resumed,
              self.number);
    }
};

/// The uses of the symbols of one location, found out once for each. Cost of a call: O(1).
class SymbolUses {
  public:
    /// Both must outlive this object.
    SymbolUses(TraceFile& file, const RegionUses& regions, u32 location);

    /// Of the call that the reader, which is of this location, has read last.
    const SymbolUse& of(CallReader& calls) {
        const u32 symbol = calls.symbol_id();
        if (!uses_[symbol]) uses_[symbol] = find_out(calls);
        return calls.simply_nests() ? *uses_[symbol] : variant(calls);
    }
    [[nodiscard]] bool on_stream() const { return on_stream_; }

  private:
    struct Variant {
        u32 symbol;
        u64 region;
        SymbolUse::Task task;
        std::vector<ResumedRegion> resumed;

        auto operator<=>(const Variant&) const = default;
    };

    [[nodiscard]] SymbolUse find_out(CallReader& calls) const;
    const SymbolUse& variant(CallReader& calls);
    [[nodiscard]] ResumedRegion resumed_region(const OpenVisit& visit, const CallReader& calls);
    [[nodiscard]] TimeUse use_of_region(u64 region, const Symbol& symbol) const;
    [[nodiscard]] TimeUse use_outside_mpi(u64 region) const;

    TraceFile& file_;
    const RegionUses& regions_;
    bool on_stream_;
    std::vector<std::optional<SymbolUse>> uses_;  ///< by symbol
    std::map<Variant, SymbolUse> variants_;       ///< other uses of a symbol
    std::unordered_map<u64, u32> entering_;       ///< symbols, by region of a task
};

}  // namespace tracefold
