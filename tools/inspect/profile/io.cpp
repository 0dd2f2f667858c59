// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause

#include "base/csv_table.hpp"
#include "common/console.hpp"
#include "common/output_format.hpp"
#include "common/part_options.hpp"
#include "common/table.hpp"
#include "common/text.hpp"
#include "inspect/command.hpp"
#include "model/participant_names.hpp"
#include "questions/profile/io_profile.hpp"

#include <algorithm>
#include <map>
#include <memory>
#include <ostream>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include <fmt/core.h>

namespace tracefold {

/// Grouping of an I/O table.
enum class IoBy : u8 {
    file,
    rank,
    path,
    all,  ///< by file, rank and call path
};

/// Sums of an IoProfile. Fields that are not grouped by are empty.
struct IoLine {
    std::string file;
    std::string paradigm;  ///< I/O interface of the file
    std::string rank;      ///< ParticipantNames::label()
    std::string path;
    u64 locations = 0;
    IoProfile::Figures figures;
};

struct IoView {
    std::string file;  ///< trace file
    IoBy by = IoBy::file;
    std::string by_word;  ///< "file"
    std::vector<IoLine> lines;
    IoLine total;
    bool has_times = false;
    TickRate rate;
    u64 outstanding = 0;
    u64 unmatched = 0;
    u64 cancelled = 0;

    [[nodiscard]] double seconds(u64 ticks) const { return rate.seconds(ticks); }
    /// Bytes per second in which an operation is under way; 0 without time, or if a size is
    /// unknown.
    [[nodiscard]] double bandwidth(const IoProfile::Operations& operations) const {
        const u64 busy = has_times ? operations.busy.ticks() : 0;
        return busy == 0 || operations.unknown != 0 || operations.bytes == kOverflow
                   ? 0
                   : static_cast<double>(operations.bytes) / seconds(busy);
    }
    /// Mean number of operations under way while there is any; 0 without time.
    [[nodiscard]] double concurrency(const IoProfile::Operations& operations) const {
        const u64 busy = has_times ? operations.busy.ticks() : 0;
        return busy == 0 ? 0 : static_cast<double>(operations.ticks) / static_cast<double>(busy);
    }
};

void print_io(const IoView& view, Console& console);

/// Writes one line per kind of operation:
/// file,paradigm,rank,path,operation,count,bytes,seconds,bandwidth,concurrency.
void write_io_csv(const IoView& view, std::ostream& out);

void write_io_json(const IoView& view, Console& console);

namespace {

const OptionWords<IoBy> kIoBy = {
    {"file", IoBy::file}, {"rank", IoBy::rank}, {"path", IoBy::path}, {"all", IoBy::all}};

struct IoArguments {
    TraceInput input;
    RankList ranks;
    IoBy by = IoBy::file;
    OutputFormat format;
};

/// Sums rows into lines, in order of their first rows.
class IoLines {
  public:
    IoLines(const IoProfile& profile, const ParticipantNames& names, IoBy by)
        : profile_(profile), names_(names), by_(by) {}

    void add(const IoProfile::Row& row) {
        const bool all = by_ == IoBy::all;
        const std::string path = all || by_ == IoBy::path ? profile_.path(row.node) : "";
        const Key key{all || by_ == IoBy::file ? row.file : kNone,
                      all || by_ == IoBy::rank ? row.location : kNone, path};
        const auto [found, fresh] = numbers_.try_emplace(key, lines_.size());
        if (fresh) {
            lines_.push_back(line_of(key));
            locations_.emplace_back();
        }
        IoLine& line = lines_[found->second];
        line.figures.add(row.figures);
        locations_[found->second].insert(row.location);
        line.locations = locations_[found->second].size();
    }

    std::vector<IoLine> take() { return std::move(lines_); }

  private:
    using Key = std::tuple<u32, u32, std::string>;

