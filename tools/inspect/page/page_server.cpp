// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "inspect/page/page_server.hpp"

#include "base/error.hpp"
#include "base/parallel.hpp"
#include "base/text_stream.hpp"
#include "file/file_overview.hpp"
#include "inspect/messages.hpp"
#include "inspect/page/page_text.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <exception>
#include <functional>
#include <string_view>
#include <thread>

#include <sys/random.h>

namespace tracefold {

namespace {

u64 parsed(std::string_view text, const std::string& name) {
    u64 number = 0;
    const auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc() || rest != text.data() + text.size()) {
        throw Error(ErrorKind::usage, "{} is not a number", name);
    }
    return number;
}

/// Larger ticks occur in no trace, and sums of two of them do not overflow.
constexpr u64 kMostTicks = u64{1} << 62U;

u64 ticks_of(u64 number) {
    if (number > kMostTicks) throw Error(ErrorKind::usage, "a time is too large");
    return number;
}

/// "5" or "0-39".
void add_rows(std::string_view item, u32 row_count, std::vector<u32>& rows) {
    const std::size_t dash = item.find('-');
    const u64 first = parsed(item.substr(0, dash), "rows");
    const u64 last = dash == std::string_view::npos ? first : parsed(item.substr(dash + 1), "rows");
    if (last < first || last >= row_count) throw Error(ErrorKind::usage, "there is no such row");
    if (last - first >= PageLimits::kRows - rows.size())
        throw Error(ErrorKind::usage, "too many rows");
    for (u64 row = first; row <= last; ++row) rows.push_back(static_cast<u32>(row));
}

}  // namespace

std::string PageQuery::text(const std::string& name) const {
    const auto found = values_.find(name);
    return found == values_.end() ? "" : found->second;
}

u64 PageQuery::number(const std::string& name) const {
    if (!values_.contains(name)) throw Error(ErrorKind::usage, "{} is missing", name);
    return parsed(values_.at(name), name);
}

u64 PageQuery::number(const std::string& name, u64 otherwise) const {
    return values_.contains(name) ? number(name) : otherwise;
}

PageWindow PageQuery::window(u32 row_count) const {
    PageWindow part;
    part.window = {ticks_of(number("from")), ticks_of(number("to"))};
    if (part.window.begin >= part.window.end) throw Error(ErrorKind::usage, "the window is empty");
    part.rows = rows(row_count);
    const u64 columns = number("columns", 1);
    if (columns == 0 || columns > PageLimits::kColumns)
        throw Error(ErrorKind::usage, "columns is not from 1 to {}", PageLimits::kColumns);
    part.columns = static_cast<std::size_t>(columns);
    part.boxes = number("boxes", 1) != 0;
    return part;
}

std::vector<u32> PageQuery::rows(u32 row_count) const {
    const std::string list = text("rows");
    std::vector<u32> rows;
    std::string_view rest = list;
    while (!rest.empty()) {
        const std::size_t comma = rest.find(',');
        add_rows(rest.substr(0, comma), row_count, rows);
        rest.remove_prefix(comma == std::string_view::npos ? rest.size() : comma + 1);
    }
    if (rows.empty()) throw Error(ErrorKind::usage, "rows is missing");
    return rows;
}

u32 PageQuery::row(u32 row_count) const {
    const u64 row = number("row");
    if (row >= row_count) throw Error(ErrorKind::usage, "there is no such row");
    return static_cast<u32>(row);
}

namespace {

/// Longer names are no function names.
constexpr std::size_t kMostName = 512;

PageAnswer refusal(int status, const std::string& sentence) {
    TextStream out;
    JsonWriter json(out);
    json.begin_object().member("error", sentence).end_object();
    return {status, "application/json", std::move(out).str()};
}

/// Converts seconds to ticks.
TraceView::CallSearch search_of(const PageQuery& query) {
    TraceView::CallSearch search;
    search.name = query.text("name");
    if (search.name.empty() || search.name.size() > kMostName)
        throw Error(ErrorKind::usage, "name is missing or too long");
    search.least_ticks = query.number("least", 0);
    search.tick = query.number("tick", 0);
    search.backwards = query.text("backwards") == "1";
    return search;
}

std::string answer_about(const ServedTrace& trace, const std::string& question,
                         const PageQuery& query) {
    TraceView& view = *trace.view;
    const auto rows = static_cast<u32>(view.rows().rows.size());
    TextStream out;
    JsonWriter json(out);
    if (question == "trace") {
        const bool replaced =
            !trace.is_temporary && (trace.input->was_replaced() || trace.input->has_changed());
        put_trace(json, view, trace.name, replaced);
    } else if (question == "timeline") {
        put_timeline(json, view, query.window(rows));
    } else if (question == "call") {
        put_view_call(json, view, query.row(rows), query.number("call"));
    } else if (question == "received") {
        const std::shared_ptr<const Lane> lane = view.lane(query.row(rows));
        expect_call(*lane, query.number("call"));
        trace.messages->put(lane->location(), query.number("call"), json);
    } else if (question == "messages") {
        put_view_messages(json, view, query.window(rows));
    } else if (question == "statistics") {
        put_view_statistics(json, view, query.window(rows));
    } else if (question == "steps") {
        const PageWindow part = query.window(rows);
        put_view_steps(json, view, part.rows.front(), part.window);
    } else if (question == "find") {
        put_found_call(json, view, query.rows(rows), search_of(query));
    }
    return std::move(out).str();
}

}  // namespace

