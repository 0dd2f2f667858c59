// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "proxy/helper.hpp"

namespace tracefold {

namespace {

using F = ProxyFunction;

constexpr std::string_view kSend = R"(
static void @(int how, ll peer, int tag, ll bytes, int c) {
    MPI_@(out(bytes), BYTES(bytes), at(how, peer, c), tag, comm[c].handle);
    tally("MPI_@", bytes, 0);
}
)";

constexpr std::string_view kSendToNobody = R"(
static void Send_to_nobody(int how, ll peer, int tag, ll bytes, int c) { /* not waited for */
    MPI_Request r;
    MPI_Isend(out(bytes), BYTES(bytes), at(how, peer, c), tag, comm[c].handle, &r);
    PMPI_Request_free(&r);
    tally("MPI_Send", bytes, 0);
}
)";

constexpr std::string_view kRecv = R"(
static void Recv(int how, ll peer, int tag, ll bytes, int c) {
    MPI_Recv(in(bytes), BYTES(bytes), at(how, peer, c), tag, comm[c].handle, MPI_STATUS_IGNORE);
    tally("MPI_Recv", 0, bytes);
}
)";

constexpr std::string_view kSendrecv = R"(
static void Sendrecv(int how, ll to, int tag, ll bytes, int c, int how2, ll from, int tag2, ll bytes2,
                     int c2) {
    MPI_Sendrecv(out(bytes), BYTES(bytes), at(how, to, c), tag, in(bytes2), BYTES(bytes2),
                 at(how2, from, c2), tag2, comm[c].handle, MPI_STATUS_IGNORE);
    tally("MPI_Sendrecv", bytes, bytes2);
}
)";

constexpr std::string_view kSendrecvReplace = R"(
static void Sendrecv_replace(int how, ll to, int tag, ll bytes, int c, int how2, ll from, int tag2,
                             ll bytes2, int c2) {
    ll n = to == NOBODY ? bytes2 : bytes;
    MPI_Sendrecv_replace(in(n), BYTES(n), at(how, to, c), tag, at(how2, from, c2), tag2,
                         comm[c].handle, MPI_STATUS_IGNORE);
    tally("MPI_Sendrecv_replace", bytes, bytes2);
}
)";

constexpr std::string_view kIsend = R"(
static void @(int how, ll peer, int tag, ll bytes, int c) {
    MPI_Request r;
    MPI_@(out(bytes), BYTES(bytes), at(how, peer, c), tag, comm[c].handle, &r);
    if (peer == NOBODY) PMPI_Request_free(&r);
    else put(r, NULL, NULL, 0);
    tally("MPI_@", bytes, 0);
}
)";

constexpr std::string_view kIsendUnwatched = R"(
static void Isend_unwatched(int how, ll peer, int tag, ll bytes, int c) {
    MPI_Request r;
    MPI_Isend(out(bytes), BYTES(bytes), at(how, peer, c), tag, comm[c].handle, &r);
    PMPI_Request_free(&r); /* nothing in the trace completes it */
    tally("MPI_Isend", bytes, 0);
}
)";

constexpr std::string_view kIrecv = R"(
static void Irecv(int how, ll peer, int tag, ll bytes, int c) {
    MPI_Request r;
    char *buffer = malloc(bytes + 1);
    MPI_Irecv(buffer, BYTES(bytes), at(how, peer, c), tag, comm[c].handle, &r);
    if (peer == NOBODY) PMPI_Request_free(&r), free(buffer);
    else put(r, buffer, NULL, 0);
    tally("MPI_Irecv", 0, bytes);
}
)";

constexpr std::string_view kIrecvNothing = R"(
static void Irecv_nothing(void) { /* its message never came */
    MPI_Request r;
    MPI_Irecv(NULL, 0, MPI_BYTE, 0, 0, nowhere(), &r);
    put(r, NULL, NULL, 1);
    tally("MPI_Irecv", 0, 0);
}
)";

constexpr std::string_view kInit = R"(
static void @(int i, int how, ll peer, int tag, ll bytes, int c) {
    if (!is_made("@", i, at(how, peer, c), tag, bytes, c)) {
        MPI_@(persistent[i].buffer, BYTES(bytes), at(how, peer, c), tag, comm[c].handle,
              &persistent[i].handle);
        tally("MPI_@", 0, 0);
    }
    stage(i);
}
)";

constexpr std::string_view kRecvInit = R"(
static void Recv_init(int i, int how, ll peer, int tag, ll bytes, int c) {
    if (!is_made("Recv_init", i, at(how, peer, c), tag, bytes, c)) {
        if (peer == NOBODY) /* never completed */
            MPI_Recv_init(NULL, 0, MPI_BYTE, 0, 0, nowhere(), &persistent[i].handle);
        else
            MPI_Recv_init(persistent[i].buffer, BYTES(bytes), at(how, peer, c), tag, comm[c].handle,
                          &persistent[i].handle);
        tally("MPI_Recv_init", 0, 0);
    }
    stage(i);
}
)";

constexpr std::string_view kStart = R"(
static void Start(void) {
    MPI_Request r;
    for (int i = 0; i < starts; i++) MPI_Start(&starting[i]);
    if (starts == 0) { /* of a message that goes nowhere */
        PMPI_Send_init(NULL, 0, MPI_BYTE, MPI_PROC_NULL, 0, MPI_COMM_SELF, &r);
        MPI_Start(&r);
        PMPI_Request_free(&r);
    }
    started("MPI_Start");
}
)";

constexpr std::string_view kStartall = R"(
static void Startall(void) {
    MPI_Startall(starts, starting);
    started("MPI_Startall");
}
)";