    [[nodiscard]] IoLine line_of(const Key& key) const {
        const auto& [file, location, path] = key;
        IoLine line;
        if (file != kNone) {
            line.file = profile_.files[file].name;
            line.paradigm = profile_.files[file].paradigm;
        }
        if (location != kNone) line.rank = names_.label(location);
        line.path = path;
        return line;
    }

    const IoProfile& profile_;
    const ParticipantNames& names_;
    IoBy by_;
    std::map<Key, std::size_t> numbers_;
    std::vector<IoLine> lines_;
    std::vector<std::set<u32>> locations_;  ///< by line
};

/// Lines by location, then file, then call path; calls without a known file come after files.
IoView make_io_view(const IoProfile& profile, const ParticipantNames& names, IoBy by) {
    IoView view;
    view.by = by;
    view.has_times = profile.has_times;
    view.rate = profile.rate;
    view.outstanding = profile.outstanding;
    view.unmatched = profile.unmatched;
    view.cancelled = profile.cancelled;
    IoLines lines(profile, names, by);
    std::set<u32> locations;
    for (const IoProfile::Row& row : profile.rows) {
        lines.add(row);
        view.total.figures.add(row.figures);
        locations.insert(row.location);
    }
    view.lines = lines.take();
    std::stable_partition(view.lines.begin(), view.lines.end(), [by](const IoLine& line) {
        return by != IoBy::file || !line.file.empty();
    });
    view.total.locations = locations.size();
    return view;
}

/// All processes fold an archive; one unwinds locations with I/O.
ExitCode run_io(const IoArguments& arguments, Console& console, Communicator& comm) {
    arguments.format.check(console);
    const std::unique_ptr<FoldedInput> input = arguments.input.open(comm, console);
    on_first(comm, [&] {
        TraceFile& file = input->file();
        const ParticipantNames names(file.definitions());
        const IoProfile profile = naming_file(arguments.input.path, [&] {
            return trace_io(file, select_locations(arguments.ranks, names, file.location_count()));
        });
        IoView view = make_io_view(profile, names, arguments.by);
        view.file = arguments.input.path;
        view.by_word = word_of(kIoBy, arguments.by);
        arguments.format.show(view, console, write_io_json, write_io_csv, print_io);
    });
    return exit_ok;
}

}  // namespace

InspectCommand add_io_command(CLI::App& app) {
    auto arguments = std::make_shared<IoArguments>();
    CLI::App* io = app.add_subcommand(
        "io", "File I/O: bytes, operations and bandwidth by file, rank or call path");
    arguments->input.add_options(*io);
    add_choice<IoBy>(*io, "--by", arguments->by, kIoBy,
                     "Rows of the table; all: by file, rank and call path");
    add_ranks_option(*io, arguments->ranks);
    arguments->format.add_options(*io, false);
    return {io,
            [arguments](Console& console, Communicator& comm) {
                return run_io(*arguments, console, comm);
            },
            &arguments->input};
}

namespace {

class IoPrinter {
  public:
    IoPrinter(const IoView& view, Console& console) : view_(view), console_(console) {}

    void run() {
        const IoProfile::Figures& all = view_.total.figures;
        console_.text() << console_.paint(Style::bold, view_.file);
        if (view_.lines.empty()) {
            const bool none = view_.outstanding + view_.unmatched + view_.cancelled == 0;
            console_.text()
                << (none ? "  neither file operations nor calls of file functions were recorded\n"
                         : "  no complete file operation was recorded\n");
            print_notes();
            return;
        }
        console_.text() << "  " << format_size(all.of(IoMode::read).bytes) << " read, "
                        << format_size(all.of(IoMode::write).bytes) << " written, "
                        << format_count(all.calls) << " calls of I/O";
        if (view_.has_times) {
            console_.text() << " in " << format_time(view_.seconds(all.call_ticks));
        }
        console_.text() << '\n';
        print_lines();
        print_notes();
    }

  private:
    [[nodiscard]] bool is_by(IoBy what) const { return view_.by == what || view_.by == IoBy::all; }

