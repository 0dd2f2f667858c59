// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "base/error.hpp"
#include "base/hash.hpp"

#include <iostream>

int main() {
    try {
        const auto sum = tracefold::checksum("abc");
        if (sum != 0x44BC2CF5AD770999ULL)
            throw tracefold::Error(tracefold::ErrorKind::mismatch, "the checksum is wrong");
    } catch (const tracefold::Error& error) {
        std::cerr << error.what() << '\n';
        return 1;
    }
    return 0;
}
