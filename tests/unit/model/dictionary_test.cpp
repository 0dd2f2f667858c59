// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "model/dictionary.hpp"

#include "model/numbered_name.hpp"

#include <map>

#include <gtest/gtest.h>

namespace tracefold {

namespace {

TEST(Dictionary, FindsItsEntries) {
    const Dictionary& dictionary = Dictionary::built_in();
    for (const Dictionary::Entry& entry : dictionary.entries()) {
        ASSERT_NE(dictionary.find(entry.text), kNone) << entry.text;
        EXPECT_EQ(dictionary.entries()[dictionary.find(entry.text)].text, entry.text);
    }
    EXPECT_EQ(dictionary.find("MPI_Unheard_of"), kNone);
}

TEST(Dictionary, EqualTextsHaveEqualRoles) {
    std::map<std::string_view, u8> roles;
    for (const Dictionary::Entry& entry : Dictionary::built_in().entries()) {
        EXPECT_EQ(roles.emplace(entry.text, entry.role).first->second, entry.role) << entry.text;
    }
    EXPECT_EQ(roles.at("MPI_Barrier"), 15);
    EXPECT_EQ(roles.at("MPI_Send"), 28);
}

TEST(Dictionary, ModelsHaveNumbers) {
    for (const Dictionary::Entry& entry : Dictionary::built_in().entries()) {
        if (!entry.numbered) continue;
        const NumberedName name = split_name(entry.text);
        EXPECT_FALSE(name.numbers.empty()) << entry.text;
        EXPECT_EQ(join_name(entry.text, name.numbers), entry.text);
    }
}

/// MPI 3.1 and MPI 2.2 have fewer functions, of which a recorder defines all in the same order.
TEST(Dictionary, FunctionsOfOlderVersionsStandOneAfterAnother) {
    const Dictionary& dictionary = Dictionary::built_in();
    const auto text = [&](u32 entry) { return dictionary.entries()[entry].text; };
    const u32 latest = dictionary.find("MPI_Allgatherv", "MPI_Allgather_init");
    const u32 older = dictionary.find("MPI_Allgatherv", "MPI_Allgather");
    const u32 oldest = dictionary.find("MPI_Waitsome", "MPI_Waitany");
    EXPECT_EQ(latest, dictionary.find("MPI_Allgatherv"));
    EXPECT_GT(older, latest);
    EXPECT_EQ(text(older + 1), "MPI_Allreduce");
    EXPECT_EQ(oldest, dictionary.find("MPI_Waitsome"));
    const u32 window = dictionary.find("MPI_Win_complete", "MPI_Waitsome");
    ASSERT_GT(window, older);
    EXPECT_EQ(text(window + 1), "MPI_Win_create");
    for (u32 entry = older - 2; text(entry) != "MPI_Wtime"; ++entry) {
        EXPECT_LT(dictionary.entries()[entry].since, 4) << text(entry);
    }
}

TEST(Dictionary, FindsTheFirstEntryWithoutANeighbour) {
    const Dictionary& dictionary = Dictionary::built_in();
    EXPECT_EQ(dictionary.find("MPI_Barrier", "nothing"), dictionary.find("MPI_Barrier"));
    EXPECT_EQ(dictionary.find("MPI_Unheard_of", "MPI_Barrier"), kNone);
    EXPECT_EQ(Dictionary::none().find("MPI_Barrier", "nothing"), kNone);
}

TEST(Dictionary, HasADictionaryOfZstd) {
    const std::string_view bytes = Dictionary::built_in().compression();
    EXPECT_EQ(bytes.substr(0, 4), "\x37\xA4\x30\xEC");
    EXPECT_GT(bytes.size(), 10000U);
}

}  // namespace

}  // namespace tracefold
