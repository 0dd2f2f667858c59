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
#include <optional>
#include <span>
#include <vector>

namespace tracefold {

/// Unwinds the calls of one location of a file one after the other, without their times. Memory:
/// the depth of the script. Throws Error(corrupt).
class CallUnwinder {
  public:
    using Posted = CallDecoder::Posted;

    /// The file must outlive the unwinder.
    CallUnwinder(TraceFile& file, u32 location);
    CallUnwinder(const CallUnwinder&) = delete;
    CallUnwinder& operator=(const CallUnwinder&) = delete;

    /// Appends the records of the next call, with time 0, the timing group of each and, unless
    /// `posted` is null, what they post; false at the end.
    bool next(RecordBatch& batch, std::vector<u32>& groups, std::vector<Posted>* posted);

    /// How many calls were unwound so far, modulo 2^32.
    [[nodiscard]] u32 steps() const { return calls_; }
    /// Of the last call.
    [[nodiscard]] u32 symbol() const { return symbol_; }
    /// The timing group of its symbol's first element.
    [[nodiscard]] u32 first_group() const { return decoder_.first_group(symbol_); }
    /// The loop of the location's script that it is in.
    [[nodiscard]] OutermostLoop loop() const { return cursor_.outermost(); }
    /// The loop of the location's script of which an iteration ends with it.
    [[nodiscard]] LoopTurn turn() const { return cursor_.turn(); }
    /// What the timing groups are.
    [[nodiscard]] const std::vector<RecordPlace>& places() const { return decoder_.places(); }
    [[nodiscard]] const MappingTables& tables() const { return tables_; }

    /// Calls that come again: the same records with the same values, except for times and the ids
    /// of requests, all of which are `request_step` larger every time.
    struct Cycle {
        u64 times = 0;  ///< in a row from here on; 0: not at all, or not in such a way
        u64 request_step = 0;
    };
    /// How many numbers the last watch() saved; 0 before the first one.
    [[nodiscard]] std::size_t watched() const { return watched_.size(); }
    /// From now on notices whether calls come again. Precondition: turn() has a loop.
    void watch();
    /// What becomes of the calls since watch(). Precondition: turn() has a loop.
    Cycle cycle();
    /// The next calls are those after `cycle`; `records` is how many each time has. Precondition:
    /// it is what cycle() said last, or fewer times. Throws Error(corrupt).
    void leave_out(const Cycle& cycle, u64 records);

  private:
    [[noreturn]] void wrong_count(bool more) const;

    TraceFile& file_;
    u32 location_;
    MappingTables tables_;
    LocationCursor cursor_;
    CallDecoder decoder_;
    u64 left_;  ///< records that should still come
    u32 calls_ = 0;
    u32 symbol_ = 0;
    AppendBuffer<u64> values_;
    CursorState watched_;
    CursorState now_;
};

/// The times of iterations that come again. They are read for many iterations at once, which is
/// faster; each such read calls cancel_point().
class RepeatedTimes {
  public:
    /// `groups`: the timing group of each record of an iteration; there is at least one.
    void begin(std::span<const u32> groups, u64 iterations) {
        records_ = groups.size();
        left_ = iterations;
        const u64 ahead = std::clamp<u64>(kTimesAhead / records_, 1, iterations);
        groups_.clear();
        for (u64 i = 0; i < ahead; ++i) groups_.insert(groups_.end(), groups.begin(), groups.end());
        times_.assign(groups_.size(), 0);
        at_ = times_.size();
    }

    /// The times of the next iteration, by record. read(groups, times) reads the times of the next
    /// records. Precondition: an iteration is left.
    template <class Read>
    const u64* next(const Read& read) {
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

    std::size_t records_ = 0;  ///< of an iteration
    u64 left_ = 0;             ///< iterations that were not asked for yet
    std::vector<u32> groups_;  ///< by record, of as many iterations as are read at once
    std::vector<u64> times_;   ///< of these
    std::size_t at_ = 0;       ///< the next iteration in them
};

/// Reads the events of one location of a file, either call by call or as batches of records. What
/// was recorded as one symbol is one call. The data of receives and non-blocking collectives come
/// with the call that posted them.
///
/// The calls of loops whose iterations are all alike are decoded once: while such a loop goes
/// round, only their times and requests are brought up to date. Memory: an iteration of at most
/// kMostRecords, one call or batch, the depth of the script, and the location's ticks. Throws
/// Error(corrupt).
class CallReader : public RecordSource {
  public:
    using Posted = CallUnwinder::Posted;

    /// Which region the record of a Leave is said to be of.
    enum class Leaves : u8 {
        paired,    ///< the one that it ends (RegionNesting)
        recorded,  ///< the one that it names
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
    /// Reads as many calls as fill a batch, or an iteration more. What is said below of one call
    /// does not hold then.
    bool next(RecordBatch& batch) override;
    /// Passes so many calls, as far as there are any. Cost: those that do not come again.
    /// Precondition: times are skipped.
    void skip(u64 calls);

