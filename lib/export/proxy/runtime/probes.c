/* SPDX-FileCopyrightText: 2026 The tracefold authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Calls that probe, and those that receive what a probe has taken. */

//@ Probe: peers
static void Probe(int how, ll peer, int tag, int c) {
    begin();
    MPI_Probe(at(how, peer, c), tag, comm[c].handle, MPI_STATUS_IGNORE);
    tally("MPI_Probe", 0, 0);
    note_probe(at(how, peer, c), tag, c);
}

//@ Iprobe: peers
static void Iprobe(int how, ll peer, int tag, int c) {
    begin();
    int flag;
    MPI_Iprobe(at(how, peer, c), tag, comm[c].handle, &flag, MPI_STATUS_IGNORE);
    tally("MPI_Iprobe", 0, 0);
    note_probe(at(how, peer, c), tag, c);
}

//@ Iprobe_nothing: nowhere
static void Iprobe_nothing(void) {
    begin();
    int flag;
    MPI_Iprobe(0, 0, nowhere(), &flag, MPI_STATUS_IGNORE);
    tally("MPI_Iprobe", 0, 0);
}

//@ Improbe_nothing: nowhere
static void Improbe_nothing(void) {
    begin();
    MPI_Message message;
    int flag;
    MPI_Improbe(0, 0, nowhere(), &flag, &message, MPI_STATUS_IGNORE);
    tally("MPI_Improbe", 0, 0);
}

//@ Mprobe: peers probes
static void Mprobe(int how, ll peer, int tag, int c) {
    begin();
    MPI_Message message;
    MPI_Status status;
    MPI_Mprobe(at(how, peer, c), tag, comm[c].handle, &message, &status);
    hold(message, &status, at(how, peer, c), tag, c);
    tally("MPI_Mprobe", 0, 0);
    note_probe(at(how, peer, c), tag, c);
}

//@ Improbe: peers probes
static void Improbe(int how, ll peer, int tag, int c) { /* waits if the message is late */
    begin();
    MPI_Message message;
    MPI_Status status;
    int flag;
    MPI_Improbe(at(how, peer, c), tag, comm[c].handle, &flag, &message, &status);
    if (!flag) PMPI_Mprobe(at(how, peer, c), tag, comm[c].handle, &message, &status);
    hold(message, &status, at(how, peer, c), tag, c);
    tally("MPI_Improbe", 0, 0);
    note_probe(at(how, peer, c), tag, c);
}

//@ Mrecv: peers buffers probes
static void Mrecv(int how, ll peer, int tag, ll bytes, int c) {
    begin();
    MPI_Message message = held(at(how, peer, c), tag, c);
    MPI_Mrecv(in(bytes), BYTES(bytes), &message, MPI_STATUS_IGNORE);
    tally("MPI_Mrecv", 0, 0);
    note_message(RECEIVE, at(how, peer, c), tag, bytes, c);
}

//@ Mrecv_unrecorded: peers buffers probes
static void Mrecv_unrecorded(int how, ll peer, int tag, ll bytes, int c) { /* it left no record */
    begin();
    MPI_Message message = held(at(how, peer, c), tag, c);
    MPI_Mrecv(in(bytes), BYTES(bytes), &message, MPI_STATUS_IGNORE);
    tally("MPI_Mrecv", 0, 0);
    note_message(PROBE, at(how, peer, c), tag, bytes, c);
}

//@ Imrecv_unwatched: peers buffers probes
static void Imrecv_unwatched(int how, ll peer, int tag, ll bytes, int c) {
    begin();
    MPI_Message message = held(at(how, peer, c), tag, c);
    MPI_Request r; /* the call that completes it left no record; the message is there */
    MPI_Imrecv(in(bytes), BYTES(bytes), &message, &r);
    PMPI_Wait(&r, MPI_STATUS_IGNORE);
    tally("MPI_Imrecv", 0, 0);
    note_message(PROBE, at(how, peer, c), tag, bytes, c);
}

//@ Imrecv: peers requests probes
static void Imrecv(int how, ll peer, int tag, ll bytes, int c) {
    begin();
    MPI_Message message = held(at(how, peer, c), tag, c);
    MPI_Request r;
    char *buffer = malloc(bytes + 1);
    MPI_Imrecv(buffer, BYTES(bytes), &message, &r);
    put(r, buffer, NULL, RECEIVED);
    tally("MPI_Imrecv", 0, bytes);
    note_message(POST_RECEIVE, at(how, peer, c), tag, bytes, c);
}
