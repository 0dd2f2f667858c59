// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "inspect/page/page_documents.hpp"
#include "questions/timeline/trace_view.hpp"

#include <string>

namespace tracefold {

/// Inputs of a page without a server.
struct StaticPage {
    Communicator& comm;
    TraceView& view;
    PageDocuments& documents;  ///< of the same file, prepared
    std::string name;
    std::size_t most_bytes = 0;
    std::string prediction = {};  ///< JSON; empty: not requested
    u32 threads = 1;
};

/// The data of a static page (docs/internals/page.md), as a JSON value of about `most_bytes` at
/// most: documents of the views, then as much of the timeline as fits. Reports omissions. Cost:
/// unwinds the file about six times, distributed over the page's threads or several processes.
/// Collective, with the same page except the prediction on all processes; complete on process 0;
/// throws the same Error(corrupt) on all.
std::string kept_page_data(const StaticPage& page);

}  // namespace tracefold
