// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "base/error.hpp"

#include <gtest/gtest.h>

namespace tracefold {
namespace {

TEST(ErrorTest, KeepsKindAndMessage) {
    const Error error(ErrorKind::corrupt, "the checksum is wrong");
    EXPECT_EQ(error.kind(), ErrorKind::corrupt);
    EXPECT_STREQ(error.what(), "the checksum is wrong");
}

TEST(ErrorTest, FormatsItsMessage) {
    const std::string file = "run.tfold";
    EXPECT_STREQ(Error(ErrorKind::io, "{} ends at byte {}", file, 12U).what(),
                 "run.tfold ends at byte 12");
    EXPECT_STREQ(Error(ErrorKind::io, "{} is a text").what(), "{} is a text");
}

TEST(ErrorTest, PlacesPileUpInFront) {
    const Error error = Error(ErrorKind::io, "short read").in("section SCRIPTS").in("run.tfold");
    EXPECT_EQ(error.kind(), ErrorKind::io);
    EXPECT_STREQ(error.what(), "run.tfold: section SCRIPTS: short read");
}

}  // namespace
}  // namespace tracefold
