// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "export/formats/chakra.hpp"

#include "base/bytes.hpp"
#include "base/file.hpp"
#include "export/export_format.hpp"
#include "file/trace_file.hpp"
#include "support/made_trace.hpp"
#include "support/test_directory.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace tracefold {
namespace {

using Kind = CollectiveKind;

/// The examples of the encoding's own documentation.
TEST(ProtobufMessageTest, WritesFieldsAsTheEncodingSays) {
    ProtobufMessage message;
    message.put_number(1, 150);
    EXPECT_EQ(message.bytes(), std::string_view("\x08\x96\x01", 3));
    message.clear();
    message.put_text(2, "testing");
    EXPECT_EQ(message.bytes(), "\x12\x07testing");
    message.clear();
    const std::vector<u64> values{3, 270, 86942};
    message.put_numbers(6, values);
    EXPECT_EQ(message.bytes(), "\x32\x06\x03\x8E\x02\x9E\xA7\x05");
    message.clear();
    message.put_numbers(6, {});
    EXPECT_EQ(message.bytes(), "");
    message.put_number(29, ~u64{0});
    EXPECT_EQ(message.bytes().size(), 12U);
}

Exchange exchange_of(Kind kind, u32 root, const std::vector<Contribution>& sizes) {
    return Exchange({kind, root, static_cast<u32>(sizes.size()), sizes});
}

TEST(ChakraCollectiveTest, TakesWhatAstraSimSimulates) {
    const auto sum =
        chakra_collective(exchange_of(Kind::allreduce, kNone, {{16, 16}, {16, 16}}), 1, false);
    ASSERT_TRUE(sum.has_value());
    EXPECT_EQ(sum->kind, ChakraCollective::all_reduce);
    EXPECT_EQ(sum->bytes, 8U);
    const auto all =
        chakra_collective(exchange_of(Kind::allgatherv, kNone, {{10, 10}, {10, 10}}), 0, false);
    ASSERT_TRUE(all.has_value());
    EXPECT_EQ(all->kind, ChakraCollective::all_gather);
    EXPECT_EQ(all->bytes, 5U);
}

TEST(ChakraCollectiveTest, LeavesTheRestToMessages) {
    const std::vector<Contribution> equal{{8, 8}, {8, 8}};
    for (const Kind kind : {Kind::barrier, Kind::bcast, Kind::reduce, Kind::gather, Kind::scan}) {
        EXPECT_FALSE(chakra_collective(exchange_of(kind, 0, equal), 0, false).has_value());
    }
    const std::vector<Contribution> shares{{2, 4}, {6, 4}};
    EXPECT_FALSE(
        chakra_collective(exchange_of(Kind::allgatherv, kNone, shares), 0, false).has_value());
    EXPECT_FALSE(chakra_collective(exchange_of(Kind::allreduce, kNone, {{0, 0}, {0, 0}}), 0, false)
                     .has_value())
        << "ASTRA-sim has no operation without bytes";
}

TEST(ChakraCollectiveTest, TakesAllTypesOfTheSchemaIfAsked) {
    const std::vector<Contribution> equal{{8, 8}, {8, 8}};
    const auto barrier = chakra_collective(exchange_of(Kind::barrier, kNone, equal), 0, true);
    ASSERT_TRUE(barrier.has_value());
    EXPECT_EQ(barrier->kind, ChakraCollective::barrier);
    EXPECT_TRUE(barrier->exact);
    const auto broadcast = chakra_collective(exchange_of(Kind::bcast, 0, equal), 0, true);
    ASSERT_TRUE(broadcast.has_value());
    EXPECT_EQ(broadcast->kind, ChakraCollective::broadcast);
    EXPECT_FALSE(broadcast->exact) << "the schema has no place for the root";
    EXPECT_FALSE(chakra_collective(exchange_of(Kind::scan, kNone, equal), 0, true).has_value());
}

struct Node {
    std::string name;
    u64 type = 0;
    std::vector<u64> after;
    u64 microseconds = 0;
    std::map<std::string, u64> numbers;  ///< attributes
    std::string group;
};

void read_attribute(std::string_view bytes, Node& node) {
    ByteReader in(bytes, "attribute");
    std::string name;
    while (in.remaining() != 0) {
        const u64 key = in.get_varint();
        if (key >> 3U == 1) {
            name = in.get_text();
        } else if ((key & 7U) == 0) {
            node.numbers[name] = in.get_varint();
        } else {
            node.group = in.get_text();
        }
    }
}

Node read_node(std::string_view bytes) {
    ByteReader in(bytes, "node");
    Node node;
    while (in.remaining() != 0) {
        const u64 key = in.get_varint();
        if ((key & 7U) == 0) {
            const u64 value = in.get_varint();
            if (key >> 3U == 3) node.type = value;
            if (key >> 3U == 7) node.microseconds = value;
            continue;
        }
        const std::string_view text = in.get_text();
        if (key >> 3U == 2) node.name = text;
        if (key >> 3U == 10) read_attribute(text, node);
        if (key >> 3U != 5) continue;
        ByteReader packed(text, "dependencies");
        while (packed.remaining() != 0) node.after.push_back(packed.get_varint());
    }
    return node;
}

/// Of a rank's file, by number from 1 on.
std::vector<Node> read_nodes(const std::string& path) {
    const std::string bytes = read_whole_file(path);
    ByteReader in(bytes, path);
    EXPECT_EQ(in.get_text(),
              "\x0A\x05"
              "1.0.0");
    std::vector<Node> nodes{{}};
    while (in.remaining() != 0) nodes.push_back(read_node(in.get_text()));
    return nodes;
}

constexpr u64 kSend = 5;
constexpr u64 kReceive = 6;
constexpr u64 kCollective = 7;
constexpr u64 kCompute = 4;

/// What becomes of a made trace.
struct Exported {
    explicit Exported(testing::MadeTrace& trace, const ExportOptions& options = {}) {
        const std::string folded = (directory / "made.tfold").string();
        trace.fold(folded);
        TraceFile file(folded);
        report = find_export_format("chakra")->write(file, path(), options);
    }
    [[nodiscard]] std::string path() const { return (directory / "made.chakra").string(); }
    [[nodiscard]] std::vector<Node> rank(u32 number) const {
        return read_nodes(path() + "/rank." + std::to_string(number) + ".et");
    }

