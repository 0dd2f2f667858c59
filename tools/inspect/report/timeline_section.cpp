// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "analysis/timeline.hpp"
#include "common/csv.hpp"
#include "common/text.hpp"
#include "common/units.hpp"
#include "inspect/report/metric_charts.hpp"
#include "inspect/report/sections.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <utility>

#include <fmt/core.h>

namespace tracefold {

namespace {

constexpr std::size_t kMostLanes = 32;
constexpr std::size_t kTimelineColumns = 300;
constexpr double kLeastLeft = 60;
constexpr double kLetter = 6.2;  ///< width of a letter of a label, about
constexpr double kWidth = 840;
constexpr double kLane = 20;  ///< from lane to lane
constexpr double kBand = 16;  ///< height of a lane
constexpr double kAxis = 22;

constexpr std::array<std::string_view, kTimeUses> kClasses = {
    "computation", "point-to-point", "collective",  "one-sided",   "other-mpi", "kernel",
    "device-copy", "device-wait",    "device-call", "thread-wait", "file-io",   "idle"};

std::string number(double value) { return fmt::format("{:.1f}", value); }

/// Threads and streams with events, those of a process together; what only holds metrics has no
/// use of time.
std::vector<std::vector<u32>> lanes_of_processes(const ReportSource& source,
                                                 StructureIndex& index) {
    std::map<std::pair<u32, u32>, std::map<u32, u32>> processes;
    const std::vector<LocationDefinition>& locations = source.file.definitions().locations();
    for (u32 location = 0; location < source.file.location_count(); ++location) {
        if (locations[location].is_metric()) continue;
        if (index.script(Stream::events, location) == kNone) continue;
        const ParticipantNames::Place place = source.names.place(location);
        const u32 alone = place.rank == kNone ? place.thread : 0;
        processes[{place.rank, alone}].emplace(place.thread, location);
    }
    std::vector<std::vector<u32>> lanes;
    for (const auto& [process, threads] : processes) {
        lanes.emplace_back();
        for (const auto& [thread, location] : threads) lanes.back().push_back(location);
    }
    return lanes;
}

/// Locations that are threads or streams.
std::size_t possible_lanes(const ReportSource& source) {
    const std::vector<LocationDefinition>& all = source.file.definitions().locations();
    return static_cast<std::size_t>(std::count_if(
        all.begin(), all.end(), [](const LocationDefinition& it) { return !it.is_metric(); }));
}

/// All of them, or those of some processes that are evenly spread.
std::vector<u32> lanes_of(const ReportSource& source, StructureIndex& index) {
    const std::vector<std::vector<u32>> processes = lanes_of_processes(source, index);
    std::size_t most = 1;
    for (const std::vector<u32>& process : processes) most = std::max(most, process.size());
    const std::size_t wanted =
        std::min(processes.size(), std::max<std::size_t>(1, kMostLanes / most));
    std::vector<u32> lanes;
    for (std::size_t i = 0; i < wanted; ++i) {
        const std::vector<u32>& process = processes[i * processes.size() / wanted];
        lanes.insert(lanes.end(), process.begin(), process.end());
    }
    lanes.resize(std::min(lanes.size(), kMostLanes));
    return lanes;
}

/// Where the lanes begin: right of their labels.
double left_of(const ReportSource& source, const Timeline& timeline) {
    std::size_t letters = 0;
    for (const Timeline::Lane& lane : timeline.lanes) {
        letters = std::max(letters, source.names.label(lane.location).size());
    }
    return std::max(kLeastLeft, kLetter * static_cast<double>(letters) + 10);
}

bool has_use(const Timeline& timeline, std::size_t use) {
    for (const Timeline::Lane& lane : timeline.lanes) {
        for (const Timeline::Column& column : lane.columns) {
            if (column[use] != 0) return true;
        }
    }
    return false;
}

/// One use of a lane's time: an area between what the uses before it take and its own top.
void draw_use(std::ostream& out, const Timeline::Lane& lane, std::size_t use, double left,
              double top) {
    std::string path;
    const double width = kWidth / static_cast<double>(lane.columns.size());
    for (std::size_t column = 0; column < lane.columns.size(); ++column) {
        const Timeline::Column& ticks = lane.columns[column];
        double before = 0;
        double total = 0;
        for (std::size_t i = 0; i < kTimeUses; ++i) {
            if (i < use) before += static_cast<double>(ticks[i]);
            total += static_cast<double>(ticks[i]);
        }
        if (ticks[use] == 0) continue;
        const double height = kBand * static_cast<double>(ticks[use]) / total;
        path += fmt::format("M{:.1f} {:.1f}h{:.1f}v-{:.1f}h-{:.1f}z",
                            left + static_cast<double>(column) * width,
                            top + kBand - kBand * before / total, width + 0.1, height, width + 0.1);
    }
    if (!path.empty()) out << "<path class=\"" << kClasses[use] << "\" d=\"" << path << "\"/>\n";
}

void draw_label(std::ostream& out, double x, double y, std::string_view anchor,
                const std::string& text) {
    out << "<text x=\"" << number(x) << "\" y=\"" << number(y) << "\" text-anchor=\"" << anchor
        << "\">" << markup_text(text) << "</text>\n";
}

void draw_axis(std::ostream& out, const ReportSource& source, const Timeline& timeline, double left,
               double y) {
    constexpr int kTicks = 6;
    for (int tick = 0; tick <= kTicks; ++tick) {
        const double share = static_cast<double>(tick) / kTicks;
        const double seconds = source.seconds(timeline.window.length()) * share;
        draw_label(out, left + share * kWidth, y, tick == kTicks ? "end" : "middle",
                   format_time(seconds));
    }
}

void draw(ReportPage& page, const ReportSource& source, const Timeline& timeline) {
    const double height = kLane * static_cast<double>(timeline.lanes.size()) + kAxis;
    const double left = left_of(source, timeline);
    std::ostream& out = page.out();
    out << "<svg class=\"chart\" viewBox=\"0 0 " << number(left + kWidth + 10) << ' '
        << number(height) << "\" role=\"img\"><title>time by use</title>\n";
    double top = 0;
    for (const Timeline::Lane& lane : timeline.lanes) {
        draw_label(out, left - 6, top + kBand - 4, "end", source.names.label(lane.location));
        for (std::size_t use = 0; use < kTimeUses; ++use) draw_use(out, lane, use, left, top);
        top += kLane;
    }
    draw_axis(out, source, timeline, left, top + 12);
    out << "</svg>\n";
}

void put_key(ReportPage& page, const Timeline& timeline) {
    page.out() << "<p class=\"soft chart\">";
    for (std::size_t use = 0; use < kTimeUses; ++use) {
        if (!has_use(timeline, use)) continue;
        page.out() << "<span class=\"key " << kClasses[use] << "\"></span>"
                   << time_use_name(static_cast<TimeUse>(use));
    }
    page.out() << "</p>\n";
}

std::string csv_of(const ReportSource& source, const Timeline& timeline) {
    std::string csv = "location,column,begin_seconds";
    for (std::size_t use = 0; use < kTimeUses; ++use) {
        csv.append(",").append(time_use_name(static_cast<TimeUse>(use)));
    }
    csv += "\n";
    const double width = source.seconds(column_width(timeline.window, kTimelineColumns));
    for (const Timeline::Lane& lane : timeline.lanes) {
        for (std::size_t column = 0; column < lane.columns.size(); ++column) {
            csv += fmt::format("{},{},{:.9g}", csv_field(source.names.label(lane.location)), column,
                               width * static_cast<double>(column));
            for (const u64 ticks : lane.columns[column]) {
                csv += fmt::format(",{:.6g}", source.seconds(ticks));
            }
            csv += "\n";
        }
    }
    return csv;
}

Timeline timeline_of(ReportSource& source, const std::vector<u32>& lanes, TickWindow window) {
    return make_timeline(source.file, lanes, window, kTimelineColumns,
                         source.iterations.of(lanes.front()));
}

void put_iteration(ReportPage& page, ReportSource& source, const std::vector<u32>& lanes,
                   const Timeline::Iteration& iteration) {
    if (iteration.span.length() == 0) return;
    const Timeline one = timeline_of(source, lanes, iteration.span);
    page.note(fmt::format("Step {} of the program, the one in the middle, over the same locations.",
                          iteration.number));
    draw(page, source, one);
    page.data("timeline-iteration.csv", csv_of(source, one));
}

void put_metric_charts(ReportPage& page, const ReportSource& source, const Timeline& run) {
    const std::vector<MetricSeries> series =
        metric_series(source.file, run.window, kTimelineColumns);
    if (series.empty()) return;
    const MetricCatalogue catalogue(source.file);
    page.note(
        "Metrics over the same time: the line is the mean of the locations that have them, the "
        "band reaches from the least to the greatest.");
    draw_metrics(page.out(), series, catalogue, left_of(source, run), kWidth);
    const double width = source.seconds(column_width(run.window, kTimelineColumns));
    page.data("metrics-over-time.csv", series_csv(series, catalogue, width));
}

}  // namespace

void put_timeline(ReportPage& page, ReportSource& source) {
    page.begin("Timeline", "timeline");
    const std::vector<u32> lanes = lanes_of(source, source.listing.index());
    const TickWindow window =
        source.keeps_every_time() ? recorded_window(source.file, lanes) : TickWindow{};
    if (window.length() == 0) {
        page.note(
            "The file does not keep when each call was; one with exact or quantized times "
            "has a timeline.");
        page.end();
        return;
    }
    const Timeline run = timeline_of(source, lanes, window);
    page.note(fmt::format(
        "What {} of {} locations spend their time on, from the first record to the last one.",
        lanes.size(), possible_lanes(source)));
    put_key(page, run);
    draw(page, source, run);
    page.data("timeline.csv", csv_of(source, run));
    put_metric_charts(page, source, run);
    if (!run.iterations.empty()) {
        put_iteration(page, source, lanes, run.iterations[run.iterations.size() / 2]);
    }
    page.end();
    page.explain("computation",
                 "All time of a thread outside of calls of MPI and of an accelerator's interface.");
    page.explain("timeline column",
                 "An equal part of the time; colours fill it by their share. "
                 "Clocks are taken as recorded.");
}

}  // namespace tracefold
