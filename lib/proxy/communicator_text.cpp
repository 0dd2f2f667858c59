// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "proxy/helper.hpp"

namespace tracefold {

namespace {

using F = ProxyFunction;

constexpr std::string_view kDup = R"(
static void Comm_dup(int parent, int c) {
    MPI_Comm made;
    MPI_Comm_dup(comm[parent].handle, &made);
    keep(c, made);
    tally("MPI_Comm_dup", 0, 0);
}
)";

constexpr std::string_view kDupWithInfo = R"(
static void Comm_dup_with_info(int parent, int c) {
    MPI_Comm made;
    MPI_Comm_dup_with_info(comm[parent].handle, MPI_INFO_NULL, &made);
    keep(c, made);
    tally("MPI_Comm_dup_with_info", 0, 0);
}
)";

/// @: the function in C; %: as it is counted.
constexpr std::string_view kSplit = R"(
static void @(int parent, int c, ll colour, int key) { /* -1: in none */
    MPI_Comm made;
    MPI_Comm_split(comm[parent].handle, colour < 0 ? MPI_UNDEFINED : (int)colour, key, &made);
    keep(c, made);
    tally("MPI_%", 0, 0);
}
)";

constexpr std::string_view kCart = R"(
static void Cart_create(int parent, int c, ll n, cursor *sizes, ll m, cursor *periodic) {
    MPI_Comm made;
    int *size = ints(n, sizes), *period = ints(m, periodic);
    MPI_Cart_create(comm[parent].handle, (int)n, size, period, 0, &made);
    keep(c, made);
    free(size), free(period);
    tally("MPI_Cart_create", 0, 0);
}
)";

constexpr std::string_view kCreate = R"(
static void Comm_create(int parent, int c, ll n, cursor *ranks) {
    MPI_Comm made;
    MPI_Group group = group_of(n, ranks);
    MPI_Comm_create(comm[parent].handle, group, &made);
    keep(c, made);
    if (n > 0) PMPI_Group_free(&group);
    tally("MPI_Comm_create", 0, 0);
}
)";

constexpr std::string_view kCreateGroup = R"(
static void Comm_create_group(int parent, int c, int tag, ll n, cursor *ranks) {
    MPI_Comm made;
    MPI_Group group = group_of(n, ranks);
    MPI_Comm_create_group(comm[parent].handle, group, tag, &made);
    keep(c, made);
    PMPI_Group_free(&group);
    tally("MPI_Comm_create_group", 0, 0);
}
)";

constexpr std::string_view kMake = R"(
static void make_communicator(int c, int tag, ll n, cursor *ranks) { /* no call of the trace does */
    MPI_Comm made;
    MPI_Group group = group_of(n, ranks);
    PMPI_Comm_create_group(MPI_COMM_WORLD, group, tag, &made);
    keep(c, made);
    PMPI_Group_free(&group);
}
)";

constexpr std::string_view kCommFree = R"(
static void @(int c) {
    MPI_@(&comm[c].handle);
    tally("MPI_@", 0, 0);
}
)";

}  // namespace

Helper communicator_helper(F function) {
    const std::string_view name = proxy_function_info(function).name;
    switch (function) {
        case F::Comm_dup:
            return {std::string(kDup), {}};
        case F::Comm_dup_with_info:
            return {std::string(kDupWithInfo), {}};
        case F::Cart_create:
            return {std::string(kCart), {SharedText::lists}};
        case F::Comm_create:
            return {std::string(kCreate), {SharedText::lists, SharedText::groups}};
        case F::Comm_create_group:
            return {std::string(kCreateGroup), {SharedText::lists, SharedText::groups}};
        case F::make_communicator:
            return {std::string(kMake), {SharedText::lists, SharedText::groups}};
        case F::Comm_free:
        case F::Comm_disconnect:
            return {replaced(kCommFree, '@', name), {}};
        default: {
            const std::string_view counted = function == F::Cart_as_split ? "Cart_create" : name;
            return {replaced(replaced(kSplit, '@', name), '%', counted), {}};
        }
    }
}

}  // namespace tracefold
