// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "view/trace_view.hpp"

#include <string>

namespace tracefold {

/// What a page without a server keeps (docs/page.md), as a JSON value of about `most_bytes` at
/// most: the documents of the views, then rows of the timeline, call by call as far as there is
/// room, the others in equal columns. Tells what it left out. `path`: of the folded file. Throws
/// Error(corrupt).
std::string kept_page_data(TraceView& view, const std::string& path, const std::string& name,
                           std::size_t most_bytes);

}  // namespace tracefold
