// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "common/console.hpp"
#include "inspect/page/page_server.hpp"
#include "inspect/page/temporary_trace.hpp"

#include <cstddef>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace tracefold {

/// Answers queries of a page that lists the traces of folders, and of the page of each trace at
/// "NUMBER/", which opens it. Thread-safe. Memory: PageService of at most four traces.
class ListService {
  public:
    /// `console` gets the warnings about traces that are opened; it must outlive this object.
    ListService(std::vector<std::string> places, std::size_t lane_bytes, Console& console)
        : places_(std::move(places)), lane_bytes_(lane_bytes), console_(console) {}

    /// As PageService::answer(). The list takes `where` and `sort`, as trace_inspect list.
    PageAnswer answer(const std::string& path, const PageQuery& query);

  private:
    struct OpenedTrace {
        std::unique_ptr<TemporaryTrace> trace;
        std::unique_ptr<PageService> service;
    };

    std::string list(const PageQuery& query);
    std::shared_ptr<OpenedTrace> opened(u64 number);

    std::vector<std::string> places_;
    std::size_t lane_bytes_;
    Console& console_;
    std::mutex mutex_;
    std::map<std::string, u64> numbers_;  ///< of traces, in the order in which they were found
    std::vector<std::string> paths_;      ///< by number
    std::map<u64, std::shared_ptr<OpenedTrace>> opened_;
};

}  // namespace tracefold
