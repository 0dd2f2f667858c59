// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "archives/detail/archive_folder.hpp"
#include "archives/detail/verify.hpp"
#include "base/error.hpp"
#include "file/call_reader.hpp"
#include "fold/timing_store.hpp"
#include "support/sample_file.hpp"

#include <map>

#include <gtest/gtest.h>

namespace tracefold {
namespace {

/// Durations as the exact file has them, summed up record by record.
class Reference {
  public:
    explicit Reference(TraceFile& file) {
        for (u32 location = 0; location < file.location_count(); ++location) add(file, location);
    }

    std::map<std::pair<u32, u32>, LogHistogram> edges;  ///< by from, to
    std::map<u32, LogHistogram> nodes;
    std::map<std::pair<u32, u32>, std::pair<u64, u64>> per_location;  ///< node: count and sum

  private:
    void add(TraceFile& file, u32 location) {
        CallReader calls(file, location);
        u32 symbol = kNone;
        u64 first = 0;
        u64 last = 0;
        const auto end_call = [&] {
            if (symbol == kNone) return;
            nodes[symbol].add(last - first);
            auto& [count, sum] = per_location[{symbol, location}];
            ++count;
            sum += last - first;
        };
        while (calls.next()) {
            for (std::size_t i = 0; i < calls.records().size(); ++i) {
                const u64 time = calls.records()[i].time;
                if (&calls.element_of(i) == calls.symbol().elements.data()) {
                    end_call();
                    if (symbol != kNone) edges[{symbol, calls.symbol_id()}].add(time - last);
                    symbol = calls.symbol_id();
                    first = time;
                }
                last = time;
            }
        }
        end_call();
    }
};

class DurationsTest : public ::testing::TestWithParam<const char*> {};

TEST_P(DurationsTest, AreThoseOfTheExactTimes) {
    SampleFile exact(GetParam(), TimingLevel::exact);
    SampleFile file(GetParam(), TimingLevel::histogram);
    ASSERT_EQ(file->structure().symbols, exact->structure().symbols);
    const Reference reference(*exact);
    const TimingModel& model = file->durations();
    ASSERT_EQ(model.edges.size(), reference.edges.size());
    for (const TimingModel::Edge& edge : model.edges) {
        EXPECT_EQ(edge.durations.all, reference.edges.at({edge.from, edge.to}));
    }
    ASSERT_EQ(model.nodes.size(), reference.nodes.size());
    for (const TimingModel::Node& node : model.nodes) {
        EXPECT_EQ(node.durations.all, reference.nodes.at(node.symbol));
    }
    for (const auto& [place, total] : reference.per_location) {
        const auto [symbol, location] = place;
        for (const TimingModel::Node& node : model.nodes) {
            if (node.symbol != symbol) continue;
            EXPECT_EQ(mean_of(node.durations, location), rounded_mean(total.second / total.first));
        }
    }
}

TEST_P(DurationsTest, TimesMadeFromThemRiseAndLastAsLong) {
    SampleFile exact(GetParam(), TimingLevel::exact);
    SampleFile file(GetParam(), TimingLevel::histogram);
    for (u32 location = 0; location < file->location_count(); ++location) {
        const auto span = [location](TraceFile& of) {
            u64 first = 0;
            u64 last = 0;
            drain(*of.events(location), [&](const RecordBatch& batch) {
                for (const RecordBatch::Head& head : batch.heads()) {
                    if (first == 0) first = last = head.time;
                    EXPECT_GE(head.time, last);
                    last = head.time;
                }
            });
            return last - first;
        };
        const u64 wanted = span(*exact);
        const u64 made = span(*file);
        EXPECT_NEAR(static_cast<double>(made), static_cast<double>(wanted),
                    0.02 * static_cast<double>(wanted));
    }
}

TEST(VerifyDurationsTest, NoticesOthers) {
    SampleFile file("micro-pcoll-4", TimingLevel::histogram);
    const auto verify = [&file](const TimingModel& model) {
        TimingStore folded;
        folded.merge({symbol_addresses(file->structure().symbols), model});
        verify_durations(*file, folded);
    };
    verify(file->durations());
    TimingModel longer = file->durations();
    longer.edges.back().durations.all.add(1);
    EXPECT_THROW(verify(longer), Error);
    TimingModel moved = file->durations();
    moved.nodes.front().durations.means.front().mean += 1;
    EXPECT_THROW(verify(moved), Error);
}

INSTANTIATE_TEST_SUITE_P(Samples, DurationsTest,
                         ::testing::Values("micro-stencil2d9p-isend-4", "micro-user-4",
                                           "micro-omphyb-4", "tau-colls-4", "micro-rma-4"),
                         [](const auto& sample) {
                             std::string name = sample.param;
                             for (char& c : name) c = c == '-' ? '_' : c;
                             return name;
                         });

}  // namespace
}  // namespace tracefold
