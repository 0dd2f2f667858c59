// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "otf2/archive_reader.hpp"
#include "support/otf2_copy.hpp"
#include "support/otf2_scratch.hpp"

#include <algorithm>
#include <filesystem>

#include <gtest/gtest.h>

namespace tracefold::testing {
namespace {

namespace fs = std::filesystem;

/// Anchors of all archives below `folder`.
std::vector<std::string> archives_below(const std::string& folder) {
    std::vector<std::string> anchors;
    for (const auto& entry : fs::recursive_directory_iterator(folder)) {
        if (entry.path().extension() == ".otf2") anchors.push_back(entry.path().string());
    }
    std::sort(anchors.begin(), anchors.end());
    return anchors;
}

TEST(RealArchivesTest, AreCopiedToTheSameBytes) {
    const std::string folder = TRACEFOLD_ARCHIVES;
    const std::vector<std::string> anchors =
        fs::is_directory(folder) ? archives_below(folder) : std::vector<std::string>{};
    if (anchors.empty()) GTEST_SKIP() << "no archives in " << folder;
    const ScratchFolder scratch;
    for (const std::string& anchor : anchors) {
        SCOPED_TRACE(anchor);
        ArchiveReader reader(anchor);
        copy_archive(reader, scratch / "copy");
        EXPECT_EQ(differing_files(reader, scratch / "copy"), std::vector<std::string>{});
        fs::remove_all(scratch / "copy");
    }
}

}  // namespace
}  // namespace tracefold::testing
