// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "forecast/scaling/script_model.hpp"

#include "forecast/scaling/script_generator.hpp"

#include <deque>
#include <memory>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace tracefold {
namespace {

constexpr u32 kSend = 0;
constexpr u32 kReceive = 1;
constexpr u32 kBcast = 2;
constexpr u32 kReduce = 3;

/// All have a size but receives, which have a source that is known late.
CallTypes kinds_of_calls() {
    CallTypes kinds;
    for (const char* name : {"MPI_Send", "MPI_Recv", "MPI_Bcast", "MPI_Reduce"}) {
        CallType::Argument argument{"size", FieldKind::bytes, SlotShape::one, false};
        if (kinds.all().size() == kReceive)
            argument = {"source", FieldKind::value, SlotShape::one, true};
        kinds.number(name, [&] { return CallType{name, {}, {}, {argument}}; });
    }
    return kinds;
}

/// What one rank of a run does: calls with one argument each.
using Calls = std::vector<std::pair<u32, u64>>;

/// Runs of a program, of which rank 0 is known.
class Runs {
  public:
    void add(u32 ranks, const Calls& calls) {
        auto sequence = std::make_shared<CallSequence>();
        for (const auto& [call, value] : calls) {
            sequence->calls.push_back(call);
            sequence->first.push_back(sequence->values.size());
            sequence->values.push_back(value);
        }
        scripts_.push_back(fold_sequence(sequence, kinds_, {}));
        grids_.emplace_back(std::vector<u32>{ranks});
    }

    [[nodiscard]] std::variant<ScriptModel, Refusal> fit(FitOptions options = {}) {
        options.memo = &memo_;
        std::vector<Example> examples;
        for (std::size_t run = 0; run < scripts_.size(); ++run) {
            examples.push_back({&scripts_[run], &grids_[run], 0, 1e-9});
        }
        return fit_script(examples, kinds_, options);
    }

    /// What the model says of rank 0 of another run.
    [[nodiscard]] Calls predicted(const ScriptModel& model, u32 ranks) const {
        ScriptGenerator generator(model, kinds_);
        const CallSequence& sequence = generator.generate(RankGrid({ranks}), 0);
        Calls calls;
        for (std::size_t i = 0; i < sequence.calls.size(); ++i) {
            calls.emplace_back(sequence.calls[i], sequence.values[i]);
        }
        return calls;
    }

