// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "questions/structure/structure_diff.hpp"

#include "support/sample_file.hpp"

#include <map>

#include <gtest/gtest.h>

namespace tracefold {
namespace {

struct Side {
    explicit Side(const char* name, TimingLevel timing = TimingLevel::none)
        : file(name, timing), names(file->definitions()), source(*file), times(call_times(*file)) {}
    DiffSide view() { return {*file, source, names, times ? &*times : nullptr}; }

    SampleFile file;
    ParticipantNames names;
    ListingSource source;
    std::optional<CallTimes> times;
};

std::map<Difference::Kind, u64> differences(Side& a, Side& b, const DiffOptions& options = {}) {
    std::map<Difference::Kind, u64> count;
    const OnlyIn only =
        compare_structures(a.view(), b.view(), options,
                           [&count](const Difference& difference) { ++count[difference.kind]; });
    EXPECT_TRUE(only.a.empty());
    EXPECT_TRUE(only.b.empty());
    return count;
}

TEST(StructureDiffTest, AFileIsEqualToItself) {
    for (const char* name : {"npb-lu.S-4", "micro-rma-4", "micro-omphyb-4", "micro-anysrc-4"}) {
        Side a(name);
        Side b(name);
        EXPECT_TRUE(differences(a, b).empty()) << name;
    }
}

TEST(StructureDiffTest, OtherProgramsHaveOtherCalls) {
    Side a("micro-user-4");
    Side b("micro-stencil2d9p-isend-4");
    const auto found = differences(a, b);
    EXPECT_GT(found.at(Difference::Kind::only_in_a), 0U);
    EXPECT_GT(found.at(Difference::Kind::only_in_b), 0U);
}

TEST(StructureDiffTest, TimesOfTheSameRunAgree) {
    Side a("npb-lu.S-4", TimingLevel::exact);
    Side b("npb-lu.S-4", TimingLevel::histogram);
    EXPECT_TRUE(differences(a, b, {1e-9, {}}).empty());
}

}  // namespace
}  // namespace tracefold
