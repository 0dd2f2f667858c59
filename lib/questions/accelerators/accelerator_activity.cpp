// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "questions/accelerators/accelerator_activity.hpp"

#include "file/call_reader.hpp"
#include "file/common_clock.hpp"
#include "file/region_stack.hpp"
#include "model/definition_table.hpp"
#include "questions/calls/tick_window.hpp"

#include <algorithm>
#include <tuple>
#include <unordered_map>

namespace tracefold {

namespace {

using Call = AcceleratorActivity::Call;

/// Pseudo region of copies.
constexpr u64 kCopyTo = ~u64{0};
constexpr u64 kCopyFrom = ~u64{0} - 1;

/// Calls of all locations by region.
class CallBook {
  public:
    explicit CallBook(const DefinitionIndex& definitions) : definitions_(definitions) {}

    [[nodiscard]] AcceleratorUse use_of(u64 region, bool on_stream) {
        if (region == kCopyTo || region == kCopyFrom) return AcceleratorUse::copy;
        const auto [known, fresh] = uses_[on_stream ? 1 : 0].try_emplace(region);
        if (fresh) known->second = definitions_.accelerator_use(region, on_stream);
        return known->second;
    }

    Call& of(u64 region, bool on_stream, u32 location) {
        const auto [found, fresh] =
            places_[on_stream ? 1 : 0].try_emplace(region, static_cast<u32>(calls_.size()));
        if (fresh) {
            Call& call = calls_.emplace_back();
            call.name = name_of(region);
            call.use = use_of(region, on_stream);
            call.on_stream = on_stream;
            last_.push_back(kNone);
        }
        Call& call = calls_[found->second];
        if (last_[found->second] != location) ++call.locations;
        last_[found->second] = location;
        return call;
    }

    /// Calls on streams first, then on threads; each by descending time.
    std::vector<Call> finish() {
        std::stable_sort(calls_.begin(), calls_.end(), [](const Call& a, const Call& b) {
            return std::tuple(!a.on_stream, a.use, b.ticks) <
                   std::tuple(!b.on_stream, b.use, a.ticks);
        });
        return std::move(calls_);
    }

  private:
    [[nodiscard]] std::string name_of(u64 region) const {
        const bool is_copy = region == kCopyTo || region == kCopyFrom;
        return is_copy ? std::string(copy_name(region == kCopyTo))
                       : definitions_.region_name(region);
    }

    const DefinitionIndex& definitions_;
    std::unordered_map<u64, AcceleratorUse> uses_[2];  ///< uses by region: on threads, on streams
    std::unordered_map<u64, u32>
        places_[2];  ///< indices of calls by region: on threads, on streams
    std::vector<Call> calls_;
    std::vector<u32> last_;  ///< location, by call
};

/// Time covered by a union of intervals, added by ascending end. Memory: gaps since forget_gaps().
class CoveredTime {
  public:
    void add(u64 begin, u64 end) {
        if (!parts_.empty()) end = std::max(end, parts_.back().end);
        while (!parts_.empty() && parts_.back().end >= begin) {
            begin = std::min(begin, parts_.back().begin);
            ticks_ -= parts_.back().end - parts_.back().begin;
            parts_.pop_back();
        }
        begin = std::max(begin, closed_);
        if (end <= begin) return;
        ticks_ += end - begin;
        parts_.push_back({begin, end});
    }
    /// Precondition for later intervals: none begins before the end of an earlier one.
    void forget_gaps() {
        if (!parts_.empty()) closed_ = parts_.back().end;
        parts_.clear();
    }
    [[nodiscard]] u64 ticks() const { return ticks_; }

  private:
    struct Part {
        u64 begin;
        u64 end;
    };

    std::vector<Part> parts_;
    u64 closed_ = 0;
    u64 ticks_ = 0;
};

class ActivityWalk {
  public:
    ActivityWalk(TraceFile& file, u32 location, CallBook& book)
        : stream_(file, location),
          on_stream_(file.definitions().locations()[location].is_stream()),
          book_(book),
          open_(on_stream_) {
        result_.location = location;
    }

    AcceleratorActivity::Location run() {
        while (stream_.next()) {
            for (std::size_t i = 0; i < stream_.records().size(); ++i) record(i);
        }
        if (on_stream_) {
            for (std::size_t use = 0; use < kAcceleratorUses; ++use) {
                result_.ticks[use] = covered_[use].ticks();
            }
            result_.busy = busy_.ticks();
        }
        return result_;
    }

    /// First and last record, on the clock of the location. Precondition: it has records.
    [[nodiscard]] u64 first() const { return first_; }
    [[nodiscard]] u64 last() const { return last_; }

  private:
    struct Frame {
        u64 region;
        AcceleratorUse use;
        bool within;  ///< one with a use, or within such a one
        bool outermost;
        u64 begin;
    };

