// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "base/publication.hpp"
#include "base/types.hpp"

#include <string>
#include <vector>

namespace tracefold {

/// True for a folder, possibly that of an OTF2 archive, and for a file with the name of an anchor;
/// false for a folded file, whatever its name.
bool is_archive(const std::string& path);

/// Throws Error(unsupported), with advice, if `path` is known to be neither a folded file nor an
/// archive: another file of an archive, a packed archive or a profile. Unknown or missing files
/// pass: opening them gives a better message. Cost: reads a few bytes, or lists a folder.
void refuse_foreign_input(const std::string& path);

/// As refuse_foreign_input(), for tools that read archives only: also refuses folded files.
void refuse_all_but_archives(const std::string& path);

/// Claims the files of an archive, whether they exist or not. Throws Error(io).
std::vector<InputClaim> claim_archive(const std::string& anchor);

/// Claims a folded file, or the files of an archive; none for a missing archive, which fails on
/// opening. Throws Error(io).
std::vector<InputClaim> claim_trace(const std::string& path);

}  // namespace tracefold
