// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "forecast/scaling/script_generator.hpp"

#include "base/error.hpp"

#include <gtest/gtest.h>

namespace tracefold {
namespace {

Formula sum_of(std::vector<Formula::Term> terms) {
    Formula formula;
    formula.terms = std::move(terms);
    return formula;
}

Formula::Term term(const Rational& coefficient, Variable variable) {
    return {coefficient, {{{Monomial::Function::power, variable, 1, {}, {}}}}};
}

CallTypes one_kind() {
    CallTypes kinds;
    kinds.number("send", [] {
        return CallType{"send", {}, {}, {{"bytes", FieldKind::bytes, SlotShape::one, false}}};
    });
    return kinds;
}

/// A loop of P - 1 iterations n with one call, whose size is (P - n + 1) / 2: one everywhere.
ScriptModel sweep() {
    ScriptModel model;
    model.tree.places = {{kNone, 0, {1}}, {0, 0, {}}};
    model.tree.root = {0};
    model.formulas = {
        sum_of({{-1, {}}, term(1, Variable::ranks)}), sum_of({{1, {}}}),
        sum_of({{{1, 2}, {}}, term({1, 2}, Variable::ranks), term({-1, 2}, Variable::trips)})};
    model.places.resize(2);
    const Visit once = Visit{}.within(true, 0, 1);
    model.places[0].count = {{{0, 0}}, {}, false};
    model.places[1].count = {{{0, 1}}, {}, true};
    model.places[1].arguments = {{{{once.key, 2}}, {}, false}};
    return model;
}

/// A size of an iteration that another run has would be no number.
TEST(ScriptGeneratorTest, RanksOfOtherRunsHavePlansOfTheirOwn) {
    const ScriptModel model = sweep();
    const CallTypes kinds = one_kind();
    ScriptGenerator generator(model, kinds);
    for (const u32 ranks : {3U, 4U, 3U, 9U}) {
        const RankGrid grid({ranks});
        EXPECT_EQ(generator.generate(grid, 1).values, std::vector<u64>(ranks - 1, 1));
    }
}

TEST(ScriptGeneratorTest, FewerThanNoCallsAreRefused) {
    ScriptModel model = sweep();
    model.formulas[0] = sum_of({{-4, {}}, term(1, Variable::ranks)});
    const CallTypes kinds = one_kind();
    ScriptGenerator generator(model, kinds);
    const RankGrid grid({3});
    EXPECT_THROW(generator.generate(grid, 0), Error);
}

}  // namespace
}  // namespace tracefold
