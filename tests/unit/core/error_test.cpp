// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "core/error.hpp"

#include <gtest/gtest.h>

namespace tracefold {
namespace {

TEST(ErrorTest, KeepsKindAndMessage) {
    const Error error(ErrorKind::corrupt, "the checksum is wrong");
    EXPECT_EQ(error.kind(), ErrorKind::corrupt);
    EXPECT_STREQ(error.what(), "the checksum is wrong");
}

TEST(ErrorTest, PlacesPileUpInFront) {
    const Error error = Error(ErrorKind::io, "short read").in("section SCRIPTS").in("run.tfold");
    EXPECT_EQ(error.kind(), ErrorKind::io);
    EXPECT_STREQ(error.what(), "run.tfold: section SCRIPTS: short read");
}

}  // namespace
}  // namespace tracefold
