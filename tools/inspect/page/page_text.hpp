// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <string_view>

namespace tracefold {

/// The interactive page as one self-contained HTML file. `data`: a JSON value that describes the
/// data source (docs/internals/page.md). `served`: the page may ask its server, otherwise nobody.
std::string page_text(std::string_view title, std::string_view data, bool served = false);

}  // namespace tracefold
