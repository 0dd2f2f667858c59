// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "inspect/page/http_server.hpp"

#include <string>

#include <gtest/gtest.h>

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

}  // namespace
}  // namespace tracefold
