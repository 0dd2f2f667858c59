// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "inspect/page/static_page.hpp"

#include "base/communicator.hpp"
#include "base/json_writer.hpp"
#include "base/parallel.hpp"
#include "base/text_stream.hpp"
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

/// Prepared documents, in order of priority for space.
constexpr const char* kPrepared[] = {"stats", "spreads"};
constexpr const char* kOthers[] = {
    "explain",      "classes",     "structure",    "efficiency",
    "graph",        "matrix-node", "matrix-class", "sizes",
    "accelerators", "metrics",     "metrics-path", "metric-series",
    "io",           "matrix-rank", "rma-rank",     "collective-rank"};
/// Slow documents, slowest first.
constexpr const char* kLong[] = {"explain",   "efficiency", "graph",
                                 "structure", "classes",    "matrix-node"};
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
    for (const char* document : kOthers) {
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
        return texts.contains(one) || page.documents.is_too_long(one) ||
               (one == "graph" && !has_graph(page));
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

KeptDocuments kept_documents(const StaticPage& page, NamedTexts others) {
    KeptDocuments documents(page.most_bytes / 2);
    const auto add = [&](const std::string& document, std::string text) {
        if (!documents.add(document, std::move(text))) documents.leave_out(document);
    };
    const auto make = [&](const std::string& document) {
        return !page.documents.is_too_long(document) &&
               documents.add(document, page.documents.text(document));
    };
    add("info", page.documents.text("info"));
    if (!page.prediction.empty()) add("prediction", page.prediction);
    if (page.documents.is_too_long("profile")) {
        documents.leave_out("profile");
    } else if (!make("profile")) {
        add("profile", page.documents.short_profile());
    }
    for (const char* document : kPrepared) {
        if (!make(document)) documents.leave_out(document);
    }
    page.documents.release();
    add_other_documents(page, others);
    for (const char* document : kOthers) {
        const auto made = others.find(document);
        if (made == others.end()) {
            if (page.documents.is_too_long(document)) documents.leave_out(document);
        } else {
            add(document, std::move(made->second));
        }
    }
    return documents;
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
    StaticTimeline timeline(page.comm, view, most - std::min(most, taken), page.threads);
    std::string text = "{\"mode\":\"report\",\"timeline\":{";
    text.reserve(most);
    text += timeline.text();
    text += timeline.is_exact() ? ",\"exact\":true" : ",\"exact\":false";
    text += ",\"says\":";
    append_json_string(says(timeline.says(), documents, page), text);
    text += "},\"trace\":";
    text += trace.str();
    text += ",\"documents\":{";
    text += documents.text();
    text += "}}";
    return text;
}

}  // namespace tracefold
