// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "transform/cut/location_cutter.hpp"

#include "support/record_builder.hpp"

#include <gtest/gtest.h>

namespace tracefold {
namespace {

/// What is left of the events of rank 0, as "Enter@1000 ...".
class LocationCutterTest : public ::testing::Test {
  protected:
    std::string cut(const RecordBuilder& events, const Intervals& intervals) {
        counts_ = {};
        const MappingTables tables;
        const std::vector<Intervals> of_all{intervals};
        LocationCutter cutter(request_, world_.definitions(), tables, of_all, on_stream_, left_out_,
                              counts_, 0, nullptr);
        out_.clear();
        for (const RecordBatch::Head& head : events.batch().heads()) {
            cutter.add(events.batch(), head, out_);
        }
        std::string text;
        for (const RecordBatch::Head& head : out_.heads()) {
            if (!text.empty()) text += ' ';
            const bool is_mark = head.type == static_cast<u8>(EventType::MeasurementOnOff);
            const std::string mark = is_mark && out_.values(head)[0] == 1 ? "on" : "off";
            text += (is_mark ? mark : std::string(event_info(head.type).name)) + "@" +
                    std::to_string(head.time);
        }
        return text;
    }

    static Interval window(u64 from, u64 to) { return {0, Interval::kEnd, from, to, from, to}; }

    u64 added(EventType type) const { return counts_.added[static_cast<u8>(type)]; }

