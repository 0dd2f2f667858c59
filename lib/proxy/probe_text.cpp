// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "proxy/helper.hpp"

namespace tracefold {

namespace {

using F = ProxyFunction;

constexpr std::string_view kProbe = R"(
static void Probe(int how, ll peer, int tag, int c) {
    MPI_Probe(at(how, peer, c), tag, comm[c].handle, MPI_STATUS_IGNORE);
    tally("MPI_Probe", 0, 0);
}
)";

constexpr std::string_view kIprobe = R"(
static void Iprobe(int how, ll peer, int tag, int c) {
    int flag;
    MPI_Iprobe(at(how, peer, c), tag, comm[c].handle, &flag, MPI_STATUS_IGNORE);
    tally("MPI_Iprobe", 0, 0);
}
)";

constexpr std::string_view kPollNothing = R"(
static void @_nothing(void) {
    int flag;
    MPI_Iprobe(MPI_PROC_NULL, 0, MPI_COMM_SELF, &flag, MPI_STATUS_IGNORE);
    tally("MPI_@", 0, 0);
}
)";

constexpr std::string_view kMprobe = R"(
static void @(int how, ll peer, int tag, int c) {
    MPI_Message message;
    MPI_Mprobe(at(how, peer, c), tag, comm[c].handle, &message, MPI_STATUS_IGNORE);
    hold(message, at(how, peer, c), tag, c);
    tally("MPI_@", 0, 0);
}
)";

constexpr std::string_view kMrecv = R"(
static void @(int how, ll peer, int tag, ll bytes, int c) {
    MPI_Message message = held(at(how, peer, c), tag, c);
    MPI_Mrecv(in(bytes), BYTES(bytes), &message, MPI_STATUS_IGNORE);
    tally("MPI_@", 0, 0);
}
)";

}  // namespace

Helper probe_helper(F function) {
    const std::string_view name = proxy_function_info(function).name;
    switch (function) {
        case F::Probe:
            return {std::string(kProbe), {SharedText::peers}};
        case F::Iprobe:
            return {std::string(kIprobe), {SharedText::peers}};
        case F::Iprobe_nothing:
            return {replaced(kPollNothing, '@', "Iprobe"), {}};
        case F::Improbe_nothing:
            return {replaced(kPollNothing, '@', "Improbe"), {}};
        case F::Mprobe:
        case F::Improbe:
            return {replaced(kMprobe, '@', name), {SharedText::peers, SharedText::probes}};
        default:
            return {replaced(kMrecv, '@', name),
                    {SharedText::peers, SharedText::buffers, SharedText::probes}};
    }
}

}  // namespace tracefold
