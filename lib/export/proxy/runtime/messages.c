/* SPDX-FileCopyrightText: 2026 The tracefold authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Calls that send and receive, and those that complete their requests. */

//@ Send Bsend Ssend Rsend: peers buffers
static void Send(int how, ll peer, int tag, ll bytes, int c) {
    begin();
    MPI_Send(out(bytes), BYTES(bytes), at(how, peer, c), tag, comm[c].handle);
    tally("MPI_Send", bytes, 0);
    note_message(SEND, at(how, peer, c), tag, bytes, c);
}

//@ Send_to_nobody: peers buffers
static void Send_to_nobody(int how, ll peer, int tag, ll bytes, int c) { /* not waited for */
    begin();
    MPI_Request r;
    MPI_Isend(out(bytes), BYTES(bytes), at(how, peer, c), tag, comm[c].handle, &r);
    PMPI_Request_free(&r);
    tally("MPI_Send", bytes, 0);
    note_message(SEND, at(how, peer, c), tag, bytes, c);
}

//@ Recv: peers buffers
static void Recv(int how, ll peer, int tag, ll bytes, int c) {
    begin();
    MPI_Recv(in(bytes), BYTES(bytes), at(how, peer, c), tag, comm[c].handle, MPI_STATUS_IGNORE);
    tally("MPI_Recv", 0, bytes);
    note_message(RECEIVE, at(how, peer, c), tag, bytes, c);
}

//@ Sendrecv: peers buffers
static void Sendrecv(int how, ll to, int tag, ll bytes, int c, int how2, ll from, int tag2, ll bytes2,
                     int c2) {
    begin();
    MPI_Sendrecv(out(bytes), BYTES(bytes), at(how, to, c), tag, in(bytes2), BYTES(bytes2),
                 at(how2, from, c2), tag2, comm[c].handle, MPI_STATUS_IGNORE);
    tally("MPI_Sendrecv", bytes, bytes2);
    note_message(SEND, at(how, to, c), tag, bytes, c);
    note_message(RECEIVE, at(how2, from, c2), tag2, bytes2, c2);
}

//@ Sendrecv_replace: peers buffers
static void Sendrecv_replace(int how, ll to, int tag, ll bytes, int c, int how2, ll from, int tag2,
                             ll bytes2, int c2) {
    begin();
    ll n = to == NOBODY ? bytes2 : bytes;
    MPI_Sendrecv_replace(in(n), BYTES(n), at(how, to, c), tag, at(how2, from, c2), tag2,
                         comm[c].handle, MPI_STATUS_IGNORE);
    tally("MPI_Sendrecv_replace", bytes, bytes2);
    note_message(SEND, at(how, to, c), tag, bytes, c);
    note_message(RECEIVE, at(how2, from, c2), tag2, bytes2, c2);
}

//@ Isend Ibsend Issend Irsend: peers buffers requests
static void Isend(int how, ll peer, int tag, ll bytes, int c) {
    begin();
    MPI_Request r;
    MPI_Isend(out(bytes), BYTES(bytes), at(how, peer, c), tag, comm[c].handle, &r);
    if (peer == NOBODY) PMPI_Request_free(&r);
    else put(r, NULL, NULL, SENT);
    tally("MPI_Isend", bytes, 0);
    note_message(SEND, at(how, peer, c), tag, bytes, c);
}

//@ Isend_unwatched: peers buffers
static void Isend_unwatched(int how, ll peer, int tag, ll bytes, int c) {
    begin();
    MPI_Request r;
    MPI_Isend(out(bytes), BYTES(bytes), at(how, peer, c), tag, comm[c].handle, &r);
    PMPI_Request_free(&r); /* nothing in the trace completes it */
    tally("MPI_Isend", bytes, 0);
    note_message(SEND, at(how, peer, c), tag, bytes, c);
}

//@ Irecv: peers buffers requests
static void Irecv(int how, ll peer, int tag, ll bytes, int c) {
    begin();
    MPI_Request r;
    char *buffer = malloc(bytes + 1);
    MPI_Irecv(buffer, BYTES(bytes), at(how, peer, c), tag, comm[c].handle, &r);
    if (peer == NOBODY) PMPI_Request_free(&r), free(buffer);
    else put(r, buffer, NULL, RECEIVED);
    tally("MPI_Irecv", 0, bytes);
    note_message(POST_RECEIVE, at(how, peer, c), tag, bytes, c);
}

//@ Irecv_nothing: nowhere requests
static void Irecv_nothing(void) { /* its message never came */
    begin();
    MPI_Request r;
    MPI_Irecv(NULL, 0, MPI_BYTE, 0, 0, nowhere(), &r);
    put(r, NULL, NULL, NEVER);
    tally("MPI_Irecv", 0, 0);
    note(SILENT_RECEIVE);
}

//@ Send_init Bsend_init Ssend_init Rsend_init: peers buffers requests persistent
static void Send_init(int i, int how, ll peer, int tag, ll bytes, int c) {
    begin();
    if (!is_made("Send_init", i, at(how, peer, c), tag, bytes, c)) {
        MPI_Send_init(persistent[i].buffer, BYTES(bytes), at(how, peer, c), tag, comm[c].handle,
                      &persistent[i].handle);
        count("MPI_Send_init", 0, 0);
    }
    stage(i);
}

