// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "common/cut_option.hpp"

#include "base/communicator.hpp"
#include "base/temporary.hpp"
#include "common/progress.hpp"
#include "file/program_names.hpp"
#include "questions/calls/tick_window.hpp"

#include <algorithm>

namespace tracefold {

void CutOption::add_options(CLI::App& app) {
    options = {
        add_ranks_option(app, ranks),
        add_time_option(
            app, window,
            "Only this window, in seconds or percent of the run, as in 1.5:2, :20ms or 25%:50%"),
        add_iterations_option(app, iterations,
                              "Only these steps of the program, from 0, as in 0-9"),
        add_names_option(app, "--regions", regions,
                         "Only events in regions of these names, as in solve,MPI_All*")};
}

std::string CutOption::text() const {
    std::string text;
    for (const CLI::Option* option : options) {
        if (option->count() == 0) continue;
        if (!text.empty()) text += ' ';
        text += option->get_name();
        if (option->get_items_expected_max() == 0) continue;
        std::string separator = " ";
        for (const std::string& value : option->results()) {
            text += separator + value;
            separator = ",";
        }
    }
    return text;
}

CutRequest CutOption::request(TraceFile& file) {
    CutRequest request;
    request.text = text();
    const TimeWindow seconds = window.has_shares() ? window.of_run(run_seconds(file)) : window;
    request.from = seconds.from;
    request.to = seconds.to;
    if (!ranks.selects_all()) {
        request.locations =
            select_locations(ranks, ParticipantNames(file.definitions()), file.location_count());
    }
    if (!iterations.selects_all()) {
        request.iterations = [this](u64 iteration) { return iterations.contains(iteration); };
    }
    request.regions = names_of(regions, file);
    return request;
}

void CutOption::apply(Communicator& comm, FoldedInput& input, int level, Console& console) {
    const auto is_given = [](const CLI::Option* option) { return option->count() != 0; };
    if (std::ranges::none_of(options, is_given)) return;
    const ScratchFolder folder(comm, scratch_directory());
    const std::string path = (folder.path() / "part.tfold").string();
    agree(comm, [&] {
        if (comm.rank() != 0) return;
        write_part(input.file(), request(input.file()), {path, level, false, {}}, console);
    });
    agree(comm, [&] { input.read_instead(path); });
}

CutRequest::Names names_of(NameFilter& names, TraceFile& file) {
    if (names.empty()) return nullptr;
    const std::string none = no_match_sentence(names, symbol_names(file));
    if (!none.empty()) throw Error(ErrorKind::usage, "{}", none);
    return [&names](std::string_view name) { return names.matches(name); };
}

CutReport write_part(TraceFile& file, const CutRequest& request, CutOutput output,
                     Console& console) {
    u64 events = 0;
    for (u32 location = 0; location < file.location_count(); ++location) {
        events += file.index().events(location);
    }
    Progress progress(console, "cutting", events, "events");
    output.progress = [&progress](u64 records) { progress.advance(records); };
    return cut_trace(file, request, output);
}

}  // namespace tracefold
