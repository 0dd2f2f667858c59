// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "questions/profile/io_profile.hpp"

#include "file/call_names.hpp"
#include "questions/calls/tick_window.hpp"
#include "questions/profile/path_walk.hpp"
#include "questions/profile/trace_profile.hpp"

#include <algorithm>
#include <map>
#include <utility>

namespace tracefold {

namespace {

/// By file and node.
using Places = std::map<std::pair<u32, u32>, IoProfile::Figures>;

bool is_io_record(u8 type) {
    return type >= static_cast<u8>(EventType::IoCreateHandle) &&
           type <= static_cast<u8>(EventType::IoTryLock);
}

bool has_io(TraceFile& file, const IoFiles& files, u32 script) {
    for (const u32 symbol : file.structure().scripts[script].symbols) {
        for (const Element& element : file.structure().symbols[symbol].elements) {
            if (is_io_record(element.type)) return true;
            if (!is_enter(element.type)) continue;
            // Odd: a location-local id.
            if ((element.context & 1U) != 0) return true;
            const FieldKind kind = event_info(element.type).fields[0].kind;
            const u64 region = file.definitions().region_of(kind, element.context >> 1U);
            if (files.is_io_call(region)) return true;
        }
    }
    return false;
}

/// Locations that access files, plus those that start threads if there are any.
std::vector<u32> io_locations(TraceFile& file, const IoFiles& files,
                              const std::vector<bool>& selected) {
    std::vector<u32> locations;
    bool any = false;
    for (u32 location = 0; location < file.location_count(); ++location) {
        const u32 script = file.index().script(Stream::events, location);
        if (!selected[location] || script == kNone) continue;
        const bool uses_files = has_io(file, files, script);
        any = any || uses_files;
        if (uses_files || starts_threads(file, location)) locations.push_back(location);
    }
    if (!any) return {};
    return forking_first(file, locations);
}

/// Tracks the files that a location uses.
class IoWalk {
  public:
    IoWalk(TraceFile& file, const IoFiles& files, const IoCrossings& crossings, u32 location,
           bool with_times, const ClockMap& clock, CallTree& tree, TraceThreads& threads)
        : files_(files),
          tracker_(crossings, location),
          clock_(clock),
          walk_(file, location, location, with_times ? Times::read : Times::skip, tree, threads) {}

    void run() {
        while (walk_.next()) {
            end_call();
            if (walk_.step() == PathWalk::Step::entered) begin_call();
            if (is_io_record(walk_.head().type)) follow();
        }
    }

    [[nodiscard]] const Places& places() const { return places_; }
    [[nodiscard]] const IoTracker& tracker() const { return tracker_; }

  private:
    static constexpr u32 kNoCall = kNone;

    void begin_call() {
        if (call_ != kNoCall || !files_.is_io_call(walk_.region())) return;
        call_ = walk_.here();
        call_depth_ = walk_.depth();
        call_file_ = kNone;
        call_begin_ = walk_.head().time;
    }

    void end_call() {
        if (call_ == kNoCall || walk_.depth() >= call_depth_) return;
        const u64 end = walk_.head().time;
        IoProfile::Figures& figures = places_[{call_file_, call_}];
        ++figures.calls;
        figures.call_ticks += end > call_begin_ ? end - call_begin_ : 0;
        call_ = kNoCall;
    }

    void follow() {
        const RecordBatch::Head& head = walk_.head();
        const auto type = static_cast<EventType>(head.type);
        // The first field is a handle, except when deleting files.
        if (type == EventType::IoDeleteFile) return;
        const u32 file = file_of(walk_.values()[type == EventType::IoDuplicateHandle ? 1 : 0]);
        if (call_file_ == kNone) call_file_ = file;
        if (type == EventType::IoCreateHandle || type == EventType::IoDuplicateHandle) {
            ++places_[{file, walk_.here()}].opened;
        }
        const std::optional<IoOperation> done =
            tracker_.follow(head, walk_.values(), walk_.tables(), walk_.here());
        if (!done) return;
        IoProfile::Operations& operations = places_[{files_.of_handle(done->handle), done->mark}]
                                                .operations[static_cast<std::size_t>(done->mode)];
        operations.add(
            {1, done->known_bytes(), done->lacks_size() ? 1U : 0U, done->end - done->begin, {}});
        operations.busy.add(clock_.common(done->begin), clock_.common(done->end));
    }

    [[nodiscard]] u32 file_of(u64 handle) const {
        return files_.of_handle(walk_.tables().global(FieldKind::io_handle, handle));
    }

    const IoFiles& files_;
    IoTracker tracker_;
    ClockMap clock_;
    PathWalk walk_;
    Places places_;
    u32 call_ = kNoCall;  ///< node of the open I/O call
    std::size_t call_depth_ = 0;
    u32 call_file_ = kNone;  ///< its first file
    u64 call_begin_ = 0;
};

}  // namespace

void IoProfile::Figures::add(const Figures& other) {
    opened += other.opened;
    for (std::size_t mode = 0; mode < kIoModes; ++mode) {
        operations[mode].add(other.operations[mode]);
    }
    calls += other.calls;
    call_ticks += other.call_ticks;
}

std::string IoProfile::path(u32 node) const {
    std::string path;
    for (u32 at = node; at != kNone; at = tree[at].parent) {
        path.insert(0, path.empty() ? names[at] : names[at] + "/");
    }
    return path;
}

IoProfile trace_io(TraceFile& file, const std::vector<bool>& selected) {
    const IoFiles files(file);
    IoProfile result;
    result.files = files.files();
    result.has_times = keeps_every_time(file.summary().timing);
    result.rate = file.definitions().tick_rate();
    const IoCrossings crossings(file);
    const CommonClock clock = common_clock(file);
    TraceThreads threads(file);
    for (const u32 location : io_locations(file, files, selected)) {
        IoWalk walk(file, files, crossings, location, result.has_times, clock.map(location),
                    result.tree, threads);
        walk.run();
        for (const auto& [place, figures] : walk.places()) {
            result.rows.push_back({place.first, location, place.second, figures});
        }
        result.outstanding += walk.tracker().outstanding().size();
        result.unmatched += walk.tracker().unmatched();
        result.cancelled += walk.tracker().cancelled();
    }
    std::stable_sort(
        result.rows.begin(), result.rows.end(),
        [](const IoProfile::Row& a, const IoProfile::Row& b) { return a.location < b.location; });
    for (u32 node = 0; node < result.tree.size(); ++node) {
        result.names.push_back(call_name(file.definitions(), result.tree[node]));
    }
    return result;
}

}  // namespace tracefold