  private:
    CallTypes kinds_ = kinds_of_calls();
    FitMemo memo_;
    std::deque<FoldedSequence> scripts_;
    std::deque<RankGrid> grids_;
};

const ScriptModel& model_of(const std::variant<ScriptModel, Refusal>& fit) {
    if (const Refusal* refusal = std::get_if<Refusal>(&fit)) {
        ADD_FAILURE() << refusal->what << ": " << refusal->why;
    }
    return std::get<ScriptModel>(fit);
}

TEST(ScriptModelTest, CountsAndSizesBecomeFormulasOfTheRanks) {
    Runs runs;
    for (const u32 ranks : {2U, 3U, 5U, 8U}) {
        Calls calls;
        for (u32 i = 0; i < ranks; ++i) {
            calls.emplace_back(kSend, 8 * ranks);
            calls.emplace_back(kReceive, 100);
        }
        runs.add(ranks, calls);
    }
    const auto fit = runs.fit();
    const ScriptModel& model = model_of(fit);
    EXPECT_FALSE(model.places[0].count.is_fixed);
    EXPECT_TRUE(model.places[1].count.is_fixed);
    EXPECT_EQ(model.reordered, 0U);
    Calls expected;
    for (u32 i = 0; i < 13; ++i) {
        expected.emplace_back(kSend, 8 * 13);
        expected.emplace_back(kReceive, 100);
    }
    EXPECT_EQ(runs.predicted(model, 13), expected);
}

/// Every iteration of a loop that has three in all runs has a formula of its own.
TEST(ScriptModelTest, IterationsOfAFixedLoopAreToldApart) {
    Runs runs;
    for (const u32 ranks : {2U, 3U, 5U, 8U}) {
        runs.add(ranks, {{kSend, 7},
                         {kReceive, 1},
                         {kSend, 2 * ranks},
                         {kReceive, 1},
                         {kSend, ranks + 1},
                         {kReceive, 1}});
    }
    const auto fit = runs.fit();
    EXPECT_EQ(
        runs.predicted(model_of(fit), 10),
        (Calls{{kSend, 7}, {kReceive, 1}, {kSend, 20}, {kReceive, 1}, {kSend, 11}, {kReceive, 1}}));
}

/// Sizes of as many sends as there are ranks, one of which is apart.
class EdgeTest : public ::testing::TestWithParam<EdgeIteration> {
  protected:
    static Calls calls(u32 ranks) {
        Calls calls(ranks, {kSend, 8});
        (GetParam() == EdgeIteration::first ? calls.front() : calls.back()).second = 500;
        return calls;
    }
};

TEST_P(EdgeTest, AnIterationAtTheEdgeHasAFormulaOfItsOwn) {
    Runs runs;
    for (const u32 ranks : {3U, 4U, 6U, 9U}) runs.add(ranks, calls(ranks));
    const auto fit = runs.fit();
    const ScriptModel& model = model_of(fit);
    const ScriptModel::Numbers& sizes = model.places[0].arguments[0];
    ASSERT_EQ(sizes.edges.size(), 1U);
    EXPECT_EQ(sizes.edges.begin()->second, GetParam());
    EXPECT_EQ(sizes.formulas.size(), 2U);
    EXPECT_EQ(runs.predicted(model, 12), calls(12));
}

INSTANTIATE_TEST_SUITE_P(Edges, EdgeTest,
                         ::testing::Values(EdgeIteration::first, EdgeIteration::last));

TEST(ScriptModelTest, ARefusalNamesTheRunThatContradictsTheSmallerOnes) {
    Runs runs;
    for (const u32 ranks : {4U, 5U, 8U, 9U}) runs.add(ranks, {{kSend, 3 * ranks + 1}});
    runs.add(16, {{kSend, 48}});
    const auto fit = runs.fit();
    const Refusal* refusal = std::get_if<Refusal>(&fit);
    ASSERT_NE(refusal, nullptr);
    EXPECT_EQ(refusal->why,
              "1 + 3 P in the runs of fewer ranks gives 49, but it is 48 in the run of 16");
    ASSERT_EQ(refusal->values.size(), 1U);
    EXPECT_EQ(refusal->values[0].ranks, 16U);
    EXPECT_EQ(refusal->values[0].value, 48);
}

TEST(ScriptModelTest, ANumberWithoutAFormulaIsRefusedWithItsValues) {
    Runs runs;
    runs.add(4, {{kReceive, 5}, {kSend, 1013}});
    runs.add(8, {{kReceive, 5}, {kSend, 77}});
    runs.add(16, {{kReceive, 5}, {kSend, 40009}});
    const auto fit = runs.fit();
    const Refusal* refusal = std::get_if<Refusal>(&fit);
    ASSERT_NE(refusal, nullptr);
    EXPECT_EQ(refusal->what, "MPI_Send, size");
    EXPECT_EQ(refusal->why,
              "no formula gives 1013 in the run of 4, 77 in the run of 8, 40009 in the run of 16");
    EXPECT_EQ(refusal->places, 1U);  // the receive
    ASSERT_EQ(refusal->values.size(), 3U);
    EXPECT_EQ(refusal->values[1].ranks, 8U);
    EXPECT_EQ(refusal->values[1].value, 77);
}

TEST(ScriptModelTest, TwoRunsAreToldToBeTooFew) {
    Runs runs;
    runs.add(4, {{kSend, 1013}});
    runs.add(8, {{kSend, 77}});
    const auto fit = runs.fit();
    const Refusal* refusal = std::get_if<Refusal>(&fit);
    ASSERT_NE(refusal, nullptr);
    EXPECT_EQ(
        refusal->why,
        "1013 in the run of 4, 77 in the run of 8: no simple formula gives the numbers of two "
        "runs, and others would be guesses; runs of more sizes are needed");
}

/// Sizes have no order, but a mean of 100 in each run.
TEST(ScriptModelTest, BytesWithoutAFormulaMayBeApproximated) {
    Runs runs;
    runs.add(3, {{kSend, 17}, {kSend, 182}, {kSend, 101}});
    runs.add(4, {{kSend, 3}, {kSend, 197}, {kSend, 41}, {kSend, 159}});
    FitOptions options;
    EXPECT_TRUE(std::holds_alternative<Refusal>(runs.fit(options)));
    options.may_approximate = true;
    const auto fit = runs.fit(options);
    const ScriptModel& model = model_of(fit);
    ASSERT_EQ(model.approximations.size(), 1U);
    EXPECT_EQ(model.approximations[0].what, "MPI_Send, size");
    EXPECT_EQ(model.approximations[0].call, kSend);
    EXPECT_EQ(model.approximations[0].argument, 0U);
    EXPECT_EQ(model.approximations[0].formula, "100");
    EXPECT_EQ(runs.predicted(model, 6), Calls(6, {kSend, 100}));
}

TEST(ScriptModelTest, OfAFreeArgumentTheLastExampleIsTaken) {
    Runs runs;
    runs.add(4, {{kSend, 1013}});
    runs.add(8, {{kSend, 77}});
    FitOptions options;
    options.is_free = [](const CallType& kind, const CallType::Argument& argument) {
        return kind.name == "MPI_Send" && argument.name == "size";
    };
    const auto fit = runs.fit(options);
    EXPECT_EQ(runs.predicted(model_of(fit), 16), (Calls{{kSend, 77}}));
}

/// Messages of 0, 1 and 2 arrive in another order in each run; sorted they are the iteration.
TEST(ScriptModelTest, SourcesOfReceivesInARowAreSorted) {
    Runs runs;
    runs.add(3, {{kReceive, 0}, {kReceive, 2}, {kReceive, 1}});
    runs.add(4, {{kReceive, 3}, {kReceive, 1}, {kReceive, 2}, {kReceive, 0}});
    runs.add(5, {{kReceive, 0}, {kReceive, 1}, {kReceive, 2}, {kReceive, 3}, {kReceive, 4}});
    const auto fit = runs.fit();
    const ScriptModel& model = model_of(fit);
    EXPECT_EQ(model.reordered, 2U + 2U);
    EXPECT_EQ(runs.predicted(model, 6), (Calls{{kReceive, 0},
                                               {kReceive, 1},
                                               {kReceive, 2},
                                               {kReceive, 3},
                                               {kReceive, 4},
                                               {kReceive, 5}}));
}

TEST(ScriptModelTest, MoreThanTwoLoopsThatVaryAreRefused) {
    Runs runs;
    for (const u32 ranks : {2U, 3U, 4U}) {
        Calls calls;
        for (u32 i = 0; i < ranks; ++i) {
            for (u32 j = 0; j < ranks; ++j) {
                for (u32 k = 0; k < ranks; ++k) {
                    calls.emplace_back(kSend, 8);
                    calls.emplace_back(kReceive, 1);
                }
                calls.emplace_back(kBcast, 8);
            }
            calls.emplace_back(kReduce, 8);
        }
        runs.add(ranks, calls);
    }
    const auto fit = runs.fit();
    const Refusal* refusal = std::get_if<Refusal>(&fit);
    ASSERT_NE(refusal, nullptr);
    EXPECT_EQ(refusal->what, "the loop that begins with MPI_Send");
    EXPECT_NE(refusal->why.find("more than two loops"), std::string::npos) << refusal->why;
}

TEST(VisitTest, FixedLoopsAreInTheKeyAndOthersBesideIt) {
    const Visit fixed = Visit{}.within(true, 2, 5);
    EXPECT_NE(fixed.key, Visit{}.within(true, 3, 5).key);
    EXPECT_EQ(fixed.loops, Visit{}.loops);
    const Visit two = Visit{}.within(false, 1, 4).within(false, 2, 3);
    EXPECT_EQ(two.key, Visit{}.key);
    EXPECT_EQ(two.loops[0], (Point::Loop{2, 3}));
    EXPECT_EQ(two.loops[1], (Point::Loop{1, 4}));
    EXPECT_FALSE(two.has_room());
    EXPECT_TRUE(Visit{}.within(false, 1, 4).has_room());
}

TEST(VisitTest, OnlyTheEdgeHasAKeyOfItsOwn) {
    // The last of three iterations of the inner loop, the second of four of the outer one.
    const Visit visit = Visit{}.within(false, 1, 4).within(false, 2, 3);
    EXPECT_NE(visit.key_at(EdgeIteration::last), visit.key);
    EXPECT_EQ(visit.key_at(EdgeIteration::first), visit.key);
    EXPECT_EQ(visit.key_at(EdgeIteration::outer_first), visit.key);
    EXPECT_EQ(visit.key_at(EdgeIteration::outer_last), visit.key);
    const Visit first = Visit{}.within(false, 0, 4).within(false, 1, 3);
    EXPECT_NE(first.key_at(EdgeIteration::outer_first), first.key);
}

TEST(RefusalTest, OneThatNamesACallAndCameLaterTellsMore) {
    const auto refusal = [](std::size_t places, bool names_call) {
        Refusal it;
        it.places = places;
        it.names_call = names_call;
        return it;
    };
    EXPECT_TRUE(refusal(3, true).tells_more_than(refusal(2, true)));
    EXPECT_FALSE(refusal(2, true).tells_more_than(refusal(2, true)));
    EXPECT_TRUE(refusal(1, true).tells_more_than(refusal(9, false)));
    EXPECT_FALSE(refusal(9, false).tells_more_than(refusal(1, true)));
}

}  // namespace
}  // namespace tracefold
