// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "unit/export/formats/exported_text.hpp"

#include <string>
#include <string_view>

#include <gtest/gtest.h>

namespace tracefold {
namespace {

/// Of an archive by TAU: all its collective calls are functions without a record of the operation.
constexpr std::string_view kSample = "tau-colls-4";
constexpr u64 kCalls = 500;
constexpr u64 kBarriers = 20;

/// Calls that are in the output, but for those that make and end MPI.
u64 calls_in(const ExportReport& report) {
    u64 calls = 0;
    for (const ExportOutcome outcome :
         {ExportOutcome::written, ExportOutcome::expanded, ExportOutcome::approximated}) {
        for (const auto& [name, times] : report.of(outcome)) {
            if (name != "MPI_Init" && name != "MPI_Finalize") calls += times;
        }
    }
    return calls;
}

u64 count(const std::string& text, std::string_view word) {
    u64 times = 0;
    for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) {
        ++times;
    }
    return times;
}

TEST(UnrecordedCollectives, AreInTheTracesOfSimulators) {
    for (const std::string_view format : {"ti", "goal", "dim", "dumpi", "chakra"}) {
        SampleFile file(std::string(kSample), TimingLevel::none);
        const TestDirectory directory;
        const ExportReport report =
            find_export_format(format)->write(*file, (directory / "out").string(), {});
        EXPECT_EQ(calls_in(report), kCalls) << format;
    }
}

TEST(UnrecordedCollectives, AreInTheFormatsOfPeopleAndScripts) {
    const std::string sample(kSample);
    const ExportedText lines(sample, "jsonl");
    EXPECT_EQ(count(lines.text, "\"inferred\":true"), kCalls);
    const ExportedText paraver(sample, "prv", TimingLevel::exact);
    EXPECT_EQ(count(paraver.text, ":50100004:"), kCalls) << "the communicator of each";
}

TEST(UnrecordedCollectives, AreSlicesWithoutSizesWhichIsSaid) {
    const ExportedText exported(std::string(kSample), "chrome", TimingLevel::exact);
    EXPECT_EQ(count(exported.text, "\"name\":\"MPI_Barrier()\""), kBarriers);
    EXPECT_EQ(exported.report.of(ExportOutcome::dropped)
                  .at("sizes of collective operations without a record"),
              kCalls - kBarriers);
}

}  // namespace
}  // namespace tracefold
