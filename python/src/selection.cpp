// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "selection.hpp"

#include "common/part_options.hpp"
#include "questions/calls/tick_window.hpp"

#include <memory>

namespace tracefold::python {

std::vector<bool> Part::locations(TraceFile& file) const {
    const RankList list = ranks.empty() ? RankList() : RankList::parse(ranks);
    return select_locations(list, ParticipantNames(file.definitions()), file.location_count());
}

NameFilter Part::names() const {
    NameFilter filter;
    for (const std::string& pattern : match) filter.add(pattern);
    return filter;
}

CallSelection Part::selection(TraceFile& file) const {
    CallSelection wanted;
    wanted.locations = locations(file);
    if (!time.empty()) {
        TimeWindow window = TimeWindow::parse(time);
        if (window.has_shares()) window = window.of_run(run_seconds(file));
        wanted.window = {window.from, window.to};
    }
    if (!iterations.empty()) {
        wanted.has_step = [list = RankList::parse(iterations)](u64 step) {
            return list.contains(step);
        };
    }
    if (!match.empty()) {
        wanted.has_name = [filter = std::make_shared<NameFilter>(names())](std::string_view name) {
            return filter->matches(name);
        };
    }
    return wanted;
}

}  // namespace tracefold::python
