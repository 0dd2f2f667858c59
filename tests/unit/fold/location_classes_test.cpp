// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "fold/location_classes.hpp"

#include "base/error.hpp"
#include "fold/structure_index.hpp"

#include <map>
#include <random>
#include <vector>

#include <gtest/gtest.h>

namespace tracefold {
namespace {

TEST(LocationClassesTest, LocationsAreAlikeIfAllTheirFactsAreEqual) {
    std::mt19937 random(71);
    const auto draw = [&random](u32 below) { return static_cast<u32>(random() % below); };
    for (int round = 0; round < 200; ++round) {
        const u32 locations = 1 + draw(60);
        std::vector<u32> numbers(locations);
        for (u32& number : numbers) number = draw(4) == 0 ? kNone : draw(3);
        LocationClasses classes(numbers);
        std::vector<std::vector<u64>> facts(locations);
        for (u32 i = 0; i < locations; ++i) facts[i] = {numbers[i]};
        for (u64 splits = draw(4); splits > 0; --splits) {
            // Whole classes: those of some numbers, and the locations that take no part.
            const u32 left_out = draw(4);
            ParticipantList who;
            std::vector<u64> values;
            for (u32 i = 0; i < locations; ++i) {
                if (numbers[i] == left_out) continue;
                who.add(i);
                values.push_back(draw(3) == 0 ? random() : draw(2));
                facts[i].push_back(values.back());
            }
            auto next = values.begin();
            classes.split(who, [&next] { return *next++; });
        }
        std::map<std::vector<u64>, u32> expected;  // numbered by first location
        const u32 count = classes.renumber();
        for (u32 i = 0; i < locations; ++i) {
            if (numbers[i] == kNone) {
                ASSERT_EQ(classes.of(i), kNone);
                continue;
            }
            const u32 fresh = static_cast<u32>(expected.size());
            ASSERT_EQ(classes.of(i), expected.try_emplace(facts[i], fresh).first->second);
        }
        ASSERT_EQ(count, expected.size());
    }
}

std::vector<Column> columns_of_all_forms() {
    std::vector<Column> columns;
    const auto add = [&columns](Column::Form form, u64 start, u64 stride, std::vector<u64> values) {
        Column& column = columns.emplace_back();
        column.form = form;
        column.start = start;
        column.stride = stride;
        column.values = std::move(values);
    };
    add(Column::Form::constant, 7, 0, {});
    add(Column::Form::progression, 3, ~u64{0}, {});
    add(Column::Form::list, 0, 0, {4, 4, 4, 9, 1, 1, 1, 1, 1, 1, 2, 5, 5, 5, 5});
    add(Column::Form::periodic, 0, 0, {1, 1, 2});
    add(Column::Form::runs, 0, 0, {8, 3, 9, 6, 5});
    return columns;
}

TEST(PlacedValuesTest, EachNumberIsThatOfTheColumn) {
    const std::vector<Pattern> patterns;
    const std::vector<Column> columns = columns_of_all_forms();
    const FoldedSource source{patterns, columns};
    for (u32 column = 0; column < columns.size(); ++column) {
        for (u64 size = 0; size <= 15; ++size) {
            const std::vector<u64> expected = unwind(source, column, size);
            const PlacedValues placed(source, column, size);
            ASSERT_EQ(placed.size(), size);
            auto next = placed.reader();
            std::vector<u64> visited;
            placed.visit([&visited](const ValueRun& run) {
                for (u64 i = 0; i < run.count; ++i) visited.push_back(run.start + i * run.stride);
            });
            ASSERT_EQ(visited, expected);
            for (u64 i = 0; i < size; ++i) {
                ASSERT_EQ(placed.at(i), expected[i]) << column << ' ' << i;
                ASSERT_EQ(next(), expected[i]);
            }
        }
    }
    EXPECT_THROW(PlacedValues(source, 2, 16), Error);
}

}  // namespace
}  // namespace tracefold
