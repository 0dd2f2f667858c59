// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause

// A whole file, as for fuzz_trace_file: everything that looks into a trace or converts it must cope
// with whatever its records say.
#include "base/communicator.hpp"
#include "export/export_format.hpp"
#include "fuzz/plain_trace.hpp"
#include "fuzz/target.hpp"
#include "questions/profile/detail/efficiency.hpp"
#include "questions/profile/trace_profile.hpp"
#include "questions/stats/detail/rank_classes.hpp"
#include "questions/stats/statistics.hpp"
#include "questions/timeline/view_messages.hpp"

#include <numeric>

namespace {

using namespace tracefold;

/// Longer traces are no harder, only longer.
constexpr u64 kEvents = 20'000;

/// For lanes, in bytes.
constexpr std::size_t kLaneBytes = 1U << 24U;

bool is_short(TraceFile& file) {
    u64 events = 0;
    for (u32 location = 0; location < file.location_count(); ++location) {
        const LocationFacts facts = file.index().facts(location);
        if (facts.events > kEvents || facts.local_definitions > PlainTrace::kDefinitions) {
            return false;
        }
        events += facts.events;
    }
    return events <= kEvents;
}

/// What a trace does not have may be said as an error of the command line.
template <class Work>
void attempt(const Work& work) {
    try {
        work();
    } catch (const Error& error) {
        if (error.kind() != ErrorKind::usage && error.kind() != ErrorKind::corrupt &&
            error.kind() != ErrorKind::unsupported) {
            throw;
        }
    }
}

/// All of a lane, its middle, and the messages of both.
void draw_timeline(TraceFile& file) {
    if (!keeps_every_time(file.summary().timing)) return;
    FoundSteps steps(file);
    TraceView view(file, steps, kLaneBytes);
    std::vector<u32> rows(view.rows().rows.size());
    std::iota(rows.begin(), rows.end(), 0);
    for (const u32 row : rows) {
        const std::shared_ptr<const Lane> lane = view.lane(row);
        const u64 quarter = (lane->end() - lane->begin()) / 4;
        for (const TickWindow window :
             {TickWindow{lane->begin(), lane->end() + 1},
              TickWindow{lane->begin() + quarter, lane->end() - quarter}}) {
            if (window.length() == 0) continue;
            lane_columns(*lane, window, 50);
            lane_boxes(*lane, window, 100);
        }
        view.steps(view.rows().rows[row].location);
    }
    const TickWindow run = view.program_window(rows);
    view_messages(view, rows, run, kEvents, kEvents);
}

void look_at(TraceFile& file) {
    SerialCommunicator comm;
    attempt([&] { collect_statistics(comm, file, SampleRequest{}); });
    attempt([&] { collect_classes(comm, file, ClassRequest{}); });
    attempt([&] {
        ProfileRequest request;
        request.selected.assign(file.location_count(), true);
        trace_profile(comm, file, request);
    });
    attempt([&] { trace_efficiency(file); });
    attempt([&] { draw_timeline(file); });
}

void convert(TraceFile& file) {
    // Some formats write several files: all of them go with the folder.
    const std::string folder = PlainTrace::path() + ".out";
    ExportOptions options;
    for (const ExportFormat& format : export_formats()) {
        std::filesystem::create_directory(folder);
        attempt([&] { format.write(file, folder + "/out", options); });
        std::filesystem::remove_all(folder);
    }
}

void decode(std::string_view bytes) {
    PlainTrace trace(bytes);
    if (!is_short(*trace)) return;
    look_at(*trace);
    convert(*trace);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    return expect_survival(data, size, decode);
}
