// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "inspect/page/page_server.hpp"

#include "core/error.hpp"
#include "inspect/page/page_text.hpp"

#include <array>
#include <exception>
#include <sstream>

#include <sys/random.h>

namespace tracefold {

namespace {

/// Longer names are no names of functions.
constexpr std::size_t kMostName = 512;

PageAnswer refusal(int status, const std::string& sentence) {
    std::ostringstream out;
    JsonWriter json(out);
    json.begin_object().member("error", sentence).end_object();
    return {status, "application/json", std::move(out).str()};
}

/// Seconds as a number of ticks.
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

std::string answer_about(TraceView& view, const std::string& name, const std::string& question,
                         const PageQuery& query) {
    const auto rows = static_cast<u32>(view.rows().rows.size());
    std::ostringstream out;
    JsonWriter json(out);
    if (question == "trace") {
        put_trace(json, view, name);
    } else if (question == "timeline") {
        put_timeline(json, view, query.window(rows));
    } else if (question == "call") {
        put_view_call(json, view, query.row(rows), query.number("call"));
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

ServedDocuments::ServedDocuments(const std::string& path, const std::string& name)
    : shared_(path, name), others_(path, name), waits_(path, name) {}

std::string ServedDocuments::text(const std::string& document) {
    const bool shared = document == "profile" || document == "stats" || document == "spreads";
    Desk& desk = shared ? shared_ : document == "waits" ? waits_ : others_;
    const std::lock_guard lock(desk.mutex);
    const auto known = desk.known.find(document);
    if (known != desk.known.end()) return known->second;
    return desk.known.emplace(document, desk.documents.text(document)).first->second;
}

PageService::PageService(std::vector<ServedTrace> traces, std::size_t lane_bytes)
    : traces_(std::move(traces)) {
    for (ServedTrace& trace : traces_) {
        trace.view =
            std::make_unique<TraceView>(trace.path, trace.name, lane_bytes / traces_.size());
        trace.view->make_ahead();
        trace.documents = std::make_unique<ServedDocuments>(trace.path, trace.name);
    }
}

PageAnswer PageService::answer(const std::string& path, const PageQuery& query) {
    try {
        if (path.empty()) return {200, "text/html; charset=utf-8", page()};
        constexpr std::string_view kApi = "api/";
        if (path.rfind(kApi, 0) != 0) return refusal(404, "there is no such page");
        return answer_api(path.substr(kApi.size()), query);
    } catch (const Error& error) {
        return refusal(error.kind() == ErrorKind::usage ? 400 : 500, error.what());
    } catch (const std::exception& error) {
        return refusal(500, error.what());
    }
}

PageAnswer PageService::answer_api(const std::string& question, const PageQuery& query) {
    const u64 file = query.number("file", 0);
    if (file >= traces_.size()) return refusal(404, "there is no such file");
    const ServedTrace& trace = traces_[file];
    if (question == "document") return document(trace, query);
    std::string body = answer_about(*trace.view, trace.name, question, query);
    if (body.empty()) return refusal(404, "there is no such question");
    return {200, "application/json", std::move(body)};
}

PageAnswer PageService::document(const ServedTrace& trace, const PageQuery& query) {
    const std::string name = query.text("name");
    if (!PageDocuments::is_known(name)) return refusal(404, "there is no such document");
    return {200, "application/json", trace.documents->text(name)};
}

std::string PageService::page() const {
    std::ostringstream data;
    JsonWriter json(data);
    json.begin_object().member("mode", "serve").key("files").begin_array();
    for (const ServedTrace& trace : traces_) json.value(trace.name);
    json.end_array().end_object();
    return page_text(traces_.front().name, data.str());
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
