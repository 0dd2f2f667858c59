// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "file/symbol_codec.hpp"
#include "support/expect_error.hpp"

namespace tracefold {
namespace {

ParticipantList decode(std::string_view bytes) {
    ByteReader in(bytes, "test");
    return get_participants(in);
}

TEST(ParticipantsCodec, ComesBack) {
    const ParticipantList list({0, 3, 6, 9, 10, 4000, kNone - 1});
    ByteWriter out;
    put_participants(out, list);
    EXPECT_EQ(decode(out.bytes()), list);
}

TEST(ParticipantsCodec, RefusesNumbersThatDoNotFit) {
    // A run has a start, a stride and a count.
    for (const std::string run : {"\x80\x80\x80\x80\x10\x01\x01", "\x01\x80\x80\x80\x80\x10\x01",
                                  "\x01\x01\x80\x80\x80\x80\x10"}) {
        expect_error(ErrorKind::corrupt, "4294967296 does not fit into 32 bits",
                     [&run] { decode("\x01" + run); });
    }
    const std::string beyond = "\x01\x01\xFF\xFF\xFF\xFF\x07\x03";
    expect_error(ErrorKind::corrupt, "a participant has no number", [&] { decode(beyond); });
}

}  // namespace
}  // namespace tracefold