    [[nodiscard]] std::vector<Table::Column> columns() const {
        std::vector<Table::Column> columns;
        if (is_by(IoBy::file)) columns.push_back({"file"});
        if (view_.by == IoBy::file) columns.push_back({"through", Table::Align::left, 3});
        if (is_by(IoBy::path)) columns.push_back({"call path"});
        const bool by_rank = is_by(IoBy::rank);
        columns.push_back({by_rank ? "rank" : "locations", kRight, by_rank ? 0U : 5U});
        columns.push_back({"opened", kRight, 6});
        for (const std::string name : {"read", "written"}) {
            columns.push_back({name == "read" ? "reads" : "writes", kRight, 2});
            columns.push_back({name, kRight});
            if (!view_.has_times) continue;
            columns.push_back({"time", kRight, 1});
            columns.push_back({"bandwidth", kRight});
            columns.push_back({"concurrency", kRight, 7});
        }
        columns.push_back({"calls", kRight, 4});
        if (view_.has_times) columns.push_back({"in calls", kRight});
        return columns;
    }

    void print_lines() {
        Table table(columns());
        for (const IoLine& line : view_.lines) table.add_row(cells_of(line));
        table.print(console_, 2);
    }

    [[nodiscard]] std::vector<std::string> cells_of(const IoLine& line) const {
        std::vector<std::string> cells;
        if (is_by(IoBy::file)) cells.push_back(name_text(line.file));
        if (view_.by == IoBy::file) cells.push_back(printable(line.paradigm));
        if (is_by(IoBy::path)) cells.push_back(name_text(line.path));
        cells.push_back(is_by(IoBy::rank) ? line.rank : format_count(line.locations));
        cells.push_back(count_text(line.figures.opened));
        for (const IoMode mode : {IoMode::read, IoMode::write}) {
            const IoProfile::Operations& operations = line.figures.of(mode);
            const bool any = operations.count != 0;
            cells.push_back(count_text(operations.count));
            cells.push_back(any ? bytes_text(operations) : "");
            if (!view_.has_times) continue;
            cells.push_back(any ? format_time(view_.seconds(operations.ticks)) : "");
            cells.push_back(any ? bandwidth_text(operations) : "");
            cells.push_back(concurrency_text(operations));
        }
        cells.push_back(count_text(line.figures.calls));
        if (view_.has_times) cells.push_back(format_time(view_.seconds(line.figures.call_ticks)));
        return cells;
    }

    /// The file of a call may be unknown.
    static std::string name_text(const std::string& name) {
        return name.empty() ? "-" : printable(name);
    }
    /// Over operations of known size.
    static std::string bytes_text(const IoProfile::Operations& operations) {
        return operations.unknown == operations.count ? "unknown" : format_size(operations.bytes);
    }
    /// Blank for 0.
    static std::string count_text(u64 count) { return count == 0 ? "" : format_count(count); }

    [[nodiscard]] std::string bandwidth_text(const IoProfile::Operations& operations) const {
        if (view_.bandwidth(operations) == 0) return "-";
        return format_bandwidth(view_.bandwidth(operations));
    }

    [[nodiscard]] std::string concurrency_text(const IoProfile::Operations& operations) const {
        const double number = view_.concurrency(operations);
        return number == 0 ? "" : fmt::format("{:.1f}", number);
    }

    void print_notes() {
        for (const IoMode mode : {IoMode::read, IoMode::write}) {
            const u64 unknown = view_.total.figures.of(mode).unknown;
            if (unknown == 0) continue;
            console_.text() << "  operations (" << io_mode_name(mode)
                            << ") of unrecorded size, not included in bytes: " << unknown << '\n';
        }
        if (view_.cancelled != 0) {
            console_.text() << "  cancelled operations: " << view_.cancelled << '\n';
        }
        if (!view_.has_times && !view_.lines.empty())
            console_.text() << "  the file does not keep the time of every record\n";
        if (view_.outstanding != 0) {
            console_.text() << "  incomplete operations: " << view_.outstanding << '\n';
        }
        if (view_.unmatched != 0) {
            console_.text() << "  completions of operations whose beginning was not recorded: "
                            << view_.unmatched << '\n';
        }
    }

