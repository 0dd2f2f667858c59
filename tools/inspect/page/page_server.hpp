// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "inspect/page/http_server.hpp"
#include "inspect/page/page_answers.hpp"
#include "inspect/page/page_documents.hpp"
#include "inspect/page/temporary_trace.hpp"
#include "questions/messages/messages.hpp"

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <tuple>
#include <vector>

namespace tracefold {

/// The parameters of a query, from its address. Throws Error(usage) for invalid values.
class PageQuery {
  public:
    explicit PageQuery(std::map<std::string, std::string> values) : values_(std::move(values)) {}

    /// Empty if it is missing.
    [[nodiscard]] std::string text(const std::string& name) const;
    /// A nonnegative number; digits only.
    [[nodiscard]] u64 number(const std::string& name) const;
    [[nodiscard]] u64 number(const std::string& name, u64 otherwise) const;
    /// `from`, `to`, `rows` ("0-39,50") and `columns`; `row_count`: rows of the view.
    [[nodiscard]] PageWindow window(u32 row_count) const;
    [[nodiscard]] std::vector<u32> rows(u32 row_count) const;
    [[nodiscard]] u32 row(u32 row_count) const;

  private:
    std::map<std::string, std::string> values_;
};

/// The documents of a served trace: slow ones do not block others. Thread-safe. Memory: the
/// requested documents and PageDocuments.
class ServedDocuments {
  public:
    /// Opens the file. Throws Error: io, corrupt, unsupported.
    ServedDocuments(const std::shared_ptr<const InputFile>& input, const std::string& name);

    /// The file and its steps, which others may use during the lifetime of this object.
    [[nodiscard]] const OpenTrace& opened() { return opened_.open(); }
    /// Precondition: PageDocuments::is_known(document). Calls cancel_point() while it waits for
    /// another request, and keeps no document that was cancelled.
    std::string text(const std::string& document);

  private:
    struct DocumentCache {
        std::unique_ptr<PageDocuments> documents;
        std::mutex mutex;
        std::map<std::string, std::string> known;
    };
    DocumentCache& cache_of(const std::string& document);

    PageDocuments opened_;
    DocumentCache shared_;  ///< documents that share a profile and statistics
    DocumentCache others_;
    DocumentCache waits_;  ///< documents that share an efficiency
};

/// The messages of a served trace, found when a call is first asked about. Thread-safe. Memory: up
/// to kMostMessages messages.
class ServedMessages {
  public:
    /// `trace` must outlive this object.
    explicit ServedMessages(const OpenTrace& trace) : file_(*trace.file), steps_(trace.steps) {}

    /// Writes {"messages": [...]}, those that the call sends or receives as `messages --json` has
    /// them, or {"unavailable": "why"}. Throws Error(corrupt).
    void put(u32 location, u64 call, JsonWriter& json);

  private:
    static constexpr std::size_t kMostMessages = 1'000'000;
    /// An end of a message.
    struct End {
        u32 location = 0;
        u32 message = 0;  ///< index in the list
        u64 call = 0;

        bool operator<(const End& other) const {
            return std::tie(location, call, message) <
                   std::tie(other.location, other.call, other.message);
        }
    };
    void find();

    std::mutex mutex_;
    TraceFile& file_;
    FoundSteps& steps_;
    bool known_ = false;
    std::string why_not_;
    Messages found_;
    std::vector<End> ends_;
};

struct ServedTrace {
    std::shared_ptr<const InputFile> input;  ///< a folded file
    bool is_temporary = false;               ///< its path has been removed
    std::string name;
    std::unique_ptr<ServedDocuments> documents;  ///< its file is that of the members below
    std::unique_ptr<TraceView> view;
    std::unique_ptr<ServedMessages> messages;
};

/// A trace that is not opened yet.
inline ServedTrace served(const TemporaryTrace& trace) {
    return {trace.input(), trace.is_temporary(), trace.name(), nullptr, nullptr, nullptr};
}

/// Answers queries of a page about several traces, independent of the transport. Thread-safe.
/// Memory: the views and the requested documents.
class PageService {
  public:
    /// `lane_bytes`: capacity for the lanes of all traces.
    PageService(std::vector<ServedTrace> traces, std::size_t lane_bytes);

    /// `path`: the address after the token, such as "" or "api/timeline". Invalid queries yield
    /// 4xx, damaged files 500. Throws nothing but what cancel_point() throws.
    PageAnswer answer(const std::string& path, const PageQuery& query);

  private:
    PageAnswer answer_api(const std::string& question, const PageQuery& query);
    static PageAnswer document(const ServedTrace& trace, const PageQuery& query);
    [[nodiscard]] std::string page() const;

    std::vector<ServedTrace> traces_;
};

/// 128 random bits as 32 hexadecimal digits. Throws Error(io).
std::string random_token();

}  // namespace tracefold
