// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "exporters/dumpi_collectives.hpp"

#include <utility>
#include <vector>

namespace tracefold {

namespace {

using Function = DumpiFunction;
using Kind = CollectiveKind;

/// What stands for operations that move data, and for the barrier, by kind.
constexpr Function kDumpiFunctions[] = {
    Function::Barrier,       Function::Bcast,          Function::Gather,    Function::Gatherv,
    Function::Scatter,       Function::Scatterv,       Function::Allgather, Function::Allgatherv,
    Function::Alltoall,      Function::Alltoallv,      Function::Alltoallv, Function::Allreduce,
    Function::Reduce,        Function::Reduce_scatter, Function::Scan,      Function::Exscan,
    Function::Reduce_scatter};

/// Counts, and where each part begins if they lie one after the other.
void put_counts(const std::vector<u64>& sizes, bool with_displacements, DumpiFile& out) {
    std::vector<u32> values(sizes.begin(), sizes.end());
    out.put_ints(values);
    if (!with_displacements) return;
    u32 begin = 0;
    for (u32& value : values) begin += std::exchange(value, begin);
    out.put_ints(values);
}

void put_blocks(const Exchange& exchange, bool with_displacements, DumpiFile& out) {
    std::vector<u64> sizes;
    for (u32 member = 0; member < exchange.size(); ++member) {
        sizes.push_back(exchange.block(member));
    }
    put_counts(sizes, with_displacements, out);
}

/// What the root alone has follows what all members have.
void put_rooted(const Exchange& exchange, u32 member, u16 comm, DumpiFile& out) {
    const Kind kind = exchange.kind();
    const bool has_counts = kind == Kind::gatherv || kind == Kind::scatterv;
    const u64 own = exchange.block(member);
    out.put_int(member);
    if (has_counts) out.put_int(exchange.size());
    if (kind == Kind::scatterv) out.put_type();
    out.put_int(own);
    out.put_type();
    out.put_int(exchange.root());
    out.put_comm(comm);
    if (member == exchange.root()) {
        if (has_counts) {
            put_blocks(exchange, true, out);
        } else {
            out.put_int(own);
            out.put_type();
        }
    }
    if (kind == Kind::gatherv) out.put_type();
}

void put_alltoallv(const Exchange& exchange, u32 member, u16 comm, DumpiFile& out) {
    std::vector<u64> sizes;
    out.put_int(exchange.size());
    exchange.sends(member, sizes);
    put_counts(sizes, true, out);
    out.put_type();
    exchange.receives(member, sizes);
    put_counts(sizes, true, out);
    out.put_type();
    out.put_comm(comm);
}

}  // namespace

DumpiFunction dumpi_function(CollectiveKind kind) {
    return kDumpiFunctions[static_cast<std::size_t>(kind)];
}

void put_dumpi_arguments(const Exchange& exchange, u32 member, u16 comm, DumpiFile& out) {
    const u64 own = exchange.block(member);
    switch (exchange.kind()) {
        case Kind::bcast:
            out.put_int(own);
            out.put_type();
            out.put_int(exchange.root());
            break;
        case Kind::reduce:
        case Kind::allreduce:
        case Kind::scan:
        case Kind::exscan:
            out.put_int(own);
            out.put_type();
            out.put_op();
            if (exchange.kind() == Kind::reduce) out.put_int(exchange.root());
            break;
        case Kind::alltoall:
        case Kind::allgather:
            out.put_int(own);
            out.put_type();
            out.put_int(own);
            out.put_type();
            break;
        case Kind::allgatherv:
            out.put_int(exchange.size());
            out.put_int(own);
            out.put_type();
            put_blocks(exchange, true, out);
            out.put_type();
            break;
        case Kind::reduce_scatter:
        case Kind::reduce_scatter_block:
            out.put_int(exchange.size());
            put_blocks(exchange, false, out);
            out.put_type();
            out.put_op();
            break;
        case Kind::gather:
        case Kind::gatherv:
        case Kind::scatter:
        case Kind::scatterv:
            return put_rooted(exchange, member, comm, out);
        case Kind::alltoallv:
        case Kind::alltoallw:
            return put_alltoallv(exchange, member, comm, out);
        default:
            break;
    }
    out.put_comm(comm);
}

}  // namespace tracefold
