// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "base/file.hpp"
#include "export/export_format.hpp"
#include "support/sample_file.hpp"
#include "support/test_directory.hpp"

#include <sstream>
#include <string>
#include <vector>

namespace tracefold {

/// A sample trace converted to a format of one file.
struct ExportedText {
    ExportedText(const std::string& sample, std::string_view format,
                 TimingLevel timing = TimingLevel::none, const ExportOptions& options = {}) {
        SampleFile file(sample, timing);
        const TestDirectory directory;
        const std::string path = (directory / "out").string();
        report = find_export_format(format)->write(*file, path, options);
        text = read_whole_file(path);
    }

    [[nodiscard]] std::vector<std::string> lines() const {
        std::vector<std::string> all;
        std::istringstream stream(text);
        for (std::string line; std::getline(stream, line);) all.push_back(line);
        return all;
    }

    ExportReport report;
    std::string text;
};

}  // namespace tracefold