    TestDirectory directory;
    ExportReport report;
};

class ChakraTest : public ::testing::Test {
  protected:
    static constexpr u64 kWorld = 0;
    static constexpr u64 kNoRoot = 0xFFFFFFFF;

    ChakraTest() { everybody("MPI_Init", {}); }

    void everybody(const std::string& function,
                   std::initializer_list<testing::MadeTrace::Event> events) {
        for (u32 rank = 0; rank < 2; ++rank) trace_.call(rank, function, events);
    }

    testing::MadeTrace trace_{{.ranks = 2}};
};

TEST_F(ChakraTest, LetsWhatDoesNotBlockOverlap) {
    for (u32 rank = 0; rank < 2; ++rank) {
        const u64 other = 1 - rank;
        trace_.call(rank, "MPI_Irecv", {{EventType::MpiIrecvRequest, {1}}});
        trace_.call(rank, "MPI_Isend", {{EventType::MpiIsend, {other, kWorld, 7, 64, 2}}});
        trace_.call(
            rank, "MPI_Waitall",
            {{EventType::MpiIrecv, {other, kWorld, 7, 64, 1}}, {EventType::MpiIsendComplete, {2}}});
    }
    everybody("MPI_Finalize", {});
    const Exported exported(trace_);
    const std::vector<Node> nodes = exported.rank(1);
    ASSERT_GE(nodes.size(), 4U);
    EXPECT_EQ(nodes[1].name, "MPI_Irecv");
    EXPECT_EQ(nodes[1].type, kReceive);
    EXPECT_EQ(nodes[1].numbers.at("comm_src"), 0U);
    EXPECT_EQ(nodes[1].numbers.at("comm_dst"), 1U);
    EXPECT_EQ(nodes[1].numbers.at("comm_size"), 64U);
    EXPECT_EQ(nodes[2].type, kSend);
    EXPECT_EQ(nodes[2].numbers.at("comm_tag"), nodes[1].numbers.at("comm_tag"));
    EXPECT_EQ(nodes[1].after, nodes[2].after) << "the send waits for the receive";
    EXPECT_EQ(nodes[3].name, "wait");
    EXPECT_EQ(nodes[3].type, kCompute);
    EXPECT_EQ(nodes[3].after, (std::vector<u64>{1, 2}));
    EXPECT_EQ(nodes[3].microseconds, 0U);
}

TEST_F(ChakraTest, CountsWholeMicrosecondsAndKeepsTheRest) {
    trace_.at(10'000);
    for (u64 round = 1; round <= 3; ++round) {
        everybody("MPI_Barrier", {{EventType::MpiCollectiveBegin, {}},
                                  {EventType::MpiCollectiveEnd, {0, kWorld, kNoRoot, 0, 0}}});
        trace_.at(10'000 + round * 700);
    }
    everybody("MPI_Finalize", {});
    ExportOptions options;
    options.collective_nodes = true;
    const Exported exported(trace_, options);
    std::vector<u64> times;
    u64 last = 0;
    const std::vector<Node> nodes = exported.rank(0);
    for (u64 id = 1; id < nodes.size(); ++id) {
        if (nodes[id].type == kCompute) times.push_back(nodes[id].microseconds);
        if (last != 0) {
            EXPECT_EQ(nodes[id].after, std::vector<u64>{last}) << "a chain";
        }
        last = id;
    }
    // 12.1 us pass until MPI_Finalize, but for some nanoseconds within each call.
    EXPECT_EQ(std::accumulate(times.begin(), times.end(), u64{0}), 12U);
    EXPECT_EQ(std::ranges::count(times, 0U), 0);
    EXPECT_EQ(exported.report.contents().at("COMM_COLL_NODE"), 6U);
}

TEST_F(ChakraTest, NamesTheGroupOfACollectiveOperation) {
    constexpr u64 kAllreduce = 11;
    everybody("MPI_Allreduce",
              {{EventType::MpiCollectiveBegin, {}},
               {EventType::MpiCollectiveEnd, {kAllreduce, kWorld, kNoRoot, 16, 16}}});
    everybody("MPI_Finalize", {});
    const Exported exported(trace_);
    const std::vector<Node> nodes = exported.rank(0);
    ASSERT_GE(nodes.size(), 2U);
    EXPECT_EQ(nodes[1].type, kCollective);
    EXPECT_EQ(nodes[1].numbers.at("comm_type"), 0U);
    EXPECT_EQ(nodes[1].numbers.at("comm_size"), 8U);
    EXPECT_EQ(nodes[1].group, "") << "all ranks are the default group";
    EXPECT_EQ(read_whole_file(exported.path() + "/comm_groups.json"), "{\n}\n");
}

TEST_F(ChakraTest, NamesFunctionsThatMpiDoesNotHave) {
    constexpr u64 kAllreduce = 11;
    const std::string function = "MPI_Allreduce_of_a_vendor";
    constexpr u64 kDeallocate = 20;
    // That it begins with what does not communicate keeps it from being taken for MPI_Allreduce.
    everybody(function, {{EventType::MpiCollectiveBegin, {}},
                         {EventType::MpiCollectiveEnd, {kDeallocate, kWorld, kNoRoot, 0, 0}},
                         {EventType::MpiCollectiveBegin, {}},
                         {EventType::MpiCollectiveEnd, {kAllreduce, kWorld, kNoRoot, 16, 16}}});
    everybody("MPI_Finalize", {});
    const Exported exported(trace_);
    const std::vector<Node> nodes = exported.rank(1);
    ASSERT_GE(nodes.size(), 2U);
    EXPECT_EQ(nodes[1].name, function);
}

TEST_F(ChakraTest, MergesWhatARankSendsToItself) {
    for (u32 rank = 0; rank < 2; ++rank) {
        trace_.call(rank, "MPI_Irecv", {{EventType::MpiIrecvRequest, {1}}});
        trace_.call(rank, "MPI_Send", {{EventType::MpiSend, {rank, kWorld, 7, 64}}});
        trace_.call(rank, "MPI_Wait", {{EventType::MpiIrecv, {rank, kWorld, 7, 64, 1}}});
    }
    everybody("MPI_Finalize", {});
    const Exported exported(trace_);
    EXPECT_EQ(exported.report.of(ExportOutcome::merged).at("messages of a rank to itself"), 2U);
    EXPECT_FALSE(exported.report.contents().contains("COMM_SEND_NODE"));
    EXPECT_EQ(exported.rank(0).size(), 2U) << "readers want a node on every rank";
}

}  // namespace
}  // namespace tracefold
