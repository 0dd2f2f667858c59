// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "replay_mpi/amounts.hpp"

#include "comm/mpi_error.hpp"
#include "core/error.hpp"

#include <array>
#include <string>

namespace tracefold {

namespace {

constexpr u64 kBlock = u64{1} << 30U;

/// blocks of 1 GiB and the rest.
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
