// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "inspect/profile/io.hpp"

#include "common/output_format.hpp"
#include "common/select_locations.hpp"
#include "inspect/command.hpp"
#include "names/participant_names.hpp"

#include <algorithm>
#include <map>
#include <memory>
#include <set>
#include <tuple>

namespace tracefold {

namespace {

const OptionWords<IoBy> kIoBy = {
    {"file", IoBy::file}, {"rank", IoBy::rank}, {"path", IoBy::path}, {"all", IoBy::all}};

struct IoArguments {
    TraceInput input;
    RankList ranks;
    IoBy by = IoBy::file;
    OutputFormat format;
};

/// Adds up rows in lines, which come in the order of their first rows.
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

/// Lines in the order in which locations come, files and call paths within them; calls that do not
/// say which file they are about come last among files.
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

/// All processes fold an archive; one unwinds what has to do with files.
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
        "io", "Files: what was read and written, how fast, by whom and in which call path");
    arguments->input.add_options(*io);
    add_choice<IoBy>(*io, "--by", arguments->by, kIoBy,
                     "What a line is about; all: a file, of a rank, in a call path");
    add_ranks_option(*io, arguments->ranks);
    arguments->format.add_options(*io, false);
    return {io,
            [arguments](Console& console, Communicator& comm) {
                return run_io(*arguments, console, comm);
            },
            &arguments->input};
}

}  // namespace tracefold
