// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "questions/profile/detail/cubex_anchor.hpp"
#include "support/definition_writer.hpp"
#include "support/one_batch.hpp"

#include <string>

#include <gtest/gtest.h>

namespace tracefold {
namespace {

DefinitionIndex index_of(const DefinitionWriter& out) {
    DefinitionIndex index;
    index.add(out.batch());
    index.finish();
    return index;
}

/// The tags of a text and what stands between them, without line ends.
std::string in_a_line(std::string text) {
    std::erase(text, '\n');
    return text;
}

TEST(CubexSystemTest, HasTheProcessesOfANodeBeforeTheNodesInIt) {
    DefinitionWriter out;
    const u64 machine = out.string("machine");
    const u64 linux_name = out.string("Linux");
    const u64 device = out.string("device");
    const u64 gpu = out.string("GPU <0>");
    const u64 rank = out.string("MPI Rank 0");
    const u64 context = out.string("Context");
    const u64 thread = out.string("Master thread");
    const u64 stream = out.string("Stream");
    out.add(DefinitionType::SystemTreeNode, {0, linux_name, machine, kNone});
    out.add(DefinitionType::SystemTreeNode, {1, gpu, device, 0});
    out.add(DefinitionType::LocationGroup, {0, context, 2, 1, 1});
    out.add(DefinitionType::LocationGroup, {1, rank, 1, 0, kNone});
    out.add(DefinitionType::Location, {0, stream, 2, 0, 0});
    out.add(DefinitionType::Location, {1, thread, 1, 0, 1});
    out.add(DefinitionType::Location, {2, thread, 3, 0, 1});
    OneBatch records(out.batch());
    const DefinitionIndex definitions = index_of(out);
    const SystemTree system(definitions, records);
    EXPECT_EQ(
        in_a_line(cubex_system(system, {true, true, true})),
        "<system><systemtreenode Id=\"0\"><name>machine Linux</name><class>machine</class>"
        "<locationgroup Id=\"0\"><name>MPI Rank 0</name><rank>1</rank><type>process</type>"
        "<location Id=\"1\"><name>Master thread</name><rank>0</rank><type>thread</type></location>"
        "<location Id=\"2\"><name>Master thread</name><rank>1</rank><type>metric</type></location>"
        "</locationgroup>"
        "<systemtreenode Id=\"1\"><name>device GPU &lt;0&gt;</name><class>device</class>"
        "<locationgroup Id=\"1\"><name>Context</name><rank>0</rank><type>accelerator</type>"
        "<location Id=\"0\"><name>Stream</name><rank>0</rank>"
        "<type>accelerator stream</type></location>"
        "</locationgroup></systemtreenode></systemtreenode>"
        "<topologies></topologies></system>");
}

// Score-P's own numbers (SCOREP_LocationGroupDef), which cube_diff compares.
TEST(CubexSystemTest, NumbersProcessesAndAcceleratorsAsTheyAreDefined) {
    DefinitionWriter out;
    const u64 linux_name = out.string("Linux");
    const u64 machine = out.string("machine");
    const u64 context = out.string("CUDA Context 1");
    const u64 first = out.string("MPI Rank 0");
    const u64 second = out.string("MPI Rank 1");
    const u64 thread = out.string("Master thread");
    out.add(DefinitionType::SystemTreeNode, {0, linux_name, machine, kNone});
    out.add(DefinitionType::LocationGroup, {0, first, 1, 0, kNone});
    out.add(DefinitionType::LocationGroup, {1, context, 2, 0, 0});
    out.add(DefinitionType::LocationGroup, {2, second, 1, 0, kNone});
    out.add(DefinitionType::Location, {0, thread, 1, 0, 0});
    out.add(DefinitionType::Location, {1, context, 2, 0, 1});
    out.add(DefinitionType::Location, {2, thread, 1, 0, 2});
    OneBatch records(out.batch());
    const DefinitionIndex definitions = index_of(out);
    const SystemTree system(definitions, records);
    const std::string text = in_a_line(cubex_system(system, {true, true, true}));
    EXPECT_NE(text.find("<name>MPI Rank 0</name><rank>0</rank>"), std::string::npos) << text;
    EXPECT_NE(text.find("<name>CUDA Context 1</name><rank>1</rank>"), std::string::npos) << text;
    EXPECT_NE(text.find("<name>MPI Rank 1</name><rank>2</rank>"), std::string::npos) << text;
}

class CubexRegionsTest : public ::testing::Test {
  protected:
    CubexRegion region(u64 role, u64 paradigm, u64 flags, u64 file, u64 begin, u64 end) {
        out_.add(DefinitionType::Region,
                 {7, name_, mangled_, name_, role, paradigm, flags, file, begin, end});
        OneBatch records(out_.batch());
        const DefinitionIndex definitions = index_of(out_);
        return CubexRegions(definitions, records).of({.kind = CallTree::Kind::region, .ref = 7});
    }

    DefinitionWriter out_;
    u64 name_ = out_.string("sweep(int)");
    u64 mangled_ = out_.string("_Z5sweepi");
    u64 file_ = out_.string("sweep.cpp");
};

TEST_F(CubexRegionsTest, KeepWhatTheTraceSaysOfThem) {
    constexpr u64 kFunction = 1;
    constexpr u64 kCompiler = 2;
    const CubexRegion sweep = region(kFunction, kCompiler, 0, file_, 12, 40);
    EXPECT_EQ(sweep.mangled_name, "_Z5sweepi");
    EXPECT_EQ(sweep.file, "sweep.cpp");
    EXPECT_EQ(sweep.begin, 12);
    EXPECT_EQ(sweep.end, 40);
    EXPECT_EQ(sweep.paradigm, "compiler");
    EXPECT_EQ(sweep.role, "function");
}

TEST_F(CubexRegionsTest, HaveScorePsWordForFlagsAndNoLinesWithoutAFile) {
    constexpr u64 kCode = 4;
    constexpr u64 kUser = 1;
    constexpr u64 kPhase = 2;
    const CubexRegion phase = region(kCode, kUser, kPhase, kNone, 0, 0);
    EXPECT_EQ(phase.file, "");
    EXPECT_EQ(phase.begin, -1);
    EXPECT_EQ(phase.end, -1);
    EXPECT_EQ(phase.role, "phase");
}

TEST_F(CubexRegionsTest, OfNumbersThatNobodyKnowsAreUnknown) {
    const CubexRegion odd = region(1000, 1000, 0, kNone, 0, 0);
    EXPECT_EQ(odd.paradigm, "unknown");
    EXPECT_EQ(odd.role, "unknown");
}

}  // namespace
}  // namespace tracefold
