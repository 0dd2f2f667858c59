// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "profile/device_times.hpp"

#include "model/record_kinds.hpp"
#include "profile/time_sweep.hpp"
#include "trace/call_reader.hpp"
#include "trace/clock_map.hpp"
#include "trace/region_stack.hpp"

#include <algorithm>
#include <map>
#include <utility>

namespace tracefold {

namespace {

AcceleratorUse running(AcceleratorUse use) {
    const bool runs = use == AcceleratorUse::kernel || use == AcceleratorUse::copy;
    return runs ? use : AcceleratorUse::none;
}

/// Reads the records of a stream of an accelerator one by one and knows what it runs from each to
/// the next. Regions within regions are part of the outermost one.
class StreamStates {
  public:
    StreamStates(TraceFile& file, u32 location)
        : stream_(file, location), clock_(file, location), definitions_(file.definitions()) {}

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
    /// A kernel, a copy, or none.
    [[nodiscard]] AcceleratorUse now() const {
        if (over_) return AcceleratorUse::none;
        const bool copies = copies_ > 0 && region() == AcceleratorUse::none;
        return copies ? AcceleratorUse::copy : region();
    }

  private:
    struct Frame {
        u64 region;
        AcceleratorUse use;
    };

    /// What the open regions say.
    [[nodiscard]] AcceleratorUse region() const {
        return open_.empty() ? AcceleratorUse::none : open_.back().use;
    }

    void take() {
        const RecordBatch::Head& head = stream_.records()[record_];
        time_ = clock_.common(head.time);
        if (is_enter(head.type)) {
            const CallReader::Region entered = stream_.region(record_);
            const AcceleratorUse use =
                region() != AcceleratorUse::none
                    ? region()
                    : running(definitions_.accelerator_use(entered.id, true));
            open_.enter({entered.id, use}, entered.is_mpi);
        } else if (is_leave(head.type)) {
            open_.leave(stream_.region(record_).id);
        } else if (begins_copy(head.type)) {
            ++copies_;
        } else if (ends_copy(head.type) && copies_ > 0) {
            --copies_;
        }
    }

    CallReader stream_;
    ClockMap clock_;
    const DefinitionIndex& definitions_;
    RegionStack<Frame> open_;
    u32 copies_ = 0;  ///< open ones that are no regions
    std::size_t record_ = 0;
    u64 time_ = 0;
    bool over_ = false;
};

/// Shares the ticks between `begin` and `end` out.
void sweep(TraceFile& file, const std::vector<u32>& streams, u64 begin, u64 end,
           DeviceTimes& times) {
    TimeSweep<StreamStates> sweep;
    for (const u32 location : streams) sweep.add(file, location);
    i64 kernels = 0;  // streams that run one
    i64 copies = 0;
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
    });
    until(end);
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
    for (u32 location = 0; location < file.location_count(); ++location) {
        const LocationDefinition& it = definitions.locations()[location];
        if (!it.is_stream()) continue;
        devices[{definitions.process(it).value_or(kNone), it.group}].push_back(location);
    }
    const ProcessSpan all = span_of_all(processes);
    std::vector<DeviceTimes> result;
    for (const auto& [key, streams] : devices) {
        const auto [process, group] = key;
        const auto found = std::ranges::find(processes, process, &ProcessSpan::number);
        const ProcessSpan& span = found == processes.end() ? all : *found;
        DeviceTimes& times = result.emplace_back();
        times.name = definitions.location_group_name(group);
        times.process = process;
        times.streams = static_cast<u32>(streams.size());
        times.span = span.end - std::min(span.begin, span.end);
        sweep(file, streams, span.begin, span.end, times);
    }
    return result;
}

}  // namespace tracefold
