// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "archives/trace_claims.hpp"

#include "archives/input_kind.hpp"
#include "core/error.hpp"
#include "io/file_descriptor.hpp"
#include "otf2/archive_files.hpp"

#include <filesystem>

namespace tracefold {

namespace fs = std::filesystem;

std::vector<InputClaim> claim_archive(const std::string& anchor) {
    const ArchiveFiles files = files_of(anchor);
    const fs::path folder = files.directory();
    std::vector<InputClaim> claims = {InputClaim(anchor), InputClaim(folder / files.name())};
    list_folder(folder.string(), [&] {
        if (!fs::exists(folder)) return;
        // Files whose names are known can be read in a folder that cannot.
        const auto options = fs::directory_options::skip_permission_denied;
        for (const auto& entry : fs::directory_iterator(folder, options)) {
            if (files.has(entry.path().filename().string())) claims.emplace_back(entry.path());
        }
    });
    return claims;
}

std::vector<InputClaim> claim_trace(const std::string& path) {
    if (!is_archive(path)) return {InputClaim(path)};
    std::string anchor;
    try {
        anchor = find_anchor(path);
    } catch (const Error&) {
        return {};
    }
    return claim_archive(anchor);
}

}  // namespace tracefold
