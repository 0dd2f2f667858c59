// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "base/parallel.hpp"
#include "base/types.hpp"
#include "file/record_source.hpp"
#include "file/region_nesting.hpp"
#include "file/tick_source.hpp"
#include "file/trace_file.hpp"
#include "fold/call_decoder.hpp"
#include "fold/repeat_finder.hpp"
#include "fold/structure_index.hpp"
#include "model/record_kinds.hpp"

#include <algorithm>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace tracefold {

/// Unwinds the calls of one location without times. Memory: script depth. Throws Error(corrupt).
class CallUnwinder {
  public:
    using Posted = CallDecoder::Posted;

    /// The file must outlive the unwinder.
    CallUnwinder(TraceFile& file, u32 location);
    CallUnwinder(const CallUnwinder&) = delete;
    CallUnwinder& operator=(const CallUnwinder&) = delete;

    /// Appends the records of the next call, with time 0, the timing group of each and, unless
    /// `posted` is null, their posted requests; false at the end.
    bool next(RecordBatch& batch, std::vector<u32>& groups, std::vector<Posted>* posted);

    /// Number of calls unwound so far, modulo 2^32.
    [[nodiscard]] u32 steps() const { return calls_; }
    [[nodiscard]] u32 symbol() const { return symbol_; }
    /// The timing group of that symbol's first element.
    [[nodiscard]] u32 first_group() const { return decoder_.first_group(symbol_); }
    /// The outermost loop of the script that contains the last call.
    [[nodiscard]] OutermostLoop loop() const { return cursor_.outermost(); }
    /// The loop of the script whose iteration ended with the last call.
    [[nodiscard]] LoopTurn turn() const { return cursor_.turn(); }
    /// By timing group.
    [[nodiscard]] const std::vector<RecordPlace>& places() const { return decoder_.places(); }
    [[nodiscard]] const MappingTables& tables() const { return tables_; }

    /// Repeating calls: the same records with the same values, except for times, and for request
    /// ids, which grow by `request_step` per repetition.
    struct Cycle {
        u64 times = 0;  ///< number of repetitions that follow; 0: none
        u64 request_step = 0;
    };
    /// Number of values saved by the last watch(); 0 before the first one.
    [[nodiscard]] std::size_t watched() const { return watched_.size(); }
    /// Starts to watch for repetition. Precondition: turn() has a loop.
    void watch();
    /// Returns the repetitions of the calls since watch(). Precondition: turn() has a loop.
    Cycle cycle();
    /// Skips the repetitions in `cycle`, each with `records` records. Precondition: it is the last
    /// result of cycle(), maybe with fewer times. Throws Error(corrupt).
    void leave_out(const Cycle& cycle, u64 records);

  private:
    [[noreturn]] void wrong_count(bool more) const;

    TraceFile& file_;
    u32 location_;
    MappingTables tables_;
    LocationCursor cursor_;
    CallDecoder decoder_;
    u64 left_;  ///< records that should still follow
    u32 calls_ = 0;
    u32 symbol_ = 0;
    AppendBuffer<u64> values_;
    CursorState watched_;
    CursorState now_;
};

/// The times of repeated iterations, read for many at once; each read calls cancel_point().
class RepeatedTimes {
  public:
    /// `groups` are the timing groups of an iteration's records; at least one.
    /// Without `reads`, all times are 0.
    void begin(std::span<const u32> groups, u64 iterations, bool reads) {
        records_ = groups.size();
        left_ = iterations;
        reads_ = reads;
        if (!reads_) return times_.assign(records_, 0);
        const u64 ahead = std::clamp<u64>(kTimesAhead / records_, 1, iterations);
        groups_.clear();
        for (u64 i = 0; i < ahead; ++i) groups_.insert(groups_.end(), groups.begin(), groups.end());
        times_.assign(groups_.size(), 0);
        at_ = times_.size();
    }

    /// Returns the times of the next iteration, by record. read(groups, times) reads the times of
    /// the next records. Precondition: an iteration is left.
    template <class Read>
    const u64* next(const Read& read) {
        if (!reads_) {
            if (--left_ % kTimesAhead == 0) cancel_point();
            return times_.data();
        }
        if (at_ == times_.size()) {
            at_ = 0;
            cancel_point();
            if (times_.size() / records_ > left_) times_.resize(left_ * records_);
            read(std::span<const u32>(groups_).first(times_.size()), times_.data());
        }
        const u64* const times = times_.data() + at_;
        at_ += records_;
        --left_;
        return times;
    }