ServedDocuments::ServedDocuments(const std::shared_ptr<const InputFile>& input,
                                 const std::string& name)
    : opened_(input, name) {
    opened_.open();
    for (DocumentCache* const cache : {&shared_, &others_, &waits_}) {
        cache->documents = opened_.clone();
    }
}

ServedDocuments::DocumentCache& ServedDocuments::cache_of(const std::string& document) {
    if (document == "profile" || document == "stats" || document == "spreads") return shared_;
    const bool explains = document == "explain" && opened_.finds_causes();
    return explains || document == "waits" || document == "efficiency" ? waits_ : others_;
}

std::string ServedDocuments::text(const std::string& document) {
    constexpr std::chrono::milliseconds between_looks(5);
    DocumentCache& cache = cache_of(document);
    std::unique_lock lock(cache.mutex, std::defer_lock);
    for (; !lock.try_lock(); std::this_thread::sleep_for(between_looks)) cancel_point();
    const auto known = cache.known.find(document);
    if (known != cache.known.end()) return known->second;
    std::string text = cache.documents->text(document);
    // A team of threads words what ends it as an error.
    cancel_point();
    return cache.known.emplace(document, std::move(text)).first->second;
}

void ServedMessages::find() {
    if (file_overview(file_).events > kMostWaitEvents) {
        why_not_ = "the trace is too large; trace_inspect messages lists its messages";
        known_ = true;
        return;
    }
    try {
        MessageRequest request;
        request.part.locations.assign(file_.location_count(), true);
        request.most = kMostMessages;
        found_ = find_messages(file_, request, steps_, 0);
    } catch (const Error& error) {
        if (error.kind() != ErrorKind::usage && error.kind() != ErrorKind::unsupported) throw;
        why_not_ = error.what();
    }
    known_ = true;
    for (u32 i = 0; i < found_.list.size(); ++i) {
        const Message& message = found_.list[i];
        for (const MessageCall* const it : {&message.sent, &message.received}) {
            if (it->location != kNone) ends_.push_back({it->location, i, it->call});
        }
    }
    std::ranges::sort(ends_, std::less());
}

void ServedMessages::put(u32 location, u64 call, JsonWriter& json) {
    const std::lock_guard lock(mutex_);
    if (!known_) find();
    json.begin_object();
    if (!why_not_.empty()) json.member("unavailable", why_not_);
    Messages own;
    own.has_times = found_.has_times;
    for (auto it = std::lower_bound(ends_.begin(), ends_.end(), End{location, 0, call});
         it != ends_.end() && it->location == location && it->call == call; ++it) {
        own.list.push_back(found_.list[it->message]);
    }
    write_messages(file_, own, json);
    json.end_object();
}

PageService::PageService(std::vector<ServedTrace> traces, std::size_t lane_bytes)
    : traces_(std::move(traces)) {
    for (ServedTrace& trace : traces_) {
        trace.documents = std::make_unique<ServedDocuments>(trace.input, trace.name);
        const OpenTrace& opened = trace.documents->opened();
        trace.view =
            std::make_unique<TraceView>(*opened.file, opened.steps, lane_bytes / traces_.size());
        trace.view->make_ahead();
        trace.messages = std::make_unique<ServedMessages>(opened);
    }
}

PageAnswer PageService::answer(const std::string& path, const PageQuery& query) {
    try {
        if (path.empty()) return {200, "text/html; charset=utf-8", page()};
        constexpr std::string_view kApi = "api/";
        if (path.rfind(kApi, 0) != 0) return refusal(404, "there is no such page");
        return answer_api(path.substr(kApi.size()), query);
    } catch (const Error& error) {
        const bool refused =
            error.kind() == ErrorKind::usage || error.kind() == ErrorKind::unsupported;
        return refusal(refused ? 400 : 500, error.what());
    } catch (const std::exception& error) {
        return refusal(500, error.what());
    }
}

PageAnswer PageService::answer_api(const std::string& question, const PageQuery& query) {
    const u64 file = query.number("file", 0);
    if (file >= traces_.size()) return refusal(404, "there is no such file");
    const ServedTrace& trace = traces_[file];
    if (question == "document") return document(trace, query);
    std::string body = answer_about(trace, question, query);
    if (body.empty()) return refusal(404, "no such document");
    return {200, "application/json", std::move(body)};
}

PageAnswer PageService::document(const ServedTrace& trace, const PageQuery& query) {
    const std::string name = query.text("name");
    if (!PageDocuments::is_known(name)) return refusal(404, "there is no such document");
    const TraceView::Pause pause(*trace.view);
    return {200, "application/json", trace.documents->text(name)};
}

std::string PageService::page() const {
    TextStream data;
    JsonWriter json(data);
    json.begin_object().member("mode", "serve").key("files").begin_array();
    for (const ServedTrace& trace : traces_) json.value(trace.name);
    json.end_array().end_object();
    return page_text(traces_.front().name, data.str(), true);
}

std::string random_token() {
    std::array<u8, 16> bytes{};
    if (getrandom(bytes.data(), bytes.size(), 0) != static_cast<ssize_t>(bytes.size()))
        throw Error(ErrorKind::io, "the system gives no random numbers");
    static constexpr std::string_view kDigits = "0123456789abcdef";
    std::string token;
    for (const u8 byte : bytes) {
        token += kDigits[byte >> 4U];
        token += kDigits[byte & 15U];
    }
    return token;
}

}  // namespace tracefold
