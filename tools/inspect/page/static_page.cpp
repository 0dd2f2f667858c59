// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "inspect/page/static_page.hpp"

#include "base/communicator.hpp"
#include "base/json_writer.hpp"
#include "base/parallel.hpp"
#include "base/text_stream.hpp"
#include "file/file_overview.hpp"
#include "file/location_blocks.hpp"
#include "inspect/page/page_answers.hpp"
#include "inspect/page/static_timeline.hpp"

#include <algorithm>
#include <map>
#include <memory>
#include <mutex>
#include <utility>

#include <fmt/core.h>

namespace tracefold {

namespace {

/// Documents that share a profile or statistics, which prepare() has computed.
constexpr const char* kPrepared[] = {"profile", "stats", "spreads"};
/// Documents in order of priority for space: causes and the program's structure are always there.
constexpr const char* kDocuments[] = {"info",          "explain",      "structure",
                                      "prediction",    "efficiency",   "graph",
                                      "profile",       "stats",        "spreads",
                                      "classes",       "matrix-node",  "matrix-class",
                                      "sizes",         "accelerators", "metrics",
                                      "metric-series", "io",           "metrics-path",
                                      "matrix-rank",   "rma-rank",     "collective-rank",
                                      "graph-variants"};
/// Slow documents, slowest first.
constexpr const char* kLong[] = {"explain", "efficiency",  "graph",         "structure",
                                 "classes", "matrix-node", "graph-variants"};
/// Documents that several processes compute together.
constexpr const char* kOfProcesses[] = {"efficiency", "structure"};
/// The page's flow graph has 80 nodes; those of more functions say little about the program, and
/// take as much time and memory as all other documents.
constexpr u64 kMostGraphFunctions = 20'000;

using NamedTexts = std::map<std::string, std::string>;

/// Documents that fit, as members of an object; records those that do not.
class KeptDocuments {
  public:
    explicit KeptDocuments(std::size_t room) : room_(room) {}

    /// False if it does not fit.
    bool add(const std::string& document, std::string text) {
        while (!text.empty() && text.back() == '\n') text.pop_back();
        if (text.size() > room_) return false;
        room_ -= text.size();
        if (!text_.empty()) text_ += ',';
        append_json_string(document, text_);
        text_ += ':' + text;
        return true;
    }
    void leave_out(const std::string& document) { left_out_.push_back(document); }

    [[nodiscard]] const std::string& text() const { return text_; }
    [[nodiscard]] const std::vector<std::string>& left_out() const { return left_out_; }

