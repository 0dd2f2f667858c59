/* SPDX-FileCopyrightText: 2026 The tracefold authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Calls that probe, and those that receive what a probe has taken. */

//@ Probe: peers
static void Probe(int how, ll peer, int tag, int c) {
    MPI_Probe(at(how, peer, c), tag, comm[c].handle, MPI_STATUS_IGNORE);
    tally("MPI_Probe", 0, 0);
}

//@ Iprobe: peers
static void Iprobe(int how, ll peer, int tag, int c) {
    int flag;
    MPI_Iprobe(at(how, peer, c), tag, comm[c].handle, &flag, MPI_STATUS_IGNORE);
    tally("MPI_Iprobe", 0, 0);
}

//@ Iprobe_nothing: nowhere
static void Iprobe_nothing(void) {
    int flag;
    MPI_Iprobe(0, 0, nowhere(), &flag, MPI_STATUS_IGNORE);
    tally("MPI_Iprobe", 0, 0);
}

//@ Improbe_nothing: nowhere
static void Improbe_nothing(void) {
    MPI_Message message;
    int flag;
    MPI_Improbe(0, 0, nowhere(), &flag, &message, MPI_STATUS_IGNORE);
    tally("MPI_Improbe", 0, 0);
}

//@ Mprobe: peers probes
static void Mprobe(int how, ll peer, int tag, int c) {
    MPI_Message message;
    MPI_Mprobe(at(how, peer, c), tag, comm[c].handle, &message, MPI_STATUS_IGNORE);
    hold(message, at(how, peer, c), tag, c);
    tally("MPI_Mprobe", 0, 0);
}

//@ Improbe: peers probes
static void Improbe(int how, ll peer, int tag, int c) { /* waits if the message is late */
    MPI_Message message;
    int flag;
    MPI_Improbe(at(how, peer, c), tag, comm[c].handle, &flag, &message, MPI_STATUS_IGNORE);
    if (!flag) PMPI_Mprobe(at(how, peer, c), tag, comm[c].handle, &message, MPI_STATUS_IGNORE);
    hold(message, at(how, peer, c), tag, c);
    tally("MPI_Improbe", 0, 0);
}

//@ Mrecv: peers buffers probes
static void Mrecv(int how, ll peer, int tag, ll bytes, int c) {
    MPI_Message message = held(at(how, peer, c), tag, c);
    MPI_Mrecv(in(bytes), BYTES(bytes), &message, MPI_STATUS_IGNORE);
    tally("MPI_Mrecv", 0, 0);
}

//@ Imrecv_unwatched: peers buffers probes
static void Imrecv_unwatched(int how, ll peer, int tag, ll bytes, int c) {
    MPI_Message message = held(at(how, peer, c), tag, c);
    MPI_Request r; /* the call that completes it left no record; the message is there */
    MPI_Imrecv(in(bytes), BYTES(bytes), &message, &r);
    PMPI_Wait(&r, MPI_STATUS_IGNORE);
    tally("MPI_Imrecv", 0, 0);
}

//@ Imrecv: peers requests probes
static void Imrecv(int how, ll peer, int tag, ll bytes, int c) {
    MPI_Message message = held(at(how, peer, c), tag, c);
    MPI_Request r;
    char *buffer = malloc(bytes + 1);
    MPI_Imrecv(buffer, BYTES(bytes), &message, &r);
    put(r, buffer, NULL, 0);
    tally("MPI_Imrecv", 0, bytes);
}
