// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <string_view>

namespace tracefold {

/// The interactive page as one HTML file without references to others. `data`: a JSON value that
/// says where its numbers come from (docs/internals/page.md).
std::string page_text(std::string_view title, std::string_view data);

}  // namespace tracefold
