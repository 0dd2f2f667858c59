// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "inspect/page/http_server.hpp"

#include "base/parallel.hpp"
#include "support/test_directory.hpp"

#include <atomic>
#include <chrono>
#include <string>
#include <thread>

#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

namespace tracefold {
namespace {

TEST(RequestHeadTest, TargetsHaveATokenAPathAndValues) {
    const RequestHead head = parse_head(
        "GET /abc/api/find?name=MPI%5fSend&rows=0-3%2C5&tick=&a+b=c+d HTTP/1.1\r\nHost: x");
    ASSERT_TRUE(head.valid);
    EXPECT_EQ(head.method, "GET");
    EXPECT_EQ(head.token, "abc");
    EXPECT_EQ(head.path, "api/find");
    EXPECT_TRUE(head.has_slash && head.keeps_open && !head.has_body);
    const std::map<std::string, std::string> values = {
        {"name", "MPI_Send"}, {"rows", "0-3,5"}, {"tick", ""}, {"a b", "c d"}};
    EXPECT_EQ(head.values, values);
    EXPECT_FALSE(parse_head("GET /abc HTTP/1.1").has_slash);
}

TEST(RequestHeadTest, HeadersTellOfConnectionsAndBodies) {
    EXPECT_FALSE(parse_head("GET /a/ HTTP/1.1\r\nCONNECTION:  Close ").keeps_open);
    EXPECT_FALSE(parse_head("GET /a/ HTTP/1.0").keeps_open);
    EXPECT_TRUE(parse_head("GET /a/ HTTP/1.1\r\nContent-Length: 5").has_body);
    EXPECT_TRUE(parse_head("GET /a/ HTTP/1.1\r\nx:y\r\nTransfer-Encoding: chunked").has_body);
    EXPECT_FALSE(parse_head("GET /a/ HTTP/1.1\r\nContent-Length: 0").has_body);
}

TEST(RequestHeadTest, OtherBytesAreNoRequest) {
    for (const std::string text :
         {"", " ", "GET", "GET /", "GET / HTTP/2.0", "GET  / HTTP/1.1", "GET a HTTP/1.1", "\r\n",
          "GET /a/%4 HTTP/1.1", "GET /a/%4g HTTP/1.1", "GET /a/?x=%+4 HTTP/1.1",
          "GET / HTTP/1.1 x"}) {
        EXPECT_FALSE(parse_head(text).valid) << text;
    }
    EXPECT_EQ(parse_head("GET /a/%00%ff HTTP/1.1").path, std::string("\0\xff", 2));
}

/// Waits until a thread of the server has set it.
void wait_for(const std::atomic<bool>& flag) {
    while (!flag) std::this_thread::sleep_for(std::chrono::milliseconds(1));
}

/// Stays until the work is cancelled.
struct EndlessWork {
    std::atomic<bool> begun = false;
    std::atomic<bool> ended = false;

    PageAnswer answer() {
        struct End {
            std::atomic<bool>& ended;
            ~End() { ended = true; }
        };
        const End end{ended};
        begun = true;
        for (;; std::this_thread::sleep_for(std::chrono::milliseconds(1))) cancel_point();
    }
};

TEST(ServerTest, AClosedConnectionEndsItsWork) {
    // The server runs until the process ends.
    static const TestDirectory folder;
    static const std::string path = (folder / "s").string();
    static const Listener listener(path);
    static const std::string token = "abc";
    static EndlessWork work;
    static const PageAnswerer answer = [](const std::string& question, const auto& /*values*/) {
        return question == "slow" ? work.answer() : PageAnswer{200, "text/plain", "here"};
    };
    std::thread([] { serve_pages(answer, token, listener); }).detach();
    const auto ask = [](const std::string& question) {
        const int socket = ::socket(AF_UNIX, SOCK_STREAM, 0);
        sockaddr_un address{};
        address.sun_family = AF_UNIX;
        path.copy(address.sun_path, sizeof address.sun_path - 1);
        EXPECT_EQ(::connect(socket, reinterpret_cast<const sockaddr*>(&address), sizeof address),
                  0);
        const std::string head = "GET /abc/" + question + " HTTP/1.1\r\n\r\n";
        EXPECT_EQ(::send(socket, head.data(), head.size(), 0), static_cast<ssize_t>(head.size()));
        return socket;
    };
    const int slow = ask("slow");
    wait_for(work.begun);
    ::close(slow);
    wait_for(work.ended);
    const int quick = ask("quick");
    char byte = 0;
    EXPECT_EQ(::recv(quick, &byte, 1, 0), 1);
    ::close(quick);
}

}  // namespace
}  // namespace tracefold