    void record(std::size_t number) {
        const RecordBatch::Head& head = stream_.records()[number];
        first_ = std::min(first_, head.time);
        last_ = std::max(last_, head.time);
        if (is_enter(head.type)) {
            const CallReader::Region region = stream_.region(number);
            enter(region.id, book_.use_of(region.id, on_stream_), head.time, region.is_mpi);
        } else if (is_leave(head.type)) {
            const u64 region = stream_.region(number).id;
            leave(region, region, head.time);
        } else if (const TaskChange* const change = stream_.task_change(number)) {
            change_task(open_, *change, [this](const OpenVisit& it) {
                enter(it.region, book_.use_of(it.region, on_stream_), it.ticks, it.is_mpi);
            });
        } else if (on_stream_) {
            copy(head);
        }
    }

    void enter(u64 region, AcceleratorUse use, u64 time, bool is_mpi) {
        const bool counts = use != AcceleratorUse::none;
        const bool within = !open_.empty() && open_.back().within;
        open_.enter({region, use, counts || within, counts && !within, time}, is_mpi);
    }

    /// Regions without a Leave have no time. `region`: `open`, or the pseudo region of a copy.
    void leave(u64 open, u64 region, u64 time) {
        const std::span<const Frame> ended = open_.leave(open);
        if (!ended.empty() && ended.front().use != AcceleratorUse::none) {
            end(ended.front(), region, time);
        }
        if (!on_stream_ || !open_.empty()) return;
        for (CoveredTime& covered : covered_) covered.forget_gaps();
        busy_.forget_gaps();
    }

    void end(const Frame& frame, u64 region, u64 time) {
        const u64 ticks = elapsed(frame.begin, time);
        Call& call = book_.of(region, on_stream_, result_.location);
        call.shortest = call.calls == 0 ? ticks : std::min(call.shortest, ticks);
        call.longest = std::max(call.longest, ticks);
        ++call.calls;
        call.ticks += ticks;
        const auto use = static_cast<std::size_t>(frame.use);
        if (on_stream_) {
            ++result_.calls[use];
            covered_[use].add(frame.begin, time);
            const bool busy =
                frame.use == AcceleratorUse::kernel || frame.use == AcceleratorUse::copy;
            if (busy) busy_.add(frame.begin, time);
        } else if (frame.outermost) {
            ++result_.calls[use];
            result_.ticks[use] += ticks;
        }
    }

    void copy(const RecordBatch::Head& head) {
        if (begins_copy(head.type)) {
            const StreamCopies::Copy& begun =
                copies_.begin(head.type, stream_.records().values(head));
            enter(begun.id, AcceleratorUse::copy, head.time, false);
            book_.of(region_of(begun), true, result_.location).bytes += begun.bytes;
            result_.bytes += begun.bytes;
        } else if (ends_copy(head.type)) {
            const auto ended = copies_.end(stream_.records().values(head));
            if (ended) leave(ended->id, region_of(*ended), head.time);
        }
    }

    static u64 region_of(const StreamCopies::Copy& copy) {
        return copy.to_device ? kCopyTo : kCopyFrom;
    }

    CallReader stream_;
    bool on_stream_;
    CallBook& book_;
    AcceleratorActivity::Location result_;
    RegionStack<Frame> open_;
    StreamCopies copies_;
    std::array<CoveredTime, kAcceleratorUses> covered_;
    CoveredTime busy_;
    u64 first_ = ~u64{0};
    u64 last_ = 0;
};

bool is_used(const AcceleratorActivity::Location& location) {
    return std::any_of(location.calls.begin(), location.calls.end(),
                       [](u64 calls) { return calls != 0; });
}

}  // namespace

bool has_accelerators(TraceFile& file) {
    const DefinitionIndex& definitions = file.definitions();
    bool found = std::any_of(definitions.locations().begin(), definitions.locations().end(),
                             [](const LocationDefinition& it) { return it.is_stream(); });
    if (found) return true;
    for_each_record(*file.global_definitions(), [&](const auto& head, auto fields) {
        if (head.type != static_cast<u8>(DefinitionType::Region)) return;
        found = found || definitions.accelerator_use(fields[0], false) != AcceleratorUse::none;
    });
    return found;
}

AcceleratorActivity accelerator_activity(TraceFile& file) {
    AcceleratorActivity activity;
    if (!has_accelerators(file)) return activity;
    const CommonClock clock = common_clock(file);
    CallBook book(file.definitions());
    const std::vector<LocationDefinition>& locations = file.definitions().locations();
    u64 first = ~u64{0};
    u64 last = 0;
    for (u32 location = 0; location < file.location_count(); ++location) {
        const bool recorded = file.index().script(Stream::events, location) != kNone;
        if (locations[location].is_metric()) continue;
        const bool on_stream = locations[location].is_stream();
        ActivityWalk walk(file, location, book);
        const auto found = walk.run();
        if (recorded) {
            first = std::min(first, clock.since_start(location, walk.first()));
            last = std::max(last, clock.since_start(location, walk.last()));
        }
        if (on_stream) activity.streams.push_back(found);
        if (!on_stream && is_used(found)) activity.threads.push_back(found);
    }
    activity.calls = book.finish();
    activity.length = elapsed(first, last);
    return activity;
}

}  // namespace tracefold
