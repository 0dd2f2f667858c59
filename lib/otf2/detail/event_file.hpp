// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/types.hpp"

#include <string>

namespace tracefold::otf2_detail {

/// True if a definition or event file has the end mark that libotf2 writes last. libotf2 itself
/// does not always notice that a file was cut: it then decodes what an earlier chunk left in its
/// buffer. Precondition: the file exists. Throws Error `io` if it cannot be read.
bool ends_properly(const std::string& path);

/// Number of events in the file as its last chunk's header says. 0 if there is no such header.
u64 event_count_on_file(const std::string& path, u64 chunk_size);

}  // namespace tracefold::otf2_detail
