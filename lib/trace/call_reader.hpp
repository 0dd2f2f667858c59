// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "fold/repeat_finder.hpp"
#include "model/record_kinds.hpp"
#include "trace/call_unwinder.hpp"
#include "trace/record_source.hpp"
#include "trace/region_nesting.hpp"
#include "trace/repeated_times.hpp"
#include "trace/tick_source.hpp"

#include <optional>
#include <span>
#include <vector>

namespace tracefold {

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

}  // namespace tracefold
