// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "archives/trace_claims.hpp"

#include "archives/input_kind.hpp"
#include "core/error.hpp"
#include "otf2/archive_files.hpp"

#include <filesystem>
#include <system_error>

namespace tracefold {

namespace fs = std::filesystem;

std::vector<InputClaim> claim_archive(const std::string& anchor) {
    const ArchiveFiles files = files_of(anchor);
    const fs::path folder = files.directory();
    std::vector<InputClaim> claims = {InputClaim(anchor), InputClaim(folder / files.name())};
    std::error_code ignored;
    for (fs::directory_iterator entry(folder, ignored), end; !ignored && entry != end;
         entry.increment(ignored)) {
        if (files.has(entry->path().filename().string())) claims.emplace_back(entry->path());
    }
    return claims;
}

std::vector<InputClaim> claim_trace(const std::string& path) {
    if (!is_archive(path)) return {InputClaim(path)};
    try {
        return claim_archive(find_anchor(path));
    } catch (const Error&) {
        return {};
    }
}

}  // namespace tracefold
