// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "collection/trace_condition.hpp"

#include "support/expect_error.hpp"

#include <gtest/gtest.h>

namespace tracefold {
namespace {

TraceRecord sample_record() {
    TraceRecord record;
    record[TraceField::file] = "runs/a b.tfold";
    record[TraceField::program] = "Lulesh2.0";
    record[TraceField::ranks] = u64{64};
    record[TraceField::duration] = 0.25;
    record[TraceField::efficiency] = 0.8;
    record[TraceField::size] = u64{2'000'000};
    record[TraceField::date] = "2026-11-30T16:55:58Z";
    return record;
}

bool holds(const std::string& text) { return TraceCondition(text).holds(sample_record()); }

TEST(TraceConditionTest, ComparesNumbersWithUnits) {
    EXPECT_TRUE(holds("ranks=64"));
    EXPECT_TRUE(holds("ranks == 64"));
    EXPECT_FALSE(holds("ranks!=64"));
    EXPECT_TRUE(holds("ranks>=64"));
    EXPECT_FALSE(holds("ranks > 64"));
    EXPECT_TRUE(holds("duration<300ms"));
    EXPECT_FALSE(holds("duration<=0.2s"));
    EXPECT_TRUE(holds("efficiency>=80%"));
    EXPECT_TRUE(holds("efficiency<0.81"));
    EXPECT_TRUE(holds("size>=2MB"));
    EXPECT_TRUE(holds("size<2.1e6"));
}

TEST(TraceConditionTest, ComparesTexts) {
    EXPECT_TRUE(holds("program~lulesh"));
    EXPECT_FALSE(holds("program=lulesh2.0"));
    EXPECT_TRUE(holds("file='runs/a b.tfold'"));
    EXPECT_TRUE(holds("date>=2026-11 and date<\"2026-12\""));
}

TEST(TraceConditionTest, JoinsConditions) {
    EXPECT_TRUE(holds("ranks=1 or ranks=64"));
    EXPECT_TRUE(holds("ranks=64 or ranks=1 and ranks=2"));
    EXPECT_FALSE(holds("(ranks=64 or ranks=1) and ranks=2"));
    EXPECT_TRUE(holds("not ranks=1"));
    EXPECT_FALSE(holds("not(ranks=64 or size>1)"));
    EXPECT_TRUE(holds("not not (ranks=64)"));
}

TEST(TraceConditionTest, UnknownValuesCompareWithNothing) {
    EXPECT_FALSE(holds("steps>0"));
    EXPECT_FALSE(holds("steps!=5"));
    EXPECT_TRUE(holds("steps=-"));
    EXPECT_TRUE(holds("ranks!=-"));
    EXPECT_FALSE(holds("first_cause~wait"));
}

TEST(TraceConditionTest, ErrorsGiveThePosition) {
    const auto expect = [](const std::string& part, const std::string& text) {
        expect_error(ErrorKind::usage, part, [&] { TraceCondition{text}; });
    };
    expect("at character 1: a field was expected", "");
    expect("at character 1: there is no field 'rank'; the fields are file, program", "rank=4");
    expect("at character 6: one of = != < <= > >= ~ was expected", "ranks");
    expect("at character 7: a value was expected", "ranks=");
    expect("at character 7: '64ms' is no value of ranks", "ranks=64ms");
    expect("at character 7: only texts can be compared with '~'", "ranks~6");
    expect("at character 10: 'and' or 'or' was expected", "ranks=64 ranks=64");
    expect("at character 10: ')' was expected", "(ranks=64");
    expect("at character 9: the quotation has no end", "program='lulesh");
    expect("nested too deeply", std::string(10'000, '('));
}

}  // namespace
}  // namespace tracefold
