// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "replay/requests/requests.hpp"

#include <chrono>
#include <map>
#include <random>
#include <span>
#include <thread>

#include <gtest/gtest.h>

namespace tracefold {
namespace {

/// A handle that is told from others. None of them reaches MPI.
class Handles {
  public:
    MPI_Request make() {
        MPI_Request request = MPI_REQUEST_NULL;
        MPI_Recv_init(nullptr, 0, MPI_BYTE, MPI_PROC_NULL, 0, MPI_COMM_SELF, &request);
        all_.push_back(request);
        return request;
    }
    Handles() = default;
    Handles(const Handles&) = delete;
    Handles& operator=(const Handles&) = delete;
    ~Handles() {
        for (MPI_Request& request : all_) MPI_Request_free(&request);
    }

  private:
    std::vector<MPI_Request> all_;
};

TEST(RequestsTest, FindsWhatWasPut) {
    Handles handles;
    const MPI_Request a = handles.make();
    const MPI_Request b = handles.make();
    Requests requests;
    requests.put(7, a);
    requests.put(7 + 64, b);  // the same place in a table of 64
    ASSERT_NE(requests.find(7), nullptr);
    EXPECT_EQ(*requests.find(7), a);
    EXPECT_EQ(*requests.find(71), b);
    EXPECT_EQ(requests.find(8), nullptr);
    EXPECT_EQ(requests.size(), 2U);
}

TEST(RequestsTest, TakesEachOnce) {
    Handles handles;
    const MPI_Request a = handles.make();
    Requests requests;
    requests.put(1, a);
    EXPECT_EQ(requests.take(1), a);
    EXPECT_EQ(requests.take(1), std::nullopt);
    EXPECT_EQ(requests.take(2), std::nullopt);
    EXPECT_EQ(requests.size(), 0U);
}

TEST(RequestsTest, ForgetsAnOlderOneOfTheSameId) {
    Handles handles;
    const MPI_Request b = handles.make();
    Requests requests;
    requests.put(1, handles.make());
    requests.put(1, b);
    EXPECT_EQ(requests.size(), 1U);
    EXPECT_EQ(requests.take(1), b);
    EXPECT_EQ(requests.find(1), nullptr);
}

TEST(RequestsTest, KeepsAllWhileItGrows) {
    Handles handles;
    const MPI_Request a = handles.make();
    const MPI_Request b = handles.make();
    Requests requests;
    for (u64 id = 0; id < 1000; ++id) requests.put(id, id % 3 == 0 ? a : b);
    EXPECT_EQ(requests.size(), 1000U);
    for (u64 id = 0; id < 1000; ++id) EXPECT_EQ(requests.take(id), id % 3 == 0 ? a : b);
    EXPECT_EQ(requests.size(), 0U);
}

/// Ids that collide, added and removed at random, as a map would have them.
TEST(RequestsTest, AgreesWithAMap) {
    Handles handles;
    std::vector<MPI_Request> known;
    for (int i = 0; i < 8; ++i) known.push_back(handles.make());
    std::mt19937 random(1);
    std::map<u64, MPI_Request> wanted;
    Requests requests;
    for (int step = 0; step < 20'000; ++step) {
        const u64 id = random() % 40 * 32;
        if (random() % 2 == 0) {
            const MPI_Request request = known[random() % known.size()];
            requests.put(id, request);
            wanted[id] = request;
        } else if (const auto found = wanted.find(id); found != wanted.end()) {
            ASSERT_EQ(requests.take(id), found->second);
            wanted.erase(found);
        } else {
            ASSERT_EQ(requests.take(id), std::nullopt);
        }
        ASSERT_EQ(requests.size(), wanted.size());
    }
    std::map<u64, MPI_Request> left;
    requests.for_each([&left](u64 id, MPI_Request& request) { left[id] = request; });
    EXPECT_EQ(left, wanted);
    requests.clear();
    EXPECT_EQ(requests.size(), 0U);
}

TEST(SharedRequestsTest, HasAllOfOneId) {
    Handles handles;
    const MPI_Request a = handles.make();
    const MPI_Request b = handles.make();
    Requests requests(true);
    requests.put(1, a);
    requests.put(1, b);
    EXPECT_EQ(requests.take(1), b);
    EXPECT_EQ(requests.take(1), a);
    EXPECT_EQ(requests.take(1), std::nullopt);
}

TEST(SharedRequestsTest, WaitsForThoseThatAnotherThreadPosts) {
    Handles handles;
    const MPI_Request a = handles.make();
    Requests requests(true);
    Action send;
    send.kind = Action::Kind::send;
    send.request = 1;
    MpiCall call;
    call.actions = std::span(&send, 1);
    requests.expect(call);
    for (int run = 0; run < 2; ++run) {
        std::thread other([&] {
            std::this_thread::sleep_for(std::chrono::milliseconds(5));
            requests.put(1, a);
        });
        EXPECT_EQ(requests.take_posted(1), a);
        other.join();
        EXPECT_EQ(requests.take_posted(1), std::nullopt) << "no more are expected";
        EXPECT_EQ(requests.take_posted(2), std::nullopt) << "never expected";
        requests.clear();
    }
}

}  // namespace
}  // namespace tracefold
