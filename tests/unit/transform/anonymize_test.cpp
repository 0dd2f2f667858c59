// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "transform/anonymize.hpp"

#include "base/file.hpp"
#include "support/made_trace.hpp"
#include "support/test_directory.hpp"

#include <algorithm>

#include <gtest/gtest.h>

namespace tracefold {
namespace {

using testing::MadeTrace;

/// The definitions that older recorders write for each location, with a name that no other
/// definition has.
void define_locally(MadeTrace& trace, u32 rank, const std::string& own) {
    DefinitionWriter& out = trace.local(rank, 0);
    const u64 empty = out.string("");
    const u64 name = out.string("solve_secret");
    const u64 other = out.string(own);
    const u64 known = out.string("MPI_Send");
    out.add(DefinitionType::Region, {0, name, name, empty, 0, 1, 0, other, 1, 2});
    out.add(DefinitionType::Region, {1, known, known, empty, 0, kParadigmMpi, 0, empty, 0, 0});
}

/// A folded trace whose locations have strings, and the Anonymizer's output of it.
class LocalStringsTest : public ::testing::Test {
  protected:
    LocalStringsTest() {
        MadeTrace trace({.ranks = 3});
        define_locally(trace, 0, "/home/alice/secret.f90");
        define_locally(trace, 2, "/home/bob/secret.f90");
        for (const u32 rank : {0U, 1U, 2U}) trace.call(rank, "solve_secret");
        trace.fold(source_);
        TraceFile file(source_);
        Anonymizer anonymizer(file);
        anonymizer.write(output_, false);
        names_ = anonymizer.result().replaced;
    }

    /// The strings of a location's local definitions.
    static std::vector<std::string> strings(TraceFile& file, u32 location) {
        std::vector<std::string> found;
        drain(*file.local_definitions(location), [&found](const RecordBatch& batch) {
            for (const RecordBatch::Head& head : batch.heads()) {
                if (head.type != static_cast<u8>(DefinitionType::String)) continue;
                found.emplace_back(batch.text(head, batch.values(head)[1]));
            }
        });
        return found;
    }
    [[nodiscard]] std::string neutral(const std::string& original) const {
        const auto found = std::ranges::find(names_, original, &Replacement::original);
        return found == names_.end() ? "" : found->neutral;
    }

    TestDirectory folder_;
    std::string source_ = folder_ / "made.tfold";
    std::string output_ = folder_ / "anonymous.tfold";
    std::vector<Replacement> names_;
};

TEST_F(LocalStringsTest, AreReplacedByWhatTheyName) {
    EXPECT_EQ(neutral("solve_secret"), "function_1");
    EXPECT_EQ(neutral("/home/alice/secret.f90"), "file_1");
    EXPECT_EQ(neutral("/home/bob/secret.f90"), "file_2");
    TraceFile file(output_);
    const std::vector<std::string> first{"", "function_1", "file_1", "MPI_Send"};
    const std::vector<std::string> last{"", "function_1", "file_2", "MPI_Send"};
    EXPECT_EQ(strings(file, 0), first);
    EXPECT_TRUE(strings(file, 1).empty());
    EXPECT_EQ(strings(file, 2), last);
}

TEST_F(LocalStringsTest, OtherRecordsStay) {
    TraceFile before(source_);
    TraceFile after(output_);
    for (u32 location = 0; location < before.location_count(); ++location) {
        const auto records = [location](TraceFile& file) {
            std::vector<std::vector<u64>> found;
            drain(*file.local_definitions(location), [&found](const RecordBatch& batch) {
                for (const RecordBatch::Head& head : batch.heads()) {
                    if (head.type == static_cast<u8>(DefinitionType::String)) continue;
                    const auto values = batch.values(head);
                    found.emplace_back(values.begin(), values.end());
                }
            });
            return found;
        };
        EXPECT_EQ(records(before), records(after)) << location;
    }
}

TEST_F(LocalStringsTest, NoNameIsLeftInTheRestoredArchive) {
    TraceFile file(output_);
    for (u32 location = 0; location < file.location_count(); ++location) {
        for (const std::string& text : strings(file, location)) {
            EXPECT_EQ(text.find("secret"), std::string::npos) << text;
        }
    }
    const std::string bytes = read_whole_file(output_);
    for (const char* name : {"secret", "alice", "bob"}) {
        EXPECT_EQ(bytes.find(name), std::string::npos) << name;
    }
}

/// Files without such strings keep the section.
TEST(AnonymizerTest, LocalDefinitionsWithoutStringsStayByteByByte) {
    const TestDirectory folder;
    const std::string source = folder / "made.tfold";
    const std::string output = folder / "anonymous.tfold";
    MadeTrace trace({.ranks = 2});
    trace.local(0, 0).add(DefinitionType::ClockOffset, {5, 7, 0});
    trace.call(0, "solve_secret");
    trace.fold(source);
    TraceFile file(source);
    Anonymizer(file).write(output, false);
    const TraceFile after(output);
    const auto section = [](const TraceFile& it) {
        const ContainerReader& container = it.container();
        return std::string(container.stored(container.section(SectionKind::local_definitions)));
    };
    EXPECT_EQ(section(file), section(after));
}

}  // namespace
}  // namespace tracefold
