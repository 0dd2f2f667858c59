// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause

#include "base/csv_table.hpp"
#include "common/output_format.hpp"
#include "common/part_options.hpp"
#include "common/table.hpp"
#include "common/text.hpp"
#include "inspect/command.hpp"
#include "inspect/svg.hpp"
#include "questions/matrix/traffic_matrix.hpp"

#include <algorithm>
#include <memory>
#include <ostream>

namespace tracefold {

/// "sent"; for collectives "sent per call to all members", "per peer".
std::string_view side_text(const MessageSizes::Key& key);

/// "64 B - 127 B", "0 B".
std::string class_text(std::size_t size_class);

/// Writes a line per non-empty size class or, with `exact`, per size. Precondition of `exact`:
/// sizes were counted exactly.
void write_sizes_csv(const MessageSizes& sizes, bool exact, std::ostream& out);

/// Draws bars by size class, one colour per call.
void write_sizes_svg(const std::string& file, const MessageSizes& sizes, std::ostream& out);

namespace {

using Entry = std::pair<const MessageSizes::Key, SizeHistogram>;

constexpr std::size_t kSizesBarWidth = 30;

struct SizesArguments {
    TraceInput input;
    RankList ranks;
    bool exact = false;
    OutputFormat format;
};

/// "40 of 8 B to 40 B, 960 B in all"; no total for sizes per peer.
std::string range_text(const MessageSizes::Key& key, const SizeHistogram& histogram) {
    std::string text = format_count(histogram.count) + " of " + format_size(histogram.smallest);
    if (histogram.largest != histogram.smallest) text += " to " + format_size(histogram.largest);
    if (is_per_peer(key.side)) return text;
    return text + ", " + format_size(histogram.bytes) + " in total";
}

void print_bars(const SizeHistogram& histogram, bool with_bytes, Console& console) {
    u64 most = 1;
    for (const SizeHistogram::Class& part : histogram.classes) most = std::max(most, part.count);
    Table table({{"size"}, {"count", kRight}, {with_bytes ? "bytes" : "", kRight}, {""}});
    for (std::size_t i = 0; i < SizeHistogram::kClasses; ++i) {
        const SizeHistogram::Class& part = histogram.classes[i];
        if (part.count == 0) continue;
        const double share = static_cast<double>(part.count) / static_cast<double>(most);
        const auto length = static_cast<std::size_t>(share * kSizesBarWidth);
        table.add_row({class_text(i), format_count(part.count),
                       with_bytes ? format_size(part.bytes) : "",
                       std::string(std::max<std::size_t>(length, 1), '#')});
    }
    table.print(console, 4);
}

void print_exact(const SizeHistogram& histogram, Console& console) {
    Table table({{"size", kRight}, {"count", kRight}});
    for (const auto& [size, count] : histogram.exact) {
        table.add_row({std::to_string(size) + " B", std::to_string(count)});
    }
    table.print(console, 4);
}

void print_sizes(const SizesArguments& arguments, const MessageSizes& sizes, Console& console) {
    console.text() << console.paint(Style::bold, arguments.input.path) << '\n';
    if (sizes.histograms.empty()) console.text() << "  no sizes\n";
    std::vector<std::string> without_bytes;
    for (const auto& [key, histogram] : sizes.histograms) {
        if (histogram.bytes == 0 && key.kind == Transfer::Kind::collective) {
            if (key.side == MessageSizes::Side::sent) without_bytes.push_back(printable(key.call));
            continue;
        }
        console.text() << "  " << console.paint(Style::bold, printable(key.call)) << ", "
                       << transfer_name(key.kind) << ", " << side_text(key) << ": "
                       << range_text(key, histogram) << '\n';
        if (arguments.exact) {
            print_exact(histogram, console);
        } else {
            print_bars(histogram, !is_per_peer(key.side), console);
        }
    }
    if (without_bytes.empty()) return;
    console.text() << "  without bytes:";
    for (const std::string& call : without_bytes) console.text() << ' ' << call;
    console.text() << '\n';
}

void write_histogram(const Entry& entry, bool exact, JsonWriter& json) {
    const auto& [key, histogram] = entry;
    json.begin_object()
        .member("call", key.call)
        .member("kind", transfer_name(key.kind))
        .member("side", side_name(key.side))
        .member("count", histogram.count)
        .key("bytes")
        .bytes(histogram.bytes)
        .member("smallest", histogram.smallest)
        .member("largest", histogram.largest);
    json.key("sizes").begin_array();
    for_each_size(histogram, exact, [&json](u64 smallest, u64 largest, u64 count, u64 bytes) {
        json.begin_object()
            .member("smallest", smallest)
            .member("largest", largest)
            .member("count", count)
            .key("bytes")
            .bytes(bytes)
            .end_object();
    });
    json.end_array().end_object();
}

void write_json(const SizesArguments& arguments, const MessageSizes& sizes, Console& console) {
    JsonWriter json = begin_document(console, "sizes");
    json.member("file", arguments.input.path).member("exact", arguments.exact);
    json.key("histograms").begin_array();
    for (const Entry& entry : sizes.histograms) write_histogram(entry, arguments.exact, json);
    json.end_array().end_object();
}

MessageSizes sizes_of(const SizesArguments& arguments, Console& console) {
    const std::unique_ptr<FoldedInput> input = arguments.input.open(console);
    TraceFile& file = input->file();
    return naming_file(arguments.input.path, [&] {
        const ParticipantNames names(file.definitions());
        const std::vector<bool> selected =
            select_locations(arguments.ranks, names, file.location_count());
        ExecutionCounts counts(file.index());
        MessageSizes sizes = message_sizes(file, counts, selected, arguments.exact);
        if (sizes.histograms.empty()) {
            console.warning("there is no communication" + without_records(file));
        }
        return sizes;
    });
}

ExitCode run_sizes(const SizesArguments& arguments, Console& console) {
    arguments.format.check(console);
    const MessageSizes sizes = sizes_of(arguments, console);
    if (console.json()) {
        write_json(arguments, sizes, console);
    } else if (arguments.format.csv) {
        write_sizes_csv(sizes, arguments.exact, console.out());
    } else if (arguments.format.svg) {
        write_sizes_svg(arguments.input.path, sizes, console.out());
    } else {
        print_sizes(arguments, sizes, console);
    }
    return exit_ok;
}

}  // namespace

void write_sizes_csv(const MessageSizes& sizes, bool exact, std::ostream& out) {
    CsvTable table(out);
    put_sizes(sizes, exact, table);
}

std::string_view side_text(const MessageSizes::Key& key) {
    if (key.side == MessageSizes::Side::per_peer) return "per peer";
    if (key.side == MessageSizes::Side::per_peer_in_place) return "per peer if MPI_IN_PLACE";
    const bool sent = key.side == MessageSizes::Side::sent;
    if (key.kind != Transfer::Kind::collective) return sent ? "sent" : "received";
    return sent ? "sent per call to all members" : "received per call from all members";
}

std::string class_text(std::size_t size_class) {
    const u64 smallest = smallest_of_class(size_class);
    const u64 largest = largest_of_class(size_class);
    if (smallest == largest) return format_size(smallest);
    return std::to_string(smallest) + "-" + std::to_string(largest) + " B";
}

InspectCommand add_sizes_command(CLI::App& app) {
    auto arguments = std::make_shared<SizesArguments>();
    CLI::App* sizes = app.add_subcommand("sizes", "Histogram of message sizes by call");
    arguments->input.add_options(*sizes);
    sizes->add_flag("--exact", arguments->exact, "Every size by itself instead of powers of two");
    add_ranks_option(*sizes, arguments->ranks);
    arguments->format.add_options(*sizes, true);
    return {sizes,
            on_rank_zero([arguments](Console& console) { return run_sizes(*arguments, console); }),
            &arguments->input};
}

namespace {

constexpr double kSizesLeft = 150;
constexpr double kLongestBar = 420;
constexpr double kSizesLine = 16;
constexpr double kBarsTop = 40;

/// Barriers and similar calls have no sizes.
bool is_drawn(const MessageSizes::Key& key, const SizeHistogram& histogram) {
    return histogram.bytes != 0 || key.kind != Transfer::Kind::collective;
}

/// Lines of the picture: a heading and the non-empty classes.
std::size_t lines_of(const SizeHistogram& histogram) {
    const auto used = std::count_if(histogram.classes.begin(), histogram.classes.end(),
                                    [](const SizeHistogram::Class& part) { return part.count; });
    return static_cast<std::size_t>(used) + 2;
}

double draw_histogram(const MessageSizes::Key& key, const SizeHistogram& histogram, double y,
                      SvgWriter& svg) {
    std::string heading = key.call + ", " + std::string(transfer_name(key.kind)) + ", ";
    heading += std::string(side_text(key)) + ": " + format_count(histogram.count);
    if (!is_per_peer(key.side)) heading += ", " + format_size(histogram.bytes);
    svg.text(20, y, heading, 12);
    u64 most = 1;
    for (const SizeHistogram::Class& part : histogram.classes) most = std::max(most, part.count);
    for (std::size_t i = 0; i < SizeHistogram::kClasses; ++i) {
        const SizeHistogram::Class& part = histogram.classes[i];
        if (part.count == 0) continue;
        y += kSizesLine;
        const double share = static_cast<double>(part.count) / static_cast<double>(most);
        svg.text(kSizesLeft - 6, y, class_text(i), 10, Anchor::end);
        svg.rectangle(kSizesLeft, y - 10, std::max(share * kLongestBar, 1.0), kSizesLine - 4,
                      heat_color(0.7), format_count(part.count) + " of " + class_text(i));
        svg.text(kSizesLeft + share * kLongestBar + 6, y, format_count(part.count), 10);
    }
    return y + 2 * kSizesLine;
}

}  // namespace

void write_sizes_svg(const std::string& file, const MessageSizes& sizes, std::ostream& out) {
    std::size_t lines = 0;
    for (const auto& [key, histogram] : sizes.histograms) {
        if (is_drawn(key, histogram)) lines += lines_of(histogram);
    }
    SvgWriter svg(out, kSizesLeft + kLongestBar + 80,
                  kBarsTop + kSizesLine * static_cast<double>(lines + 1));
    svg.text(20, 20, file + ": sizes", 14);
    double y = kBarsTop + kSizesLine;
    for (const auto& [key, histogram] : sizes.histograms) {
        if (is_drawn(key, histogram)) y = draw_histogram(key, histogram, y, svg);
    }
}

}  // namespace tracefold