    const IoView& view_;
    Console& console_;
};

void write_operations(const IoView& view, const IoProfile::Figures& figures, JsonWriter& json) {
    json.key("operations").begin_array();
    for (std::size_t mode = 0; mode < kIoModes; ++mode) {
        const IoProfile::Operations& operations = figures.operations[mode];
        if (operations.count == 0) continue;
        json.begin_object()
            .member("operation", io_mode_name(static_cast<IoMode>(mode)))
            .member("count", operations.count)
            .key("bytes")
            .bytes(operations.unknown == operations.count ? kOverflow : operations.bytes);
        if (operations.unknown != 0) json.member("unknown_sizes", operations.unknown);
        if (view.has_times) json.member("seconds", view.seconds(operations.ticks));
        if (view.bandwidth(operations) != 0) {
            json.member("bandwidth", view.bandwidth(operations));
        }
        if (view.concurrency(operations) != 0) {
            json.member("busy_seconds", view.seconds(operations.busy.ticks()))
                .member("concurrency", view.concurrency(operations));
        }
        json.end_object();
    }
    json.end_array();
}

void write_line(const IoView& view, const IoLine& line, JsonWriter& json) {
    json.begin_object();
    if (!line.file.empty()) json.member("file", line.file);
    if (!line.paradigm.empty()) json.member("paradigm", line.paradigm);
    if (!line.rank.empty()) json.member("rank", line.rank);
    if (!line.path.empty()) json.member("path", line.path);
    json.member("locations", line.locations)
        .member("opened", line.figures.opened)
        .member("calls", line.figures.calls);
    if (view.has_times) json.member("call_seconds", view.seconds(line.figures.call_ticks));
    write_operations(view, line.figures, json);
    json.end_object();
}

/// Over operations of known size; empty without any, or beyond 64 bits.
std::string bytes_of(const IoProfile::Operations& operations) {
    const bool known = operations.unknown != operations.count && operations.bytes != kOverflow;
    return known ? std::to_string(operations.bytes) : std::string();
}

}  // namespace

void print_io(const IoView& view, Console& console) { IoPrinter(view, console).run(); }

void write_io_csv(const IoView& view, std::ostream& out) {
    out << "file,paradigm,rank,path,operation,count,bytes,seconds,bandwidth,concurrency\n";
    for (const IoLine& line : view.lines) {
        const std::string place = csv_field(line.file) + ',' + csv_field(line.paradigm) + ',' +
                                  csv_field(line.rank) + ',' + csv_field(line.path) + ',';
        const auto row = [&](std::string_view what, u64 count, const std::string& bytes, u64 ticks,
                             double bandwidth, double concurrency) {
            if (count == 0) return;
            out << place << what << ',' << count << ',' << bytes << ',';
            if (view.has_times) out << csv_number(view.seconds(ticks));
            out << ',';
            if (bandwidth > 0) out << csv_number(bandwidth);
            out << ',';
            if (concurrency > 0) out << csv_number(concurrency);
            out << '\n';
        };
        for (std::size_t mode = 0; mode < kIoModes; ++mode) {
            const IoProfile::Operations& operations = line.figures.operations[mode];
            row(io_mode_name(static_cast<IoMode>(mode)), operations.count, bytes_of(operations),
                operations.ticks, view.bandwidth(operations), view.concurrency(operations));
        }
        row("call", line.figures.calls, "", line.figures.call_ticks, 0, 0);
    }
}

void write_io_json(const IoView& view, Console& console) {
    JsonWriter json = begin_document(console, "io");
    json.member("file", view.file)
        .member("by", view.by_word)
        .member("outstanding", view.outstanding)
        .member("unmatched", view.unmatched)
        .member("cancelled", view.cancelled);
    json.key("total");
    write_line(view, view.total, json);
    json.key("lines").begin_array();
    for (const IoLine& line : view.lines) write_line(view, line, json);
    json.end_array().end_object();
}

}  // namespace tracefold
