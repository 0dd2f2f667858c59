// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause

// A whole file, as for fuzz_trace_file: everything that looks into a trace or converts it must cope
// with whatever its records say.
#include "analysis/iterations.hpp"
#include "analysis/timeline.hpp"
#include "comm/serial.hpp"
#include "exporters/export_format.hpp"
#include "fuzz/plain_trace.hpp"
#include "fuzz/target.hpp"
#include "profile/efficiency.hpp"
#include "profile/trace_profile.hpp"
#include "stats/rank_classes.hpp"
#include "stats/statistics.hpp"

#include <numeric>

namespace {

using namespace tracefold;

/// Longer traces are no harder, only longer.
constexpr u64 kEvents = 20'000;

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

void draw_timeline(TraceFile& file) {
    if (!keeps_every_time(file.summary().timing)) return;
    std::vector<u32> locations(file.location_count());
    std::iota(locations.begin(), locations.end(), 0);
    const TickWindow window = recorded_window(file, locations);
    if (window.length() == 0) return;
    ListingSource source(file);
    FoundSteps steps(file);
    Iterations iterations(file, source, steps);
    make_timeline(file, locations, window, 50, iterations.of(0));
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