    SmallWorld world_{2};
    CutRequest request_;
    bool on_stream_ = false;
    NumberSet left_out_;
    CutCounts counts_;
    RecordBatch out_;
};

/// Times are 0, 10, 20, ...
RecordBuilder events() { return RecordBuilder(0, 10); }

TEST_F(LocationCutterTest, TheWholeIsAsItWas) {
    RecordBuilder all = events();
    all.leave(Region::user).enter(Region::main).enter(Region::send).leave(Region::main);
    EXPECT_EQ(cut(all, {Interval()}), "Leave@0 Enter@10 Enter@20 Leave@30");
    EXPECT_EQ(counts_.kept[static_cast<u8>(EventType::Enter)], 2U);
}

TEST_F(LocationCutterTest, EdgesOpenAndCloseRegions) {
    RecordBuilder all = events();
    all.enter(Region::main).enter(Region::user).enter(Region::send).leave(Region::send);
    all.leave(Region::user).leave(Region::main);
    EXPECT_EQ(cut(all, {window(15, 25)}),
              "on@15 Enter@15 Enter@15 Enter@20 Leave@25 Leave@25 Leave@25 off@25");
    EXPECT_EQ(added(EventType::Enter), 2U);
    EXPECT_EQ(added(EventType::Leave), 3U);
    const std::span<const u64> last = out_.values(out_[out_.size() - 2]);
    EXPECT_EQ(last[0], static_cast<u64>(Region::main));
}

TEST_F(LocationCutterTest, AWindowWithinOneCallHasTheCall) {
    RecordBuilder all = events();
    all.enter(Region::main).enter(Region::recv).step(100).leave(Region::recv);
    EXPECT_EQ(cut(all, {window(11, 15)}), "on@11 Enter@11 Enter@11 Leave@15 Leave@15 off@15");
}

TEST_F(LocationCutterTest, NothingIsAddedAfterTheEnd) {
    RecordBuilder all = events();
    all.enter(Region::main).leave(Region::main);
    EXPECT_EQ(cut(all, {window(15, 25)}), "");
    EXPECT_EQ(cut(all, {window(0, 25)}), "Enter@0 Leave@10");
}

TEST_F(LocationCutterTest, RegionsAreOpenedInEveryStretchObjectsInNone) {
    RecordBuilder all = events();
    all.enter(Region::main).event(EventType::CommCreate, {kEven});
    for (int i = 0; i < 4; ++i) all.enter(Region::send).leave(Region::send);
    EXPECT_EQ(cut(all, {window(20, 35), window(60, 75)}),
              "on@20 Enter@20 Enter@20 Leave@30 Leave@35 off@35 on@60 Enter@60 Enter@60 Leave@70 "
              "Leave@75 off@75");
    EXPECT_EQ(added(EventType::Enter), 2U);
}

TEST_F(LocationCutterTest, LocksAndTeamsAreClosedInnermostFirst) {
    RecordBuilder all = events();
    all.event(EventType::ThreadTeamBegin, {3});
    all.event(EventType::ThreadAcquireLock, {1, 2, 5});
    EXPECT_EQ(cut(all, {window(5, 12)}), "on@5 ThreadTeamBegin@5 ThreadAcquireLock@10");
    all.event(EventType::OmpTaskSwitch, {4});
    EXPECT_EQ(
        cut(all, {window(5, 12)}),
        "on@5 ThreadTeamBegin@5 ThreadAcquireLock@10 ThreadReleaseLock@12 ThreadTeamEnd@12 off@12");
}

TEST_F(LocationCutterTest, RequestsOfBeforeAreNotCompleted) {
    RecordBuilder all = events();
    all.isend(1, kWorld, 0, 8, 5);                                      // 0 10 20
    all.isend(1, kWorld, 0, 8, 6);                                      // 30 40 50
    all.enter(Region::waitall).sent(5).sent(6).leave(Region::waitall);  // 60 ...
    EXPECT_EQ(cut(all, {window(30, 1000)}),
              "on@30 Enter@30 MpiIsend@40 Leave@50 Enter@60 MpiIsendComplete@80 Leave@90");
}

TEST_F(LocationCutterTest, OperationsLeftOutGoWithAllTheirRecords) {
    RecordBuilder all = events();
    all.isend(1, kWorld, 0, 8, 5).isend(1, kWorld, 0, 8, 6);
    all.sent(5).sent(6);
    left_out_.add(0);
    EXPECT_EQ(cut(all, {Interval()}),
              "Enter@0 Leave@20 Enter@30 MpiIsend@40 Leave@50 MpiIsendComplete@70");
}

TEST_F(LocationCutterTest, CollectivesOfBeforeDoNotEnd) {
    RecordBuilder all = events();
    all.enter(Region::bcast).event(EventType::MpiCollectiveBegin, std::vector<u64>{});
    all.event(EventType::MpiCollectiveEnd, {1, kWorld, 0, 8, 8}).leave(Region::bcast);
    EXPECT_EQ(cut(all, {window(15, 1000)}), "on@15 Enter@15 Leave@30");
}

TEST_F(LocationCutterTest, RegionsAroundWhatIsNamedStayWithTheirTimes) {
    const std::string wanted = world_.definitions().region_name(static_cast<u64>(Region::send));
    request_.calls = [&wanted](std::string_view name) { return name == wanted; };
    RecordBuilder all = events();
    all.enter(Region::main).enter(Region::user).leave(Region::user);
    all.enter(Region::user).enter(Region::recv).leave(Region::recv);
    all.call(Region::send, EventType::MpiSend, {1, kWorld, 0, 8}).leave(Region::user);
    all.enter(Region::user).leave(Region::user).leave(Region::main);
    EXPECT_EQ(cut(all, {Interval()}),
              "Enter@0 Enter@30 Enter@60 MpiSend@70 Leave@80 Leave@90 Leave@120");
    EXPECT_EQ(added(EventType::Enter), 0U);
}

TEST_F(LocationCutterTest, NamedRegionsHaveAllThatIsInThem) {
    const std::string wanted = world_.definitions().region_name(static_cast<u64>(Region::user));
    request_.regions = [&wanted](std::string_view name) { return name == wanted; };
    RecordBuilder all = events();
    all.enter(Region::main).enter(Region::recv).leave(Region::recv).enter(Region::user);
    all.enter(Region::recv).leave(Region::recv).leave(Region::user).leave(Region::main);
    EXPECT_EQ(cut(all, {Interval()}),
              "Enter@0 Enter@30 on@30 Enter@40 Leave@50 Leave@60 off@60 Leave@70");
    // Between the two, within a window: opened where it begins.
    EXPECT_EQ(cut(all, {window(45, 55)}),
              "on@45 Enter@45 Enter@45 Enter@45 Leave@50 Leave@55 Leave@55 off@55");
}

TEST_F(LocationCutterTest, KindsGoAlone) {
    request_.drop.set(static_cast<std::size_t>(RecordKind::collectives));
    request_.drop.set(static_cast<std::size_t>(RecordKind::attributes));
    RecordBuilder all = events();
    all.enter(Region::send).event(EventType::MpiSend, {1, kWorld, 0, 8}, {{3, 4, 5}});
    all.event(EventType::MpiCollectiveBegin, std::vector<u64>{}).leave(Region::send);
    EXPECT_EQ(cut(all, {Interval()}), "Enter@0 MpiSend@10 Leave@30");
    EXPECT_EQ(out_[1].attribute_count, 0U);
    EXPECT_EQ(counts_.unwanted[static_cast<std::size_t>(RecordKind::attributes)], 1U);
    EXPECT_EQ(counts_.unwanted[static_cast<std::size_t>(RecordKind::collectives)], 1U);
}

}  // namespace
}  // namespace tracefold