/// A completion in one call.
std::string completion(std::string_view name, std::string_view call) {
    const std::string text(name);
    return "\nstatic void " + text + "(ll n, cursor *ages) {\n    take((int)n, ages);\n    MPI_" +
           text + "(" + std::string(call) + ");\n    completed(\"MPI_" + text + "\", (int)n);\n}\n";
}

constexpr std::string_view kRequestFree = R"(
static void Request_free(ll n, cursor *ages) {
    take((int)n, ages);
    for (int i = 0; i < n; i++) MPI_Request_free(&handles[i]);
    completed("MPI_Request_free", (int)n);
}
)";

constexpr std::string_view kFreePersistent = R"(
static void free_persistent(int i) {
    MPI_Request_free(&persistent[i].handle);
    persistent[i].name = NULL;
    tally("MPI_Request_free", 0, 0);
}
)";

constexpr std::string_view kAnyOf = R"(
static int run_calls, run_requests;
static void any_of(ll calls, ll n, cursor *ages) { /* the next calls complete these, as they get ready */
    take((int)n, ages);
    run_calls = (int)calls, run_requests = (int)n;
}
)";

std::string of_a_run(std::string_view name, std::string_view call) {
    const std::string text(name);
    return "\nstatic void " + text + "_of(void) {\n    MPI_" + text + "(run_requests, handles, " +
           std::string(call) + ");\n    completed(\"MPI_" + text +
           "\", --run_calls > 0 ? 0 : run_requests);\n}\n";
}

constexpr std::string_view kCancel = R"(
static void Cancel(ll age) {
    MPI_Cancel(&outstanding[age].handle);
    tally("MPI_Cancel", 0, 0);
}
)";

Helper completion_helper(F function) {
    std::string_view call;
    switch (function) {
        case F::Waitany_of:
            return {of_a_run("Waitany", "indices, MPI_STATUS_IGNORE"), {SharedText::requests}};
        case F::Waitsome_of:
            return {of_a_run("Waitsome", "&(int){0}, indices, ignored"), {SharedText::requests}};
        case F::Testany_of:
            return {of_a_run("Testany", "indices, &(int){0}, MPI_STATUS_IGNORE"),
                    {SharedText::requests}};
        case F::Testsome_of:
            return {of_a_run("Testsome", "&(int){0}, indices, ignored"), {SharedText::requests}};
        case F::Wait:
            call = "handles, MPI_STATUS_IGNORE";
            break;
        case F::Waitall:
            call = "(int)n, handles, ignored";
            break;
        case F::Waitany:
            call = "n > 0 ? (int)n : 1, handles, indices, MPI_STATUS_IGNORE";
            break;
        case F::Waitsome:
        case F::Testsome:
            call = "(int)n, handles, &(int){0}, indices, ignored";
            break;
        case F::Testall:
            call = "(int)n, handles, &(int){0}, ignored";
            break;
        case F::Testany:
            call = "n > 0 ? (int)n : 1, handles, indices, &(int){0}, MPI_STATUS_IGNORE";
            break;
        case F::Request_get_status:
            call = "handles[0], &(int){0}, MPI_STATUS_IGNORE";
            break;
        default:
            call = "handles, &(int){0}, MPI_STATUS_IGNORE";
    }
    return {completion(proxy_function_info(function).name, call), {SharedText::requests}};
}

}  // namespace

Helper message_helper(F function) {
    const std::string_view name = proxy_function_info(function).name;
    if (function == F::Request_free) return {std::string(kRequestFree), {SharedText::requests}};
    if (function == F::any_of) return {std::string(kAnyOf), {SharedText::requests}};
    if (function == F::free_persistent) {
        return {std::string(kFreePersistent), {SharedText::requests, SharedText::persistent}};
    }
    if (function == F::Cancel) return {std::string(kCancel), {SharedText::requests}};
    if (function >= F::Wait) return completion_helper(function);
    switch (function) {
        case F::Send_to_nobody:
            return {std::string(kSendToNobody), {SharedText::peers, SharedText::buffers}};
        case F::Recv:
            return {std::string(kRecv), {SharedText::peers, SharedText::buffers}};
        case F::Sendrecv:
            return {std::string(kSendrecv), {SharedText::peers, SharedText::buffers}};
        case F::Sendrecv_replace:
            return {std::string(kSendrecvReplace), {SharedText::peers, SharedText::buffers}};
        case F::Isend_unwatched:
            return {std::string(kIsendUnwatched), {SharedText::peers, SharedText::buffers}};
        case F::Irecv:
            return {std::string(kIrecv),
                    {SharedText::peers, SharedText::buffers, SharedText::requests}};
        case F::Irecv_nothing:
            return {std::string(kIrecvNothing), {SharedText::nowhere, SharedText::requests}};
        case F::Isend:
        case F::Ibsend:
        case F::Issend:
        case F::Irsend:
            return {replaced(kIsend, '@', name),
                    {SharedText::peers, SharedText::buffers, SharedText::requests}};
        case F::Recv_init:
            return {std::string(kRecvInit),
                    {SharedText::peers, SharedText::buffers, SharedText::nowhere,
                     SharedText::requests, SharedText::persistent}};
        case F::Start:
            return {std::string(kStart), {SharedText::requests, SharedText::persistent}};
        case F::Startall:
            return {std::string(kStartall), {SharedText::requests, SharedText::persistent}};
        case F::Send_init:
        case F::Bsend_init:
        case F::Ssend_init:
        case F::Rsend_init:
            return {replaced(kInit, '@', name),
                    {SharedText::peers, SharedText::buffers, SharedText::requests,
                     SharedText::persistent}};
        default:
            return {replaced(kSend, '@', name), {SharedText::peers, SharedText::buffers}};
    }
}

}  // namespace tracefold
