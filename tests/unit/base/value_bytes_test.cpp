// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "base/bytes.hpp"
#include "support/expect_error.hpp"

namespace tracefold {
namespace {

enum class Colour : u8 { red, green };

struct Inner {
    std::string name;
    Colour colour = Colour::red;
    bool on = false;

    static void each_field(auto& self, auto& visit) { visit(self.name, self.colour, self.on); }
    bool operator==(const Inner&) const = default;
};

struct Outer {
    u32 number = 0;
    double fraction = 0;
    u128 wide = 0;
    std::vector<Inner> list;
    std::array<u64, 2> pair{};
    std::map<std::pair<std::string, std::string>, u64> counts;

    static void each_field(auto& self, auto& visit) {
        visit(self.number, self.fraction, self.wide, self.list, self.pair, self.counts);
    }
    bool operator==(const Outer&) const = default;
};

Outer example() {
    return {~u32{0},
            -0.1,
            (u128{1} << 127U) + 5,
            {{"one", Colour::green, true}, {}},
            {1, ~u64{0}},
            {{{"a", "b"}, 3}, {{"b", ""}, 0}}};
}

TEST(ValueBytesTest, ComeBack) {
    EXPECT_EQ(from_bytes<Outer>(to_bytes(example()), "test"), example());
    EXPECT_EQ(from_bytes<Outer>(to_bytes(Outer()), "test"), Outer());
}

TEST(ValueBytesTest, RefuseDamage) {
    const std::string bytes = to_bytes(example());
    for (std::size_t size = 0; size < bytes.size(); ++size) {
        EXPECT_THROW(from_bytes<Outer>(bytes.substr(0, size), "test"), Error) << size;
    }
    EXPECT_THROW(from_bytes<Outer>(bytes + "x", "test"), Error);
    const auto expect_too_large = [](const auto& read) {
        expect_error(ErrorKind::corrupt, "a number is too large", read);
    };
    expect_too_large([] { from_bytes<u32>(to_bytes(u64{1} << 32U), "test"); });
    expect_too_large([] { from_bytes<bool>(to_bytes(2U), "test"); });
    expect_too_large([] { from_bytes<Colour>(to_bytes(256U), "test"); });
}

}  // namespace
}  // namespace tracefold