  private:
    static constexpr std::size_t kTimesAhead = 1024;

    std::size_t records_ = 0;  ///< per iteration
    u64 left_ = 0;             ///< iterations not yet requested
    bool reads_ = false;
    std::vector<u32> groups_;  ///< by record, for all iterations read at once
    std::vector<u64> times_;   ///< of these
    std::size_t at_ = 0;       ///< index of the next iteration in times_
};

/// Reads the events of one location of a file, either call by call or as batches of records. A call
/// is what was recorded as one symbol. The data of receives and nonblocking collectives come with
/// the posting call.
///
/// Iterations of repeating loops are decoded once; repetitions only update times and requests.
/// Memory: an iteration of at most kMostRecords, one call or batch, the depth of the script, and
/// the location's ticks. Throws Error(corrupt).
class CallReader : public RecordSource {
  public:
    using Posted = CallUnwinder::Posted;

    /// The region reported for a Leave.
    enum class Leaves : u8 {
        paired,    ///< the region that it ends (RegionNesting)
        recorded,  ///< the region that it names
    };

    /// The file must outlive the reader.
    CallReader(TraceFile& file, u32 location, Times times = Times::read,
               Leaves leaves = Leaves::paired);

    /// Reads the next call; false at the end.
    bool next() {
        if (!next_call()) return false;
        if (stacks_) pair();
        return true;
    }
    /// Reads calls until the batch is full, plus at most an iteration. The accessors of the current
    /// call are invalid afterwards.
    bool next(RecordBatch& batch) override;
    /// Skips calls, at most to the end. Cost: calls without repetition. Precondition: Times::skip.
    void skip(u64 calls);

    [[nodiscard]] const Symbol& symbol() const { return file_.structure().symbols[call_.symbol]; }
    [[nodiscard]] u32 symbol_id() const { return call_.symbol; }
    /// The records of the call as recorded, with times. Valid until the next read.
    [[nodiscard]] RecordSpan records() const { return {records_, call_.first, call_.records}; }
    /// The timing group of each record of the call.
    [[nodiscard]] std::span<const u32> groups() const {
        return std::span(groups_).subspan(call_.first, call_.records);
    }
    /// The element of a record.
    [[nodiscard]] const Element& element_of(std::size_t record) const {
        return symbol().elements[element_number(record)];
    }
    [[nodiscard]] u32 element_number(std::size_t record) const {
        return groups_[call_.first + record] - call_.first_group;
    }
    struct Region {
        u64 id = 0;           ///< global
        bool is_mpi = false;  ///< an MPI function
    };
    /// The region that a record enters or ends, else kNoRegion. Precondition: is_enter() or
    /// is_leave().
    [[nodiscard]] Region region(std::size_t record) {
        if (stacks_ && is_leave(records()[record].type)) return ended_[record];
        return recorded_region(record);
    }
    /// The region that a record names. Precondition: is_enter() or is_leave().
    [[nodiscard]] Region recorded_region(std::size_t record) {
        const u32 element = element_number(record);
        if (call_.symbol >= regions_.size() || regions_[call_.symbol].empty()) find_regions();
        return regions_[call_.symbol][element];
    }
    /// True if every Leave ends the region that it names, and no tasks are recorded.
    [[nodiscard]] bool simply_nests() const { return !stacks_; }
    /// True if the location is within an MPI call after the record: one that began there, or calls
    /// of other tasks that began meanwhile. Precondition: !simply_nests().
    [[nodiscard]] bool in_mpi_call(std::size_t record) const { return in_call_[record]; }
    /// True if the location switches to another task within the call, or after it.
    [[nodiscard]] bool changes_task() const { return !changes_.empty(); }
    /// Returns null unless the location switches to another task after the record.
    [[nodiscard]] const TaskChange* task_change(std::size_t record) const {
        if (changes_.empty()) return nullptr;
        const auto found = changes_.find(record);
        return found == changes_.end() ? nullptr : &found->second;
    }
    /// The open regions of tasks that were suspended on the location for good.
    [[nodiscard]] std::span<const std::vector<OpenVisit>> unfinished() const {
        if (nesting_ == nullptr) return {};
        return nesting_->unfinished;
    }
    /// The outermost loop of the script that contains the call.
    [[nodiscard]] OutermostLoop loop() const {
        if (iterations_left_ == 0) return unwinder_.loop();
        return {call_.loop.item, call_.loop.left - loops_passed_};
    }
    /// Ascending by record.
    [[nodiscard]] std::span<const Posted> posted() const {
        return std::span(posted_).subspan(call_.first_posted, call_.posted);
    }

