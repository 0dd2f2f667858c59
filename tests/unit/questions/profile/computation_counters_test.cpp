// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "questions/profile/detail/computation_counters.hpp"

#include "questions/profile/detail/efficiency.hpp"
#include "support/made_trace.hpp"
#include "support/test_directory.hpp"

#include <gtest/gtest.h>

namespace tracefold {
namespace {

using testing::MadeTrace;

constexpr auto kInstructions = HardwareCounter::instructions;
constexpr auto kCycles = HardwareCounter::cycles;

TEST(HardwareCounterTest, NamesOfToolsAreKnown) {
    for (const char* name :
         {"PAPI_TOT_INS", "perf::INSTRUCTIONS", "instructions:u",
          "perf::PERF_COUNT_HW_INSTRUCTIONS", "INSTR_RETIRED_ANY", "INST_RETIRED.ANY",
          "ix86arch::INSTRUCTION_RETIRED:u=1:k=0", "cpu/instructions/"}) {
        EXPECT_EQ(hardware_counter(name), kInstructions) << name;
    }
    for (const char* name :
         {"PAPI_TOT_CYC", "cycles", "cpu-cycles:ukG", "perf::CPU_CYCLES", "CPU_CLK_UNHALTED_CORE",
          "CPU_CLK_UNHALTED:THREAD_P", "skx::UNHALTED_CORE_CYCLES"}) {
        EXPECT_EQ(hardware_counter(name), kCycles) << name;
    }
    for (const char* name :
         {"", "::", ":", "PAPI_L1_DCM", "ref-cycles", "CPU_CLK_UNHALTED_REF", "PAPI_REF_CYC",
          "CPU_CLK_UNHALTED:REF_TSC", "INST_RETIRED:NOP", "stalled-cycles-frontend",
          "branch-instructions", "instructions per cycle"}) {
        EXPECT_FALSE(hardware_counter(name)) << name;
    }
}

/// Two ranks with a metric, whose values a test writes at given times. Rank 1 has none.
class Counted {
  public:
    /// `mode`: of OTF2_MetricMode.
    explicit Counted(u64 mode) {
        trace_.define([mode](DefinitionWriter& out) {
            const u64 name = out.string("PAPI_TOT_INS");
            out.add(DefinitionType::MetricMember, {0, name, name, 0, mode, kUnsigned, 1, 0, name});
            out.add(DefinitionType::MetricClass, {0, 1, 0, 0, 0});
        });
        for (const u32 rank : {0U, 1U}) {
            call(rank, 0, "MPI_Init");
            call(rank, 110, "MPI_Barrier");
            call(rank, 220, "MPI_Finalize");
        }
    }

    void call(u32 rank, u64 begin, const std::string& function) {
        calls_.push_back({rank, begin, function});
    }
    /// Values on rank 0 by time; of one time, before the record of the call.
    ComputationCounters count(const std::vector<std::pair<u64, u64>>& values) {
        std::size_t next = 0;
        const auto write_until = [&](u64 time) {
            for (; next < values.size() && values[next].first <= time; ++next) {
                trace_.at(values[next].first);
                trace_.record(0, 0, EventType::Metric, {0, 1, kUnsigned, values[next].second});
            }
        };
        for (const Call& it : calls_) {
            if (it.rank == 0) write_until(it.begin);
            trace_.at(it.begin);
            trace_.record(it.rank, 0, EventType::Enter, {trace_.region(it.function)});
            if (it.rank == 0) write_until(it.begin + 10);
            trace_.at(it.begin + 10);
            trace_.record(it.rank, 0, EventType::Leave, {trace_.region(it.function)});
        }
        const TestDirectory directory;
        const std::string path = (directory / "trace.tfold").string();
        trace_.fold(path);
        TraceFile file(path);
        const Efficiency result = trace_efficiency(file);
        EXPECT_TRUE(result.counters);
        why_not = result.counters->why_not;
        if (!result.has_counters()) return {};
        EXPECT_FALSE(result.counters->ranks[1].is_known());
        return result.counters->ranks[0];
    }

    std::string why_not;

  private:
    static constexpr u64 kUnsigned = 4;  // OTF2_TYPE_UINT64

    struct Call {
        u32 rank;
        u64 begin;
        std::string function;
    };
    MadeTrace trace_{{}};
    std::vector<Call> calls_;
};

constexpr u64 kAccumulated = 0;
constexpr u64 kAbsolutePoint = 1 | 16;
constexpr u64 kAbsoluteLast = 1 | 32;
constexpr u64 kRelativeLast = 2 | 32;
constexpr u64 kRelativeNext = 2 | 48;

TEST(ComputationCountersTest, ReadingsAreSubtractedAndAmountsAdded) {
    // MPI ends at 10 and 120, and begins at 110 and 220: 30 + 4 and 50 instructions in between.
    for (const u64 mode : {kAccumulated, kAbsolutePoint}) {
        const auto counted = Counted(mode).count(
            {{10, 1000}, {60, 1030}, {110, 1034}, {120, 1500}, {220, 1550}, {230, 9000}});
        EXPECT_EQ(counted.value(kInstructions), 84) << mode;
        EXPECT_EQ(counted.of(kInstructions).counted, 200U);
        EXPECT_EQ(counted.of(kInstructions).uncounted, 0U);
        EXPECT_FALSE(counted.value(kCycles));
        EXPECT_FALSE(counted.ipc());
    }
    for (const u64 mode : {kRelativeLast, kAbsoluteLast}) {
        const auto counted = Counted(mode).count(
            {{10, 1000}, {60, 30}, {110, 4}, {120, 466}, {220, 50}, {230, 9000}});
        EXPECT_EQ(counted.value(kInstructions), 84) << mode;
    }
    const auto next =
        Counted(kRelativeNext).count({{10, 30}, {60, 4}, {110, 466}, {120, 50}, {220, 9000}});
    EXPECT_EQ(next.value(kInstructions), 84);
}

TEST(ComputationCountersTest, IntervalsWithoutValuesOrWithFallingOnesDoNotCount) {
    const auto later =
        Counted(kAccumulated).count({{11, 1000}, {110, 1034}, {120, 1500}, {220, 1550}});
    EXPECT_EQ(later.value(kInstructions), 50);
    EXPECT_EQ(later.of(kInstructions).counted, 100U);
    EXPECT_EQ(later.of(kInstructions).uncounted, 100U);
    EXPECT_DOUBLE_EQ(later.coverage(), 0.5);
    const auto falls =
        Counted(kAccumulated).count({{10, 1000}, {110, 900}, {120, 1500}, {220, 1550}});
    EXPECT_EQ(falls.value(kInstructions), 50);
    Counted between(kAccumulated);
    between.count({{50, 1000}, {70, 1034}, {150, 1500}});
    EXPECT_NE(between.why_not, "");
}

}  // namespace
}  // namespace tracefold
