// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "inspect/page/page_query.hpp"

#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace tracefold {

/// An answer to one question of a browser.
struct PageAnswer {
    int status = 200;
    std::string type = "application/json";
    std::string body;
};

/// One trace that is served.
struct ServedTrace {
    std::string path;  ///< of a folded file that stays
    std::string name;
    std::unique_ptr<TraceView> view;
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
    PageAnswer document(const ServedTrace& trace, const PageQuery& query);
    [[nodiscard]] std::string page() const;

    std::vector<ServedTrace> traces_;
    std::mutex documents_mutex_;
    std::map<std::string, std::string> documents_;  ///< by file and command
};

/// 128 random bits as 32 hexadecimal digits. Throws Error(io).
std::string random_token();

}  // namespace tracefold