  private:
    std::size_t room_;
    std::string text_;
    std::vector<std::string> left_out_;
};

bool has_graph(const StaticPage& page) { return page.documents.functions() <= kMostGraphFunctions; }

std::string says(std::string text, const KeptDocuments& documents, const StaticPage& page) {
    for (const std::string& document : documents.left_out()) {
        text += (text.empty() ? "" : "; ") + document + " is too large for this page";
    }
    if (!text.empty()) text += " (--max-size). ";
    if (!has_graph(page)) {
        text += fmt::format("The flow graph of {} functions is not in this page. ",
                            page.documents.functions());
    }
    return text.empty() ? text : text + "trace_inspect serve shows it exactly.";
}

/// The documents, slowest first.
std::vector<std::string> in_order_of_work() {
    std::vector<std::string> documents(std::begin(kLong), std::end(kLong));
    for (const char* document : kDocuments) {
        if (std::ranges::find(documents, document) == documents.end())
            documents.emplace_back(document);
    }
    return documents;
}

/// Documents that several processes compute together. Collective; complete on process 0.
NamedTexts shared_documents(const StaticPage& page) {
    NamedTexts texts;
    if (page.comm.size() == 1) return texts;
    for (const char* document : kOfProcesses) {
        if (page.documents.is_too_long(document)) continue;
        texts[document] = page.documents.shared_text(document, page.comm);
    }
    return texts;
}

/// Adds the documents missing in `texts`. One thread computes each; call readers help with the
/// first. Another thread starts on timeline lanes; a single thread does not, to save memory.
void add_other_documents(const StaticPage& page, NamedTexts& texts) {
    std::vector<std::string> documents = in_order_of_work();
    std::erase_if(documents, [&](const std::string& one) {
        return texts.contains(one) || one == "prediction" || page.documents.is_too_long(one) ||
               (one.starts_with("graph") && !has_graph(page));
    });
    std::mutex mutex;
    const u32 threads =
        useful_threads(page.documents.file().definitions().locations(), page.threads);
    const std::size_t lanes = threads > 1 ? 1 : documents.size();
    run_each_with(threads, documents.size() + (threads > 1 ? 1 : 0), [&] {
        const std::shared_ptr<PageDocuments> own = page.documents.clone();
        return [&, own](std::size_t number) {
            if (number == lanes) return page.view.make_lanes();
            const std::string& document = documents[number < lanes ? number : number - 1];
            std::string text = own->text(document);
            const std::scoped_lock lock(mutex);
            texts[document] = std::move(text);
        };
    });
}

KeptDocuments kept_documents(const StaticPage& page, NamedTexts texts) {
    const std::size_t room = page.most_bytes / 2;
    std::string short_profile;
    for (const char* document : kPrepared) {
        if (!page.documents.is_too_long(document)) texts[document] = page.documents.text(document);
    }
    if (texts.contains("profile") && texts["profile"].size() > room / 4)
        short_profile = page.documents.short_profile();
    page.documents.release();
    if (!page.prediction.empty()) texts["prediction"] = page.prediction;
    add_other_documents(page, texts);
    KeptDocuments documents(room);
    for (const char* document : kDocuments) {
        const auto made = texts.find(document);
        if (made == texts.end()) {
            if (page.documents.is_too_long(document)) documents.leave_out(document);
            continue;
        }
        if (documents.add(document, std::move(made->second))) continue;
        const bool is_profile = made->first == "profile" && !short_profile.empty();
        if (!is_profile || !documents.add(document, std::move(short_profile)))
            documents.leave_out(document);
    }
    return documents;
}

/// The members of the object "timeline", and its omissions.
struct KeptTimeline {
    std::string text;
    std::string says;
    bool is_exact = false;
};

/// A timeline that fills its room: estimates of sizes are cautious, so it is made again with more
/// if much is left. Collective; complete on process 0; throws the same Error(corrupt) on all.
KeptTimeline kept_timeline(const StaticPage& page, std::size_t room) {
    constexpr int kMostPasses = 4;
    constexpr double kFull = 0.93;
    const bool is_large = file_overview(page.documents.file()).events > kMostWaitEvents;
    KeptTimeline kept;
    double fits = 1;
    double scale = 1;
    for (int pass = 0; pass < kMostPasses; ++pass) {
        const auto planned = static_cast<std::size_t>(scale * static_cast<double>(room));
        StaticTimeline timeline(page.comm, page.view, planned, page.threads);
        std::string text = timeline.text();
        const double used = static_cast<double>(text.size()) / static_cast<double>(room + 1);
        if (pass == 0 || (used <= 1 && text.size() > kept.text.size())) {
            kept = {std::move(text), timeline.says(), timeline.is_exact()};
            fits = scale;
        }
        const bool is_done = is_large || timeline.is_exact() || (used > kFull && used <= 1);
        if (page.comm.broadcast(is_done ? "done" : "", 0) == "done") break;
        scale = used <= 1 ? scale * std::min(3.0, 0.97 / used) : (fits + scale) / 2;
    }
    return kept;
}

}  // namespace

std::string kept_page_data(const StaticPage& page) {
    NamedTexts shared = shared_documents(page);
    KeptDocuments documents(0);
    on_first(page.comm, [&] { documents = kept_documents(page, std::move(shared)); });
    TraceView& view = page.view;
    view.find_end(page.comm, page.threads);
    TextStream trace;
    on_first(page.comm, [&] {
        JsonWriter json(trace);
        put_trace(json, view, page.name);
    });
    const std::size_t most = page.most_bytes;
    const std::size_t taken = documents.text().size() + trace.str().size() + 2000;
    const KeptTimeline timeline = kept_timeline(page, most - std::min(most, taken));
    std::string text = "{\"mode\":\"report\",\"timeline\":{";
    text.reserve(most);
    text += timeline.text;
    text += timeline.is_exact ? ",\"exact\":true" : ",\"exact\":false";
    text += ",\"says\":";
    append_json_string(says(timeline.says, documents, page), text);
    text += "},\"trace\":";
    text += trace.str();
    text += ",\"documents\":{";
    text += documents.text();
    text += "}}";
    return text;
}

}  // namespace tracefold
