// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "base/csv_table.hpp"

#include <fstream>
#include <string>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace tracefold {
namespace {

/// The page writes the same fields (tests/page/page_test.py).
TEST(CsvFieldTest, WritesTheFieldsOfTheTable) {
    std::ifstream file(TRACEFOLD_CSV_FIELDS);
    const auto cases = nlohmann::json::parse(file);
    EXPECT_GT(cases.size(), 30U);
    for (const auto& one : cases) {
        const auto text = one[0].get<std::string>();
        EXPECT_EQ(csv_field(text), one[1].get<std::string>()) << text;
    }
}

TEST(CsvFieldTest, ReplacesBytesThatAreNoText) { EXPECT_EQ(csv_field("\xff=\xc3"), "?=?"); }

}  // namespace
}  // namespace tracefold
