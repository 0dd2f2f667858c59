// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "archives/versions.hpp"

#include "format/container.hpp"
#include "io/zstd_frame.hpp"
#include "model/archive_info.hpp"
#include "otf2/library.hpp"

namespace tracefold {

std::vector<std::pair<std::string, std::string>> format_versions() {
    const auto dotted = [](unsigned major, unsigned minor) {
        return std::to_string(major) + "." + std::to_string(minor);
    };
    return {{"file format", dotted(kFormatMajor, kFormatMinor)},
            {"OTF2 records up to", dotted(kOtf2Major, kOtf2Minor)},
            {"libotf2", otf2_library_version()},
            {"zstd", zstd_version()}};
}

}  // namespace tracefold
