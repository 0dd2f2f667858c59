// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "replay/detail/buffers.hpp"

#include "base/error.hpp"
#include "base/mpi.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <new>
#include <string>
#include <utility>

namespace tracefold {

namespace {

/// Gives concurrent small messages separate memory.
constexpr u64 kSpare = u64{1} << 18U;

/// Xorshift: incompressible content, in a fraction of the time of a copy.
void fill(std::byte* bytes, u64 size) {
    u64 state = 0x9E3779B97F4A7C15U;
    for (u64 i = 0; i + sizeof state <= size; i += sizeof state) {
        state ^= state << 13U;
        state ^= state >> 7U;
        state ^= state << 17U;
        std::memcpy(bytes + i, &state, sizeof state);
    }
}

DeviceRuntime::Memory allocate_bytes(u64 size) {
    DeviceRuntime::Memory bytes(new (std::nothrow) std::byte[size]);
    if (bytes == nullptr) {
        throw Error(ErrorKind::io, "no memory for messages of up to " + std::to_string(size) +
                                       " bytes; make them smaller with --bytes-scale");
    }
    return bytes;
}

}  // namespace

void Buffers::expect_outgoing(u64 bytes) { largest_outgoing_ = std::max(largest_outgoing_, bytes); }

void Buffers::expect_incoming(u64 bytes) { largest_incoming_ = std::max(largest_incoming_, bytes); }

void Buffers::allocate(const DeviceRuntime* device) {
    outgoing_.size = largest_outgoing_ + kSpare;
    outgoing_.bytes = allocate_bytes(outgoing_.size);
    fill(outgoing_.bytes.get(), outgoing_.size);
    incoming_.size = largest_incoming_ + kSpare;
    incoming_.bytes = allocate_bytes(incoming_.size);
    std::memset(incoming_.bytes.get(), 0, incoming_.size);
    if (device == nullptr) return;
    for (Ring* ring : {&outgoing_, &incoming_}) {
        DeviceRuntime::Memory there = device->allocate(ring->size);
        device->copy(there.get(), ring->bytes.get(), ring->size);
        ring->bytes = std::move(there);
    }
}

namespace {

constexpr u64 kBlock = u64{1} << 30U;

/// Blocks of 1 GiB and the rest.
MPI_Datatype make_type(u64 bytes) {
    if (bytes / kBlock > Amounts::kMaxCount) {
        throw Error(ErrorKind::unsupported,
                    "a message of " + std::to_string(bytes) + " bytes is larger than any memory");
    }
    MPI_Datatype block = MPI_DATATYPE_NULL;
    MPI_Datatype blocks = MPI_DATATYPE_NULL;
    MPI_Datatype whole = MPI_DATATYPE_NULL;
    check_mpi(PMPI_Type_contiguous(static_cast<int>(kBlock), MPI_BYTE, &block),
              "MPI_Type_contiguous");
    check_mpi(PMPI_Type_contiguous(static_cast<int>(bytes / kBlock), block, &blocks),
              "MPI_Type_contiguous");
    const std::array<int, 2> counts = {1, static_cast<int>(bytes % kBlock)};
    const std::array<MPI_Aint, 2> places = {0, static_cast<MPI_Aint>(bytes / kBlock * kBlock)};
    const std::array<MPI_Datatype, 2> types = {blocks, MPI_BYTE};
    check_mpi(PMPI_Type_create_struct(2, counts.data(), places.data(), types.data(), &whole),
              "MPI_Type_create_struct");
    check_mpi(PMPI_Type_commit(&whole), "MPI_Type_commit");
    check_mpi(PMPI_Type_free(&blocks), "MPI_Type_free");
    check_mpi(PMPI_Type_free(&block), "MPI_Type_free");
    return whole;
}

}  // namespace

Amounts::~Amounts() {
    for (auto& [bytes, type] : large_) PMPI_Type_free(&type);
}

MPI_Datatype Amounts::large_type(u64 bytes) {
    const auto [place, is_new] = large_.try_emplace(bytes, MPI_DATATYPE_NULL);
    if (is_new) place->second = make_type(bytes);
    return place->second;
}

}  // namespace tracefold
