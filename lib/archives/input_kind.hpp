// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "base/publication.hpp"
#include "base/types.hpp"

#include <string>
#include <utility>
#include <vector>

namespace tracefold {

/// True for a folder, which may be that of an OTF2 archive, and for a file with the name of an
/// anchor; false for a folded file, whatever its name.
bool is_archive(const std::string& path);

/// Throws Error(unsupported) if `path` is something known that is neither a folded file nor an
/// archive, such as another file of an archive, a packed archive or a profile, and says what to
/// give in its place. What is unknown or missing passes: whoever opens it knows more. Cost: reads a
/// few bytes, or lists a folder.
void refuse_foreign_input(const std::string& path);

/// The same for tools that read archives only: folded files are refused as well.
void refuse_all_but_archives(const std::string& path);

/// The files of an archive, whether all of them are there or not. Throws Error(io).
std::vector<InputClaim> claim_archive(const std::string& anchor);

/// A folded file, or the files of an archive; none if no archive is there: whoever opens it says
/// why. Throws Error(io).
std::vector<InputClaim> claim_trace(const std::string& path);

/// What a tool's --version says about formats and libraries: pairs of a name and a version.
TRACEFOLD_API std::vector<std::pair<std::string, std::string>> format_versions();

}  // namespace tracefold
