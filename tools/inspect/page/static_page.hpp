// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "inspect/page/page_documents.hpp"
#include "questions/timeline/trace_view.hpp"

#include <string>

namespace tracefold {

/// What a page without a server is made of.
struct StaticPage {
    Communicator& comm;
    TraceView& view;
    PageDocuments& documents;  ///< of the same file, prepared
    std::string name;
    std::size_t most_bytes = 0;
    std::string prediction = {};  ///< JSON, if one was asked for
    u32 threads = 1;
};

/// The data of such a page (docs/internals/page.md), as a JSON value of about `most_bytes` at most:
/// documents of the views, then the timeline as it fits. Tells what it left out. Cost: unwinds the
/// file some six times, which the threads of the page, or several processes, share out. Collective,
/// with the same page on all processes but for the prediction; complete on process 0; throws the
/// same Error(corrupt) on all.
std::string kept_page_data(const StaticPage& page);

}  // namespace tracefold
