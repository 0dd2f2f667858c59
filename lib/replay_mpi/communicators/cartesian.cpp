// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "replay_mpi/communicators/cartesian.hpp"

#include "comm/mpi_error.hpp"
#include "replay_mpi/communicators/groups.hpp"
#include "replay_mpi/proof/watched.hpp"

#include <algorithm>

namespace tracefold {

namespace {

std::vector<int> sizes_of(MPI_Comm cart) {
    int count = 0;
    check_mpi(PMPI_Cartdim_get(cart, &count), "MPI_Cartdim_get");
    std::vector<int> sizes(static_cast<std::size_t>(count));
    std::vector<int> periods(sizes.size());
    std::vector<int> coordinates(sizes.size());
    check_mpi(PMPI_Cart_get(cart, count, sizes.data(), periods.data(), coordinates.data()),
              "MPI_Cart_get");
    return sizes;
}

/// 1 for every dimension of `cart` in which the processes differ.
std::vector<int> varying_dimensions(MPI_Comm cart, std::span<const u64> members,
                                    std::size_t dimensions) {
    std::vector<int> varying(dimensions, 0);
    std::vector<int> first;
    std::vector<int> coordinates(dimensions);
    for (const int rank : Group::of_communicator(cart).ranks_of(members)) {
        if (rank == MPI_UNDEFINED) continue;
        check_mpi(PMPI_Cart_coords(cart, rank, static_cast<int>(dimensions), coordinates.data()),
                  "MPI_Cart_coords");
        if (first.empty()) first = coordinates;
        for (std::size_t i = 0; i < dimensions; ++i) {
            if (coordinates[i] != first[i]) varying[i] = 1;
        }
    }
    return varying;
}

}  // namespace

MPI_Comm make_cart(MPI_Comm parent, const CartShape& shape) {
    const std::vector<int> sizes(shape.sizes.begin(), shape.sizes.end());
    const std::vector<int> periods(shape.periodic.begin(), shape.periodic.end());
    MPI_Comm cart = MPI_COMM_NULL;
    check_mpi(watched::Cart_create(parent, static_cast<int>(sizes.size()), sizes.data(),
                                   periods.data(), 0, &cart),
              "MPI_Cart_create");
    return cart;
}

std::optional<std::vector<int>> remaining_dimensions(MPI_Comm parent,
                                                     const CommunicatorView& part) {
    int topology = MPI_UNDEFINED;
    check_mpi(PMPI_Topo_test(parent, &topology), "MPI_Topo_test");
    if (topology != MPI_CART) return std::nullopt;
    const std::vector<int> sizes = sizes_of(parent);
    std::vector<int> remain = varying_dimensions(parent, part.members, sizes.size());
    if (part.cart == nullptr) return remain;
    const auto wanted = static_cast<std::ptrdiff_t>(part.cart->sizes.size());
    std::ptrdiff_t missing = wanted - std::count(remain.begin(), remain.end(), 1);
    for (std::size_t i = 0; i < sizes.size() && missing > 0; ++i) {
        if (remain[i] != 0 || sizes[i] != 1) continue;
        remain[i] = 1;
        --missing;
    }
    return remain;
}

}  // namespace tracefold
