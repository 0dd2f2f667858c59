// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "inspect/page/page_answers.hpp"
#include "inspect/page/page_documents.hpp"
#include "inspect/page/server_plugin.hpp"

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace tracefold {

/// The parameters of a question, as they stand in an address. Whatever does not make sense throws
/// Error(usage).
class PageQuery {
  public:
    explicit PageQuery(std::map<std::string, std::string> values) : values_(std::move(values)) {}

    /// Empty if it is missing.
    [[nodiscard]] std::string text(const std::string& name) const;
    /// A number from 0; digits only.
    [[nodiscard]] u64 number(const std::string& name) const;
    [[nodiscard]] u64 number(const std::string& name, u64 otherwise) const;
    /// `from`, `to`, `rows` ("0-39,50") and `columns`; rows of a view of `row_count`.
    [[nodiscard]] PageWindow window(u32 row_count) const;
    [[nodiscard]] std::vector<u32> rows(u32 row_count) const;
    [[nodiscard]] u32 row(u32 row_count) const;

  private:
    std::map<std::string, std::string> values_;
};

/// The documents of a served trace, so that one that takes long does not hold up the others. For
/// concurrent use. Memory: the documents that were asked for, and three times PageDocuments.
class ServedDocuments {
  public:
    ServedDocuments(const std::string& path, const std::string& name);

    /// Precondition: PageDocuments::is_known(document).
    std::string text(const std::string& document);

  private:
    struct DocumentCache {
        DocumentCache(const std::string& path, const std::string& name) : documents(path, name) {}
        std::mutex mutex;
        PageDocuments documents;
        std::map<std::string, std::string> known;
    };

    DocumentCache shared_;  ///< those that have a profile and statistics in common
    DocumentCache others_;
    DocumentCache waits_;
};

/// One trace that is served.
struct ServedTrace {
    std::string path;  ///< of a folded file that stays
    std::string name;
    std::unique_ptr<TraceView> view;
    std::unique_ptr<ServedDocuments> documents;
};

/// Answers the questions of a page about some traces, whatever carries them. For concurrent use.
/// Memory: that of the views, and the documents that were asked for.
class PageService {
  public:
    /// `lane_bytes`: room for the lanes of all traces together.
    PageService(std::vector<ServedTrace> traces, std::size_t lane_bytes);

    /// `path`: what follows the token in an address, such as "" or "api/timeline". Never throws:
    /// what does not make sense is answered with 4xx, damaged files with 500.
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