    /// For callers that skip repeated calls themselves. Precondition: no call was read yet, or all.
    [[nodiscard]] CallUnwinder& unwinder() {
        finder_.reset();
        return unwinder_;
    }
    /// Reads the times of skipped records, in order with all others. No effect without times.
    void pass(std::span<const u32> groups, u64* times) {
        if (ticks_) ticks_->next(groups, unwinder_.places(), times);
    }

    [[nodiscard]] u32 location() const { return location_; }
    [[nodiscard]] const MappingTables& tables() const { return unwinder_.tables(); }
    [[nodiscard]] bool reads_times() const { return ticks_ != nullptr; }
    /// The precision of quantized times; null at other levels.
    [[nodiscard]] const DeltaPrecision* precision() const {
        return ticks_ ? ticks_->precision() : nullptr;
    }

  private:
    /// Maximum length of an iteration that is decoded only once.
    static constexpr std::size_t kMostRecords = 4096;

    /// The positions of a call's records in the iteration.
    struct Call {
        u32 symbol = 0;
        u32 first_group = 0;
        std::size_t first = 0;
        std::size_t records = 0;
        std::size_t first_posted = 0;
        std::size_t posted = 0;
        OutermostLoop loop;
    };

    bool next_call();
    void pair();
    void forget();
    bool read();
    void keep();
    bool comes_again();
    void repeat(const CallUnwinder::Cycle& cycle);
    bool go_on();
    void begin_iteration();
    void pass_iterations(u64 iterations);
    void find_regions();

    TraceFile& file_;
    u32 location_;
    CallUnwinder unwinder_;
    std::unique_ptr<TickSource> ticks_;  ///< null without times
    std::optional<RepeatFinder<CallUnwinder>> finder_;
    Call call_;
    // The current call, or all of the iteration while finder_ is looking or iterations repeat.
    RecordBatch records_;
    std::vector<u32> groups_;  ///< by record
    std::vector<Posted> posted_;
    bool tells_posted_ = true;
    std::vector<Call> calls_;
    // Repeated iterations:
    u64 iterations_left_ = 0;  ///< including the current one
    std::size_t next_call_ = 0;
    RepeatedTimes times_;
    std::vector<std::size_t> requests_;  ///< indices of request values
    u64 request_step_ = 0;
    u64 first_left_ = 0;    ///< remaining iterations of the outermost loop when the iteration began
    u64 loop_step_ = 0;     ///< its iterations per repetition
    u64 loops_passed_ = 0;  ///< since then
    std::vector<std::vector<Region>> regions_;  ///< by symbol and element, filled lazily
    // Null if the location simply nests.
    const RegionNesting::Location* nesting_ = nullptr;
    TaskPool tasks_;
    std::optional<TaskStacks> stacks_;
    std::vector<Region> ended_;  ///< by record of the call, for Leaves
    std::vector<bool> in_call_;  ///< by record of the call
    std::map<std::size_t, TaskChange> changes_;
};

/// Skips repeated iterations of loops in one step, for callers that do not need their calls.
class CallSkipper {
  public:
    /// `calls` must outlive this object. Precondition: it reads no times, and has read no call.
    explicit CallSkipper(CallReader& calls)
        : calls_(calls), unwinder_(calls.unwinder()), finder_(unwinder_) {}

    /// Skipped repetitions of the calls since begins().
    struct LeftOut {
        u64 iterations = 0;
        u64 calls = 0;  ///< per repetition

        [[nodiscard]] u64 all_calls() const { return iterations * calls; }
    };
    /// Call after every call read: skips at most this many. Throws Error(corrupt).
    LeftOut after_call(u64 most);
    /// True if a possible cycle begins here.
    [[nodiscard]] bool begins() const { return begins_; }
    /// True while the calls since begins() may still repeat.
    [[nodiscard]] bool is_looking() const { return finder_.is_looking(); }

  private:
    CallReader& calls_;
    CallUnwinder& unwinder_;
    RepeatFinder<CallUnwinder> finder_;
    u64 length_ = 0;   ///< calls since begins()
    u64 records_ = 0;  ///< records of these calls
    bool begins_ = false;
};

}  // namespace tracefold
