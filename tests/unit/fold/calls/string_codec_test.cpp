// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "fold/definition_codec.hpp"

#include <string_view>
#include <vector>

#include <gtest/gtest.h>

namespace tracefold {
namespace {

/// What a recorder defines with an MPI that has no functions of `version` and later ones.
std::vector<std::string_view> functions_before(u8 version) {
    std::vector<std::string_view> functions;
    const auto entries = Dictionary::built_in().entries();
    for (u32 i = Dictionary::built_in().find("MPI_Accumulate");; ++i) {
        if (entries[i].since < version) functions.push_back(entries[i].text);
        if (entries[i].text == "MPI_Win_wait") return functions;
    }
}

std::vector<u64> codes(const std::vector<std::string_view>& texts) {
    StringEncoder encoder(Dictionary::built_in());
    std::vector<u64> codes;
    for (const std::string_view text : texts) {
        const StringForm form = encoder.encode(text);
        EXPECT_FALSE(form.literal) << text;
        EXPECT_EQ(Dictionary::built_in().entries()[form.code / 2].text, text);
        codes.push_back(form.code);
    }
    return codes;
}

/// How often one is not the entry behind the one before.
u64 breaks(const std::vector<u64>& codes) {
    u64 count = 0;
    for (std::size_t i = 1; i < codes.size(); ++i) count += codes[i] != codes[i - 1] + 2 ? 1 : 0;
    return count;
}

TEST(StringEncoderTest, FunctionsOfAnyVersionOfMpiAreRuns) {
    EXPECT_EQ(breaks(codes(functions_before(5))), 0U);
    EXPECT_EQ(breaks(codes(functions_before(4))), 1U);
    EXPECT_LE(breaks(codes(functions_before(3))), 3U);
    EXPECT_GT(functions_before(4).size(), functions_before(3).size());
    EXPECT_GT(functions_before(3).size(), 100U);
}

TEST(StringEncoderTest, OfFunctionsThatAreLeftOutTheOthersStayInOneList) {
    const std::vector<u64> rising =
        codes({"MPI_Allgather", "MPI_Allgatherv", "MPI_Allreduce", "MPI_Bcast", "MPI_Comm_rank",
               "MPI_Comm_size", "MPI_Gather", "MPI_Gatherv", "MPI_Recv", "MPI_Wait"});
    for (std::size_t i = 1; i < rising.size(); ++i) EXPECT_GT(rising[i], rising[i - 1]);
    // Behind the first two, the functions of MPI 3.1.
    EXPECT_EQ(rising[2], rising[1] + 2);
    EXPECT_EQ(rising[7], rising[6] + 2);
}

}  // namespace
}  // namespace tracefold
