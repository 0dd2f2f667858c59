// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "model/definition_names.hpp"
#include "model/definition_table.hpp"
#include "transform/anonymize.hpp"

#include <gtest/gtest.h>

namespace tracefold {
namespace {

void add_string(RecordBatch& batch, u64 id, std::string_view text) {
    batch.begin(static_cast<u8>(DefinitionType::String));
    batch.push(id);
    batch.push_text(text);
}

std::string text_at(const RecordBatch& batch, std::size_t record) {
    const RecordBatch::Head& head = batch[record];
    return std::string(batch.text(head, batch.values(head)[1]));
}

/// A host, a function of the user and one of MPI, and a string that nothing mentions.
RecordBatch definitions() {
    RecordBatch batch;
    add_string(batch, 1, "login01.site.org");
    add_string(batch, 2, "node");
    add_string(batch, 3, "solve");
    add_string(batch, 4, "MPI_Send");
    add_string(batch, 5, "host_1");
    batch.begin(static_cast<u8>(DefinitionType::SystemTreeNode));
    for (const u64 value : {7, 1, 2, 0}) batch.push(value);
    batch.begin(static_cast<u8>(DefinitionType::Region));
    for (const u64 value : {9, 3, 3, 0, 0, 0, 0, 1, 0, 0}) batch.push(value);
    return batch;
}

TEST(VocabularyTest, KnowsStandardNamesInAllSpellings) {
    for (const char* name : {"", "MPI_Send", "MPI_Send()", "mpi_send_", "MPI Rank 17",
                             "Master thread", "OMP thread 3", "PAPI_TOT_CYC"}) {
        EXPECT_TRUE(is_vocabulary(name)) << name;
    }
    for (const char* name : {"solve", "MPI_my_wrapper", "login01", "/home/jane", "PAPI_jane",
                             "Jane's thread 3", "mpi_", "MPI_Send of Jane"}) {
        EXPECT_FALSE(is_vocabulary(name)) << name;
    }
}

TEST(NeutralNamesTest, NamesThingsByWhatTheyAre) {
    NeutralNames names;
    names.add(definitions());
    names.finish();
    const RecordBatch renamed = names.renamed(definitions());
    // "host_1" is the name of something else.
    EXPECT_EQ(text_at(renamed, 0), "host_2");
    EXPECT_EQ(text_at(renamed, 1), "node");
    EXPECT_EQ(text_at(renamed, 2), "function_1");
    EXPECT_EQ(text_at(renamed, 3), "MPI_Send");
    EXPECT_EQ(text_at(renamed, 4), "string_1");
    ASSERT_EQ(renamed.size(), definitions().size());
    const auto before = definitions();
    for (std::size_t i = 5; i < renamed.size(); ++i) {
        EXPECT_TRUE(std::ranges::equal(renamed.values(renamed[i]), before.values(before[i])));
    }
    ASSERT_EQ(names.all().size(), 3U);
    EXPECT_EQ(names.all()[0].original, "login01.site.org");
    EXPECT_EQ(names.all()[0].neutral, "host_2");
}

TEST(NeutralNamesTest, EqualNamesStayEqual) {
    NeutralNames names;
    names.add(definitions());
    names.finish();
    EXPECT_EQ(names.of("solve", "property"), "function_1");
    EXPECT_EQ(names.of("secret", "property"), "property_1");
    EXPECT_EQ(names.of("secret", "archive"), "property_1");
}

}  // namespace
}  // namespace tracefold
