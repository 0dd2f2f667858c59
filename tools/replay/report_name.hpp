// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string_view>

namespace tracefold {

/// True for files whose names say in which form a report is to be written.
inline bool is_report_name(std::string_view file) {
    return file.ends_with(".json") || file.ends_with(".csv") || file.ends_with(".html");
}

}  // namespace tracefold
