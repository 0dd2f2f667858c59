// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "inspect/page/list_page.hpp"

#include "base/communicator.hpp"
#include "base/error.hpp"
#include "base/text_stream.hpp"
#include "collection/trace_list.hpp"
#include "common/html_page.hpp"
#include "common/text.hpp"
#include "inspect/list.hpp"

#include <algorithm>
#include <utility>

namespace tracefold {

PageAnswer ListService::answer(const std::string& path, const PageQuery& query) {
    try {
        if (path.empty()) return {200, "text/html; charset=utf-8", list(query)};
        const std::size_t end = std::min(path.find('/'), path.size());
        const u64 number = PageQuery({{"trace", path.substr(0, end)}}).number("trace");
        const std::shared_ptr<OpenedTrace> trace = opened(number);
        if (trace != nullptr && end < path.size()) {
            return trace->service->answer(path.substr(end + 1), query);
        }
        return {404, "text/plain; charset=utf-8", "there is no such page"};
    } catch (const std::exception& error) {
        return {400, "text/plain; charset=utf-8", error.what()};
    }
}

std::string ListService::list(const PageQuery& query) {
    TraceListRequest request;
    request.places = places_;
    request.reading = trace_reading(false);
    TraceQuery selection;
    const std::string where = query.text("where");
    const std::string sort = query.text("sort");
    if (!where.empty()) selection.where.emplace(where);
    if (!sort.empty()) selection.sort = trace_field(sort);
    const std::lock_guard lock(mutex_);
    std::vector<TraceRecord> traces = list_traces(request).traces;
    select_traces(traces, selection);
    TextStream out;
    begin_page(out, "Traces");
    out << "<form id=\"query\"><input name=\"where\" size=\"60\" placeholder=\"ranks&gt;=64 and "
           "program~lulesh\" "
           "aria-label=\"Condition\" value=\""
        << markup_text(where) << "\"> <button name=\"sort\" value=\"" << sort
        << "\">Show</button></form>\n<table>\n<tr>";
    const std::vector<TraceField> fields = shown_fields(traces, selection.sort);
    for (const TraceField field : fields) {
        const std::string_view name = kTraceFields[static_cast<std::size_t>(field)].name;
        out << "<th><button form=\"query\" name=\"sort\" value=\"" << name << "\">" << name
            << "</button></th>";
    }
    out << "</tr>\n";
    for (const TraceRecord& trace : traces) {
        const auto& path = std::get<std::string>(trace[TraceField::file]);
        const auto [known, fresh] = numbers_.try_emplace(path, paths_.size());
        if (fresh) paths_.push_back(path);
        out << "<tr>";
        for (const TraceField field : fields) {
            const std::string text = markup_text(field_text(trace, field));
            const bool opens = field == TraceField::file && is_readable(trace);
            out << "<td>";
            if (opens) out << "<a href=\"" << known->second << "/\">";
            out << text << (opens ? "</a></td>" : "</td>");
        }
        out << "</tr>\n";
    }
    out << "</table>\n";
    end_page(out);
    return std::move(out).str();
}

std::shared_ptr<ListService::OpenedTrace> ListService::opened(u64 number) {
    constexpr std::size_t kMostOpened = 4;
    const std::lock_guard lock(mutex_);
    if (number >= paths_.size()) return nullptr;
    const auto known = opened_.find(number);
    if (known != opened_.end()) return known->second;
    auto made = std::make_shared<OpenedTrace>();
    SerialCommunicator alone;
    TraceInput input;
    input.path = paths_[number];
    made->trace = std::make_unique<TemporaryTrace>(input, alone, console_);
    std::vector<ServedTrace> traces;
    traces.push_back(served(*made->trace));
    made->service = std::make_unique<PageService>(std::move(traces), lane_bytes_);
    if (opened_.size() == kMostOpened) opened_.erase(opened_.begin());
    return opened_.emplace(number, std::move(made)).first->second;
}

}  // namespace tracefold
