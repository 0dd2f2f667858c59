// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "proxy/collective_text.hpp"
#include "proxy/helper.hpp"
#include "proxy/runtime_text.hpp"

namespace tracefold {

namespace {

using F = ProxyFunction;

constexpr std::string_view kBytes = R"(
#define BYTES(n) (int)(n), MPI_BYTE
)";

constexpr std::string_view kLargeBytes = R"(
#define BYTES(n) ((n) > 0x7fffffff ? 1 : (int)(n)), large(n)
static MPI_Datatype large(ll n) { /* one item of so many bytes, where an int is too small */
    static MPI_Datatype type, piece;
    static ll bytes;
    if (n <= 0x7fffffff) return MPI_BYTE;
    if (n == bytes) return type;
    PMPI_Type_contiguous(1 << 20, MPI_BYTE, &piece);
    PMPI_Type_create_struct(2, (int[]){(int)(n >> 20), (int)(n & 0xfffff)},
                           (MPI_Aint[]){0, (MPI_Aint)(n >> 20 << 20)},
                           (MPI_Datatype[]){piece, MPI_BYTE}, &type);
    PMPI_Type_commit(&type);
    bytes = n;
    return type;
}
)";

Helper helper(F function) {
    if (function <= F::free_persistent) return message_helper(function);
    if (function <= F::Imrecv) return probe_helper(function);
    if (function >= F::Comm_dup) return communicator_helper(function);
    const CollectiveText text = proxy_collective_text(function);
    Helper one{text.source, {SharedText::buffers}};
    if (text.posts) one.needs.push_back(SharedText::requests);
    if (text.has_lists) one.needs.push_back(SharedText::layout);
    if (function == F::Alltoallw || function == F::Ialltoallw) {
        one.needs.push_back(SharedText::types);
    }
    return one;
}

}  // namespace

std::string proxy_helper_text(const std::set<ProxyFunction>& functions, bool large) {
    std::string sources;
    std::set<SharedText> needs;
    for (const ProxyFunction function : functions) {
        const Helper one = helper(function);
        sources += one.text;
        needs.insert(one.needs.begin(), one.needs.end());
    }
    std::string text(large ? kLargeBytes : kBytes);
    for (const SharedText need : needs) text += shared_text(need);
    return text + sources;
}

}  // namespace tracefold
