// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "analysis/accelerator_activity.hpp"

#include "model/definition_table.hpp"
#include "model/record_kinds.hpp"
#include "trace/call_reader.hpp"
#include "trace/region_stack.hpp"

#include <algorithm>
#include <limits>
#include <tuple>
#include <unordered_map>

namespace tracefold {

namespace {

using Call = AcceleratorActivity::Call;

/// In place of regions.
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

    /// Those on streams first, each by falling time.
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
    std::unordered_map<u64, AcceleratorUse> uses_[2];  ///< on threads, on streams
    std::unordered_map<u64, u32> places_[2];           ///< the same
    std::vector<Call> calls_;
    std::vector<u32> last_;  ///< location, by call
};

/// Walks one location.
class ActivityWalk {
  public:
    ActivityWalk(TraceFile& file, u32 location, CallBook& book, TickWindow& window)
        : stream_(file, location),
          on_stream_(file.definitions().locations()[location].is_stream()),
          book_(book),
          window_(window) {
        result_.location = location;
    }

    AcceleratorActivity::Location run() {
        while (stream_.next()) {
            for (std::size_t i = 0; i < stream_.records().size(); ++i) record(i);
        }
        return result_;
    }

  private:
    struct Frame {
        u64 region;
        AcceleratorUse use;
        bool outermost;
        u64 begin;
    };

    void record(std::size_t number) {
        const RecordBatch::Head& head = stream_.records()[number];
        window_.begin = std::min(window_.begin, head.time);
        window_.end = std::max(window_.end, head.time);
        if (is_enter(head.type)) {
            const CallReader::Region region = stream_.region(number);
            enter(region.id, head.time, region.is_mpi);
        } else if (is_leave(head.type)) {
            leave(stream_.region(number).id, head.time);
        } else if (on_stream_) {
            copy(head);
        }
    }

    void enter(u64 region, u64 time, bool is_mpi) {
        const AcceleratorUse use = book_.use_of(region, on_stream_);
        const bool counts = use != AcceleratorUse::none;
        open_.enter({region, use, counts && inside_ == 0, time}, is_mpi);
        if (counts) ++inside_;
    }

    /// Regions that were never left have no time.
    void leave(u64 region, u64 time) {
        const std::span<const Frame> ended = open_.leave(region);
        for (const Frame& frame : ended) inside_ -= frame.use == AcceleratorUse::none ? 0 : 1;
        if (ended.empty() || ended.front().use == AcceleratorUse::none) return;
        end(ended.front(), time);
    }

    void end(const Frame& frame, u64 time) {
        const u64 ticks = time > frame.begin ? time - frame.begin : 0;
        Call& call = book_.of(frame.region, on_stream_, result_.location);
        call.shortest = call.calls == 0 ? ticks : std::min(call.shortest, ticks);
        call.longest = std::max(call.longest, ticks);
        ++call.calls;
        call.ticks += ticks;
        if (!frame.outermost) return;
        ++result_.calls[static_cast<std::size_t>(frame.use)];
        result_.ticks[static_cast<std::size_t>(frame.use)] += ticks;
    }

    void copy(const RecordBatch::Head& head) {
        if (begins_copy(head.type)) {
            constexpr std::size_t kBytes = 2;  // of RmaGet and RmaPut
            const u64 region =
                head.type == static_cast<u8>(EventType::RmaGet) ? kCopyTo : kCopyFrom;
            const u64 bytes = stream_.records().values(head)[kBytes];
            enter(region, head.time, false);
            book_.of(region, true, result_.location).bytes += bytes;
            result_.bytes += bytes;
        } else if (ends_copy(head.type) && !open_.empty()) {
            const u64 region = open_.back().region;
            if (region == kCopyTo || region == kCopyFrom) leave(region, head.time);
        }
    }

    CallReader stream_;
    bool on_stream_;
    CallBook& book_;
    TickWindow& window_;
    AcceleratorActivity::Location result_;
    RegionStack<Frame> open_;
    u32 inside_ = 0;  ///< open regions of an accelerator
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
    activity.window = {std::numeric_limits<u64>::max(), 0};
    CallBook book(file.definitions());
    const std::vector<LocationDefinition>& locations = file.definitions().locations();
    for (u32 location = 0; location < file.location_count(); ++location) {
        if (locations[location].is_metric()) continue;
        const bool on_stream = locations[location].is_stream();
        const auto found = ActivityWalk(file, location, book, activity.window).run();
        if (on_stream) activity.streams.push_back(found);
        if (!on_stream && is_used(found)) activity.threads.push_back(found);
    }
    activity.calls = book.finish();
    if (activity.window.begin > activity.window.end) activity.window = {};
    return activity;
}

}  // namespace tracefold
