// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "profile/device_times.hpp"

#include "analysis/node_clocks.hpp"
#include "model/record_kinds.hpp"
#include "profile/time_sweep.hpp"
#include "trace/call_reader.hpp"
#include "trace/region_stack.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

namespace tracefold {

namespace {

/// Reads the records of a stream of an accelerator one by one and knows what it runs from each to
/// the next.
class StreamStates {
  public:
    StreamStates(TraceFile& file, u32 location, const ClockMap& clock)
        : stream_(file, location),
          clock_(clock),
          definitions_(file.definitions()),
          open_(file.definitions().locations()[location].is_stream()) {}

    /// Goes on to the next record; false at the end. Throws Error(corrupt).
    bool next() {
        while (record_ == stream_.records().size()) {
            record_ = 0;
            over_ = !stream_.next();
            if (over_) return false;
        }
        take();
        ++record_;
        return true;
    }

    /// Of the record, on the common clock.
    [[nodiscard]] u64 time() const { return time_; }
    /// A kernel, a copy, another operation, or none. Kernels come before copies.
    [[nodiscard]] AcceleratorUse now() const {
        if (over_) return AcceleratorUse::none;
        if (kernels_ > 0) return AcceleratorUse::kernel;
        if (copies_ > 0) return AcceleratorUse::copy;
        return others_ > 0 ? AcceleratorUse::call : AcceleratorUse::none;
    }

  private:
    struct Frame {
        u64 region;
        AcceleratorUse use;
    };

    void take() {
        const RecordBatch::Head& head = stream_.records()[record_];
        time_ = clock_.common(head.time);
        if (is_enter(head.type)) {
            const u64 region = stream_.region(record_).id;
            const AcceleratorUse use = definitions_.accelerator_use(region, true);
            open_.enter({region, use}, false);
            count(use, 1);
        } else if (is_leave(head.type)) {
            for (const Frame& frame : open_.leave(stream_.region(record_).id)) count(frame.use, -1);
        } else if (begins_copy(head.type)) {
            ++copies_;
        } else if (ends_copy(head.type) && copies_ > 0) {
            --copies_;
        }
    }

    void count(AcceleratorUse use, i64 change) {
        if (use == AcceleratorUse::kernel) kernels_ += change;
        if (use == AcceleratorUse::copy) copies_ += change;
        if (use == AcceleratorUse::call) others_ += change;
    }

    CallReader stream_;
    ClockMap clock_;
    const DefinitionIndex& definitions_;
    RegionStack<Frame> open_;
    i64 kernels_ = 0;  ///< that run
    i64 copies_ = 0;
    i64 others_ = 0;
    std::size_t record_ = 0;
    u64 time_ = 0;
    bool over_ = false;
};

/// Shares the ticks between `begin` and `end` out. True if all that the streams do, at any time,
/// is operations that are no work of a device.
bool sweep(TraceFile& file, const CommonClock& clock, const std::vector<u32>& streams, u64 begin,
           u64 end, DeviceTimes& times) {
    TimeSweep<StreamStates> sweep;
    for (const u32 location : streams) sweep.add(file, location, clock.map(location));
    i64 kernels = 0;  // streams that run one
    i64 copies = 0;
    bool works = false;
    bool is_used = false;
    u64 last = begin;
    const auto until = [&](u64 time) {
        const u64 stop = std::min(time, end);
        if (stop <= last) return;
        if (kernels > 0) {
            times.kernels += stop - last;
        } else if (copies > 0) {
            times.copies += stop - last;
        }
        last = stop;
    };
    sweep.run(until, [&](AcceleratorUse use, int change) {
        if (use == AcceleratorUse::kernel) kernels += change;
        if (use == AcceleratorUse::copy) copies += change;
        works = works || use == AcceleratorUse::kernel || use == AcceleratorUse::copy;
        is_used = is_used || use == AcceleratorUse::call;
    });
    until(end);
    return is_used && !works;
}

/// From the first of the processes to the last.
ProcessSpan span_of_all(const std::vector<ProcessSpan>& processes) {
    ProcessSpan all{{}, ~u64{0}, 0, kNone};
    for (const ProcessSpan& process : processes) {
        all.begin = std::min(all.begin, process.begin);
        all.end = std::max(all.end, process.end);
    }
    return all;
}

}  // namespace

std::vector<DeviceTimes> device_times(TraceFile& file, const std::vector<ProcessSpan>& processes) {
    const DefinitionIndex& definitions = file.definitions();
    std::map<std::pair<u32, u64>, std::vector<u32>> devices;  // by process and location group
    std::set<u64> groups_with_threads;
    for (u32 location = 0; location < file.location_count(); ++location) {
        const LocationDefinition& it = definitions.locations()[location];
        if (it.is_thread()) groups_with_threads.insert(it.group);
        if (!it.is_stream()) continue;
        devices[{definitions.process(it).value_or(kNone), it.group}].push_back(location);
    }
    if (devices.empty()) return {};
    const CommonClock clock = common_clock(file);
    const ProcessSpan all = span_of_all(processes);
    std::vector<DeviceTimes> result;
    for (const auto& [key, streams] : devices) {
        const auto [process, group] = key;
        const auto found = std::ranges::find(processes, process, &ProcessSpan::number);
        const ProcessSpan& span = found == processes.end() ? all : *found;
        DeviceTimes times;
        times.name = definitions.location_group_name(group);
        times.process = process;
        times.streams = static_cast<u32>(streams.size());
        times.span = span.end - std::min(span.begin, span.end);
        const bool manages_memory = sweep(file, clock, streams, span.begin, span.end, times);
        if (!manages_memory || !groups_with_threads.contains(group)) result.push_back(times);
    }
    return result;
}

}  // namespace tracefold
