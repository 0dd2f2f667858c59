// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "support/letter_flow.hpp"
#include "support/random_source.hpp"

#include <map>

#include <gtest/gtest.h>

namespace tracefold {
namespace {

/// A program and the arguments of its calls: loops whose counts are fixed, vary or grow, calls
/// whose arguments are fixed, take turns, follow a loop or are arbitrary.
class RandomProgram {
  public:
    explicit RandomProgram(RandomSource& random) : random_(random) {
        for (int letter = 0; letter < 6; ++letter) kinds_.push_back(random_.below(6));
        body(3);
    }

    std::string text;
    std::vector<u64> arguments;

  private:
    void body(int depth) {
        const u64 statements = random_.between(1, 3);
        for (u64 i = 0; i < statements; ++i) {
            if (depth == 0 || random_.one_in(3)) {
                call(random_.below(6));
            } else {
                loop(depth);
            }
        }
    }

    /// The same statements again and again, with other arguments.
    void loop(int depth) {
        const u64 seed = random_.any();
        const u64 trips = random_.between(1, random_.one_in(4) ? 40 : 8);
        const u64 grows = random_.one_in(4) ? 1 : 0;
        for (u64 trip = 0; trip < trips && text.size() < 3000; ++trip) {
            RandomSource statements(seed);
            std::swap(random_, statements);
            body(depth - 1);
            for (u64 extra = 0; extra < trip * grows; ++extra) call(5);
            std::swap(random_, statements);
        }
    }

    void call(u64 letter) {
        text.push_back(static_cast<char>('a' + static_cast<char>(letter)));
        const u64 number = calls_[letter]++;
        switch (kinds_[letter]) {
            case 0:
                return arguments.push_back(number % 3);
            case 1:
                return arguments.push_back(number / 10);
            case 2:
                return arguments.push_back(number % 4 * (number / 4 % 3));
            case 3:
                return arguments.push_back(noise_.below(3));
            default:
                return arguments.push_back(letter);
        }
    }

    RandomSource& random_;
    RandomSource noise_{7};
    std::vector<u64> kinds_;
    std::map<u64, u64> calls_;
};

/// Edges and the visits at which they are taken, straight from the sequence.
std::map<std::pair<u64, u64>, std::vector<u64>> naive_edges(const std::vector<u64>& sequence) {
    std::map<std::pair<u64, u64>, std::vector<u64>> edges;
    std::map<u64, u64> visits;
    u64 last = kStartVertex;
    const auto go = [&](u64 next) {
        edges[{last, next}].push_back(++visits[last]);
        last = next;
    };
    for (const u64 node : sequence) go(node);
    go(kEndVertex);
    return edges;
}

void expect_equal(LetterFlow& flow) {
    const std::vector<u64> sequence = flow.sequence();
    ASSERT_EQ(flow.recovered(), sequence);
    const auto naive = naive_edges(sequence);
    ASSERT_EQ(num_edges(flow.graph()), naive.size());
    for (const auto& [ends, visits] : naive) {
        const auto [id, exists] = boost::edge(ends.first, ends.second, flow.graph());
        ASSERT_TRUE(exists);
        const FlowEdge& edge = flow.graph()[id];
        ASSERT_EQ(edge.count, visits.size());
        if (out_degree(ends.first, flow.graph()) == 1) {
            ASSERT_TRUE(edge.uses[0].sequence.empty());
        } else {
            ASSERT_EQ(visits_of(edge.uses[0].sequence), visits);
        }
    }
}

TEST(GraphPropertyTest, ProgramsWithArgumentsComeBack) {
    for (u64 seed = 0; seed < 800; ++seed) {
        RandomSource random(seed);
        const RandomProgram program(random);
        LetterFlow flow(program.text, program.arguments);
        expect_equal(flow);
        if (::testing::Test::HasFailure()) FAIL() << "seed " << seed << ": " << program.text;
    }
}

TEST(GraphPropertyTest, ArbitraryTextsComeBack) {
    for (u64 seed = 0; seed < 1000; ++seed) {
        RandomSource random(seed);
        std::string text;
        const u64 size = random.between(1, 200);
        const u64 letters = random.between(1, 4);
        for (u64 i = 0; i < size; ++i) {
            text.push_back(static_cast<char>('a' + static_cast<char>(random.below(letters))));
        }
        LetterFlow flow(text);
        expect_equal(flow);
        if (::testing::Test::HasFailure()) FAIL() << "seed " << seed << ": " << text;
    }
}

}  // namespace
}  // namespace tracefold
