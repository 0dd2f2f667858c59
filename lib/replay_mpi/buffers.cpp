// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "replay_mpi/buffers.hpp"

#include "core/error.hpp"

#include <algorithm>
#include <cstring>
#include <new>
#include <string>

namespace tracefold {

namespace {

/// So that small messages that are under way together have places of their own.
constexpr u64 kSpare = u64{1} << 18U;

/// Xorshift: content that no transport can compress, in a fraction of the time of copying it.
void fill(std::byte* bytes, u64 size) {
    u64 state = 0x9E3779B97F4A7C15U;
    for (u64 i = 0; i + sizeof state <= size; i += sizeof state) {
        state ^= state << 13U;
        state ^= state >> 7U;
        state ^= state << 17U;
        std::memcpy(bytes + i, &state, sizeof state);
    }
}

std::unique_ptr<std::byte[]> allocate_bytes(u64 size) {
    std::unique_ptr<std::byte[]> bytes(new (std::nothrow) std::byte[size]);
    if (bytes == nullptr) {
        throw Error(ErrorKind::io, "no memory for messages of up to " + std::to_string(size) +
                                       " bytes; make them smaller with --bytes-scale");
    }
    return bytes;
}

}  // namespace

void Buffers::expect_outgoing(u64 bytes) { largest_outgoing_ = std::max(largest_outgoing_, bytes); }

void Buffers::expect_incoming(u64 bytes) { largest_incoming_ = std::max(largest_incoming_, bytes); }

void Buffers::allocate() {
    outgoing_.size = largest_outgoing_ + kSpare;
    outgoing_.bytes = allocate_bytes(outgoing_.size);
    fill(outgoing_.bytes.get(), outgoing_.size);
    incoming_.size = largest_incoming_ + kSpare;
    incoming_.bytes = allocate_bytes(incoming_.size);
    std::memset(incoming_.bytes.get(), 0, incoming_.size);
}

}  // namespace tracefold