//@ Recv_init: peers buffers nowhere requests persistent
static void Recv_init(int i, int how, ll peer, int tag, ll bytes, int c) {
    begin();
    if (!is_made("Recv_init", i, at(how, peer, c), tag, bytes, c)) {
        if (peer == NOBODY) /* never completed */
            MPI_Recv_init(NULL, 0, MPI_BYTE, 0, 0, nowhere(), &persistent[i].handle);
        else
            MPI_Recv_init(persistent[i].buffer, BYTES(bytes), at(how, peer, c), tag, comm[c].handle,
                          &persistent[i].handle);
        count("MPI_Recv_init", 0, 0);
    }
    stage(i);
}

//@ Start: requests persistent
static void Start(void) {
    begin();
    MPI_Request r;
    for (int i = 0; i < starts; i++) MPI_Start(&starting[i]);
    if (starts == 0) { /* of a message that goes nowhere */
        PMPI_Send_init(NULL, 0, MPI_BYTE, MPI_PROC_NULL, 0, MPI_COMM_SELF, &r);
        MPI_Start(&r);
        PMPI_Request_free(&r);
    }
    started("MPI_Start");
}

//@ Startall: requests persistent
static void Startall(void) {
    begin();
    MPI_Startall(starts, starting);
    started("MPI_Startall");
}

//@ Wait: requests
static void Wait(ll n, cursor *ages) {
    begin();
    take((int)n, ages);
    MPI_Wait(handles, MPI_STATUS_IGNORE);
    completed("MPI_Wait", (int)n);
}

//@ Waitall: requests
static void Waitall(ll n, cursor *ages) {
    begin();
    take((int)n, ages);
    MPI_Waitall((int)n, handles, ignored);
    completed("MPI_Waitall", (int)n);
}

//@ Waitany: requests
static void Waitany(ll n, cursor *ages) {
    begin();
    take((int)n, ages);
    MPI_Waitany(n > 0 ? (int)n : 1, handles, indices, MPI_STATUS_IGNORE);
    completed("MPI_Waitany", (int)n);
}

//@ Waitsome: requests
static void Waitsome(ll n, cursor *ages) {
    begin();
    take((int)n, ages);
    MPI_Waitsome((int)n, handles, &(int){0}, indices, ignored);
    completed("MPI_Waitsome", (int)n);
}

//@ Test: requests
static void Test(ll n, cursor *ages) {
    begin();
    take((int)n, ages);
    MPI_Test(handles, &(int){0}, MPI_STATUS_IGNORE);
    completed("MPI_Test", (int)n);
}

//@ Testall: requests
static void Testall(ll n, cursor *ages) {
    begin();
    take((int)n, ages);
    MPI_Testall((int)n, handles, &(int){0}, ignored);
    completed("MPI_Testall", (int)n);
}

//@ Testany: requests
static void Testany(ll n, cursor *ages) {
    begin();
    take((int)n, ages);
    MPI_Testany(n > 0 ? (int)n : 1, handles, indices, &(int){0}, MPI_STATUS_IGNORE);
    completed("MPI_Testany", (int)n);
}

//@ Testsome: requests
static void Testsome(ll n, cursor *ages) {
    begin();
    take((int)n, ages);
    MPI_Testsome((int)n, handles, &(int){0}, indices, ignored);
    completed("MPI_Testsome", (int)n);
}

//@ Request_get_status: requests
static void Request_get_status(ll n, cursor *ages) {
    begin();
    take((int)n, ages);
    MPI_Request_get_status(handles[0], &(int){0}, MPI_STATUS_IGNORE);
    completed("MPI_Request_get_status", (int)n);
}

//@ Request_free: requests
static void Request_free(ll n, cursor *ages) {
    begin();
    take((int)n, ages);
    for (int i = 0; i < n; i++) MPI_Request_free(&handles[i]);
    completed("MPI_Request_free", (int)n);
}

//@ any_of: requests
static int run_calls, run_requests;
static void any_of(ll calls, ll n, cursor *ages) { /* the next calls complete these, as they get ready */
    take((int)n, ages);
    for (int i = 0; i < n; i++) taken[i].done = UNKNOWN; /* chance says which call completes it */
    run_calls = (int)calls, run_requests = (int)n;
}

//@ Waitany_of: requests
static void Waitany_of(void) {
    begin();
    MPI_Waitany(run_requests, handles, indices, MPI_STATUS_IGNORE);
    completed("MPI_Waitany", --run_calls > 0 ? 0 : run_requests);
}

//@ Waitsome_of: requests
static void Waitsome_of(void) {
    begin();
    MPI_Waitsome(run_requests, handles, &(int){0}, indices, ignored);
    completed("MPI_Waitsome", --run_calls > 0 ? 0 : run_requests);
}

//@ Testany_of: requests
static void Testany_of(void) {
    begin();
    MPI_Testany(run_requests, handles, indices, &(int){0}, MPI_STATUS_IGNORE);
    completed("MPI_Testany", --run_calls > 0 ? 0 : run_requests);
}

//@ Testsome_of: requests
static void Testsome_of(void) {
    begin();
    MPI_Testsome(run_requests, handles, &(int){0}, indices, ignored);
    completed("MPI_Testsome", --run_calls > 0 ? 0 : run_requests);
}

//@ Cancel: requests
static void Cancel(ll age) {
    begin();
    MPI_Cancel(&outstanding[age].handle);
    outstanding[age].done = CANCELLED;
    count("MPI_Cancel", 0, 0);
}

//@ free_persistent: requests persistent
static void free_persistent(int i) {
    begin();
    MPI_Request_free(&persistent[i].handle);
    persistent[i].name = NULL;
    count("MPI_Request_free", 0, 0);
}