    [[nodiscard]] const Symbol& symbol() const { return file_.structure().symbols[call_.symbol]; }
    [[nodiscard]] u32 symbol_id() const { return call_.symbol; }
    /// The records of the call as they were recorded, with times. Valid until the next one is read.
    [[nodiscard]] RecordSpan records() const { return {records_, call_.first, call_.records}; }
    /// The timing group of each record of the call.
    [[nodiscard]] std::span<const u32> groups() const {
        return std::span(groups_).subspan(call_.first, call_.records);
    }
    /// The element of the symbol that a record belongs to.
    [[nodiscard]] const Element& element_of(std::size_t record) const {
        return symbol().elements[element_number(record)];
    }
    [[nodiscard]] u32 element_number(std::size_t record) const {
        return groups_[call_.first + record] - call_.first_group;
    }
    struct Region {
        u64 id = 0;           ///< global
        bool is_mpi = false;  ///< a function of MPI
    };
    /// The region that a record enters or ends, kNoRegion if it ends none. Precondition:
    /// is_enter() or is_leave().
    [[nodiscard]] Region region(std::size_t record) {
        if (stacks_ && is_leave(records()[record].type)) return ended_[record];
        return recorded_region(record);
    }
    /// The region that a record enters or names. Precondition: is_enter() or is_leave().
    [[nodiscard]] Region recorded_region(std::size_t record) {
        const u32 element = element_number(record);
        if (call_.symbol >= regions_.size() || regions_[call_.symbol].empty()) find_regions();
        return regions_[call_.symbol][element];
    }
    /// True if every Leave ends the region that it names, and no tasks are recorded.
    [[nodiscard]] bool simply_nests() const { return !stacks_; }
    /// True if the location goes on with another task within the call, or after it.
    [[nodiscard]] bool changes_task() const { return !changes_.empty(); }
    /// Not null if the location goes on with another task after the record.
    [[nodiscard]] const TaskChange* task_change(std::size_t record) const {
        if (changes_.empty()) return nullptr;
        const auto found = changes_.find(record);
        return found == changes_.end() ? nullptr : &found->second;
    }
    /// What is open in the tasks that were suspended on the location and never went on.
    [[nodiscard]] std::span<const std::vector<OpenVisit>> unfinished() const {
        if (nesting_ == nullptr) return {};
        return nesting_->unfinished;
    }
    /// The loop of the location's script that the call is in.
    [[nodiscard]] OutermostLoop loop() const {
        if (iterations_left_ == 0) return unwinder_.loop();
        return {call_.loop.item, call_.loop.left - loops_passed_};
    }
    /// By rising record.
    [[nodiscard]] std::span<const Posted> posted() const {
        return std::span(posted_).subspan(call_.first_posted, call_.posted);
    }

    /// Leaves it to the caller to look for calls that come again and to leave them out.
    /// Precondition: no call was read yet, or all were.
    [[nodiscard]] CallUnwinder& unwinder() {
        finder_.reset();
        return unwinder_;
    }
    /// Gives records that were left out their times, which are kept in order with all others.
    /// Without times nothing is given.
    void pass(std::span<const u32> groups, u64* times) {
        if (ticks_) ticks_->next(groups, unwinder_.places(), times);
    }

    [[nodiscard]] u32 location() const { return location_; }
    [[nodiscard]] const MappingTables& tables() const { return unwinder_.tables(); }
    /// The precision of quantized times; null at other levels.
    [[nodiscard]] const DeltaPrecision* precision() const {
        return ticks_ ? ticks_->precision() : nullptr;
    }

  private:
    /// Longer iterations are decoded again and again.
    static constexpr std::size_t kMostRecords = 4096;

    /// Where the records of a call are, among those of the iteration.
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
    std::optional<TickSource> ticks_;
    std::optional<RepeatFinder<CallUnwinder>> finder_;
    Call call_;
    // The call at hand, or, while finder_ is looking or iterations come again, all of the
    // iteration.
    RecordBatch records_;
    std::vector<u32> groups_;  ///< by record
    std::vector<Posted> posted_;
    bool tells_posted_ = true;
    std::vector<Call> calls_;
    // Iterations that come again.
    u64 iterations_left_ = 0;  ///< with the one at hand
    std::size_t next_call_ = 0;
    RepeatedTimes times_;
    std::vector<std::size_t> requests_;  ///< values that are requests
    u64 request_step_ = 0;
    u64 first_left_ = 0;    ///< iterations left of the outermost loop, where the iteration began
    u64 loop_step_ = 0;     ///< how many of them pass in it
    u64 loops_passed_ = 0;  ///< since then
    std::vector<std::vector<Region>> regions_;  ///< by symbol and element, once asked for
    // Of a location that does not simply nest.
    const RegionNesting::Location* nesting_ = nullptr;
    TaskPool tasks_;
    std::optional<TaskStacks> stacks_;
    std::vector<Region> ended_;  ///< by record of the call, of Leaves
    std::map<std::size_t, TaskChange> changes_;
};

/// Leaves out calls that nobody wants to see: iterations of loops that come again, all in one step.
class CallSkipper {
  public:
    /// `calls` must outlive this object. Precondition: it reads no times, and has read no call.
    explicit CallSkipper(CallReader& calls)
        : calls_(calls), unwinder_(calls.unwinder()), finder_(unwinder_) {}

    /// What was left out: iterations that are like the calls since begins() said so.
    struct LeftOut {
        u64 iterations = 0;
        u64 calls = 0;  ///< of each

        [[nodiscard]] u64 all_calls() const { return iterations * calls; }
    };
    /// After every call that was read: leaves out at most this many. Throws Error(corrupt).
    LeftOut after_call(u64 most);
    /// The calls from here on may come again.
    [[nodiscard]] bool begins() const { return begins_; }
    /// Calls since begins() may still come again.
    [[nodiscard]] bool is_looking() const { return finder_.is_looking(); }

  private:
    CallReader& calls_;
    CallUnwinder& unwinder_;
    RepeatFinder<CallUnwinder> finder_;
    u64 length_ = 0;   ///< calls since begins()
    u64 records_ = 0;  ///< theirs
    bool begins_ = false;
};

}  // namespace tracefold
