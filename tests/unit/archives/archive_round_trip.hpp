// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "archives/compress.hpp"
#include "archives/restore.hpp"
#include "base/communicator.hpp"
#include "base/error.hpp"
#include "file/trace_file.hpp"
#include "support/otf2_all_records.hpp"
#include "support/otf2_copy.hpp"
#include "support/test_directory.hpp"

#include <filesystem>
#include <fstream>
#include <functional>
#include <optional>
#include <set>
#include <string>

#include <gtest/gtest.h>

namespace tracefold::testing {

inline CompressOptions fold_options(const std::string& archive, const std::string& output) {
    CompressOptions options;
    options.archive = archive;
    options.output = output;
    options.producer = "test";
    options.level = 1;
    return options;
}

inline CompressReport fold(const CompressOptions& options) {
    SerialCommunicator comm;
    return compress(comm, options);
}

inline u64 unfold(const std::string& file, const std::string& directory, bool force = false,
                  u32 threads = 1) {
    TraceFile trace(file);
    return restore_archive(trace, directory, force, {}, threads);
}

inline void write_text(const std::string& path, const std::string& text) {
    std::filesystem::create_directories(std::filesystem::path(path).parent_path());
    std::ofstream(path, std::ios::binary | std::ios::trunc) << text;
}

/// Names of all files and folders below a folder, relative to it.
inline std::set<std::string> names_below(const std::string& folder) {
    std::set<std::string> names;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
        names.insert(entry.path().lexically_relative(folder).generic_string());
    }
    return names;
}

/// The kind of Error that an action throws; a test failure if it throws none or if its message does
/// not hold `part`.
inline ErrorKind error_of(const std::function<void()>& action, const std::string& part) {
    try {
        action();
    } catch (const Error& error) {
        EXPECT_NE(std::string(error.what()).find(part), std::string::npos) << error.what();
        EXPECT_EQ(std::string(error.what()).find('\n'), std::string::npos) << error.what();
        return error.kind();
    }
    ADD_FAILURE() << "no error that says '" << part << "'";
    return ErrorKind::internal;
}

/// A folder with the archive of all kinds of records in "a".
class PipelineTest : public ::testing::Test {
  protected:
    void SetUp() override { write_archive(all_, archive_); }

    /// Files that differ after folding and unfolding the archive.
    std::vector<std::string> lost_files() {
        fold(fold_options(archive_, file_));
        unfold(file_, scratch_ / "back");
        const ArchiveReader reader(archive_);
        return differing_files(reader, scratch_ / "back");
    }

    TestDirectory scratch_;
    AllRecords all_ = make_all_records();
    std::string archive_ = scratch_ / "a";
    std::string file_ = scratch_ / "a.tfold";
};

}  // namespace tracefold::testing
