/* SPDX-FileCopyrightText: 2026 The tracefold authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * One-sided communication. Traces have neither sizes of windows nor displacements: all processes expose as
 * much as the largest transfer, and transfers go to the beginning. */

//@ Win_create: peers windows
static void Win_create(int w, int c, ll bytes) {
    win[w].memory = calloc(bytes + 1, 1);
    begin();
    MPI_Win_create(win[w].memory, bytes, 1, MPI_INFO_NULL, comm[c].handle, &win[w].handle);
    window("MPI_Win_create", w, c);
}

//@ Win_create_dynamic: peers windows
static void Win_create_dynamic(int w, int c, ll bytes) { /* attached at once */
    MPI_Aint own = 0;
    win[w].memory = calloc(bytes + 1, 1);
    win[w].addresses = calloc(comm[c].size, sizeof own);
    begin();
    MPI_Win_create_dynamic(MPI_INFO_NULL, comm[c].handle, &win[w].handle);
    window("MPI_Win_create_dynamic", w, c);
    if (bytes > 0) PMPI_Win_attach(win[w].handle, win[w].memory, bytes);
    PMPI_Get_address(win[w].memory, &own);
    PMPI_Allgather(&own, 1, MPI_AINT, win[w].addresses, 1, MPI_AINT, comm[c].handle);
}

//@ Win_allocate Win_allocate_shared: peers windows
static void Win_allocate(int w, int c, ll bytes) {
    void *memory;
    begin();
    MPI_Win_allocate(bytes, 1, MPI_INFO_NULL, comm[c].handle, &memory, &win[w].handle);
    window("MPI_Win_allocate", w, c);
}

//@ Win_free: peers windows
static void Win_free(int w) {
    begin();
    MPI_Win_free(&win[w].handle);
    tally("MPI_Win_free", 0, 0);
    forget(w);
}

//@ Win_fence: peers windows
static void Win_fence(int w) {
    begin();
    MPI_Win_fence(0, win[w].handle);
    tally("MPI_Win_fence", 0, 0);
}

//@ Win_lock: peers windows
static void Win_lock(int w, int how, ll target, int exclusive) {
    int rank = from(how, target, win[w].rank, win[w].size);
    begin();
    MPI_Win_lock(exclusive ? MPI_LOCK_EXCLUSIVE : MPI_LOCK_SHARED, rank, 0, win[w].handle);
    tally("MPI_Win_lock", 0, 0);
    lock(w, rank);
}

//@ Win_unlock: peers windows
static void Win_unlock(int w, int how, ll target) {
    int rank = from(how, target, win[w].rank, win[w].size);
    begin();
    MPI_Win_unlock(rank, win[w].handle);
    tally("MPI_Win_unlock", 0, 0);
    unlock(w, rank);
}

//@ Win_lock_all: peers windows
static void Win_lock_all(int w) {
    begin();
    MPI_Win_lock_all(0, win[w].handle);
    tally("MPI_Win_lock_all", 0, 0);
    lock(w, ALL_TARGETS);
}

//@ Win_unlock_all: peers windows
static void Win_unlock_all(int w) {
    begin();
    MPI_Win_unlock_all(win[w].handle);
    tally("MPI_Win_unlock_all", 0, 0);
    unlock(w, ALL_TARGETS);
}

//@ Win_flush Win_flush_local: peers windows
static void Win_flush(int w, int how, ll target) {
    begin();
    MPI_Win_flush(from(how, target, win[w].rank, win[w].size), win[w].handle);
    tally("MPI_Win_flush", 0, 0);
}

//@ Win_flush_all Win_flush_local_all Win_complete Win_wait Win_sync: peers windows
static void Win_flush_all(int w) {
    begin();
    MPI_Win_flush_all(win[w].handle);
    tally("MPI_Win_flush_all", 0, 0);
}

//@ Win_test: peers windows
static void Win_test(int w) { /* succeeded in the trace */
    int done;
    begin();
    MPI_Win_test(win[w].handle, &done);
    if (!done) PMPI_Win_wait(win[w].handle);
    tally("MPI_Win_test", 0, 0);
}

//@ Win_shared_query: peers windows
static void Win_shared_query(int w) {
    MPI_Aint size;
    int unit;
    void *memory;
    begin();
    MPI_Win_shared_query(win[w].handle, MPI_PROC_NULL, &size, &unit, &memory);
    tally("MPI_Win_shared_query", 0, 0);
}

//@ Win_post Win_start: peers windows lists groups
static void Win_post(int w, ll n, cursor *ranks) {
    MPI_Group group = group_of(n, ranks);
    begin();
    MPI_Win_post(group, 0, win[w].handle);
    tally("MPI_Win_post", 0, 0);
    PMPI_Group_free(&group);
}

//@ Put: peers windows buffers
static void Put(int w, int how, ll target, ll bytes) {
    int rank = from(how, target, win[w].rank, win[w].size);
    begin();
    MPI_Put(out(bytes), BYTES(bytes), rank, place(w, rank), BYTES(bytes), win[w].handle);
    accessed("MPI_Put", rank, bytes);
}

//@ Get: peers windows buffers
static void Get(int w, int how, ll target, ll bytes) {
    int rank = from(how, target, win[w].rank, win[w].size);
    begin();
    MPI_Get(in(bytes), BYTES(bytes), rank, place(w, rank), BYTES(bytes), win[w].handle);
    accessed("MPI_Get", rank, bytes);
}

//@ Rput: peers windows buffers requests
static void Rput(int w, int how, ll target, ll bytes) {
    int rank = from(how, target, win[w].rank, win[w].size);
    MPI_Request r;
    begin();
    MPI_Rput(out(bytes), BYTES(bytes), rank, place(w, rank), BYTES(bytes), win[w].handle, &r);
    accessed("MPI_Rput", rank, bytes);
    put(r, NULL, NULL, UNKNOWN);
}

//@ Rget: peers windows buffers requests
static void Rget(int w, int how, ll target, ll bytes) {
    int rank = from(how, target, win[w].rank, win[w].size);
    MPI_Request r;
    begin();
    MPI_Rget(in(bytes), BYTES(bytes), rank, place(w, rank), BYTES(bytes), win[w].handle, &r);
    accessed("MPI_Rget", rank, bytes);
    put(r, NULL, NULL, UNKNOWN);
}

//@ Accumulate: peers windows buffers atomics
static void Accumulate(int w, int how, ll target, ll sent, ll received, int kind) {
    int rank = from(how, target, win[w].rank, win[w].size);
    ll bytes = sent > received ? sent : received;
    begin();
    MPI_Accumulate(out(bytes), WORDS(bytes), rank, place(w, rank), WORDS(bytes), SUM(bytes), win[w].handle);
    accessed("MPI_Accumulate", rank, kind);
}

//@ Raccumulate: peers windows buffers atomics requests
static void Raccumulate(int w, int how, ll target, ll sent, ll received, int kind) {
    int rank = from(how, target, win[w].rank, win[w].size);
    ll bytes = sent > received ? sent : received;
    MPI_Request r;
    begin();
    MPI_Raccumulate(out(bytes), WORDS(bytes), rank, place(w, rank), WORDS(bytes), SUM(bytes), win[w].handle, &r);
    accessed("MPI_Raccumulate", rank, kind);
    put(r, NULL, NULL, UNKNOWN);
}

//@ Get_accumulate: peers windows buffers atomics
static void Get_accumulate(int w, int how, ll target, ll sent, ll received, int kind) {
    int rank = from(how, target, win[w].rank, win[w].size);
    ll bytes = sent > received ? sent : received;
    begin();
    MPI_Get_accumulate(out(bytes), WORDS(bytes), in(bytes), WORDS(bytes), rank, place(w, rank), WORDS(bytes),
                       sent ? SUM(bytes) : MPI_NO_OP, win[w].handle);
    accessed("MPI_Get_accumulate", rank, kind);
}

//@ Rget_accumulate: peers windows buffers atomics requests
static void Rget_accumulate(int w, int how, ll target, ll sent, ll received, int kind) {
    int rank = from(how, target, win[w].rank, win[w].size);
    ll bytes = sent > received ? sent : received;
    MPI_Request r;
    begin();
    MPI_Rget_accumulate(out(bytes), WORDS(bytes), in(bytes), WORDS(bytes), rank, place(w, rank), WORDS(bytes),
                        sent ? SUM(bytes) : MPI_NO_OP, win[w].handle, &r);
    accessed("MPI_Rget_accumulate", rank, kind);
    put(r, NULL, NULL, UNKNOWN);
}

//@ Fetch_and_op: peers windows buffers integers
static void Fetch_and_op(int w, int how, ll target, ll sent, ll received, int kind) {
    int rank = from(how, target, win[w].rank, win[w].size);
    ll bytes = sent > received ? sent : received;
    begin();
    MPI_Fetch_and_op(out(bytes), in(bytes), integer(bytes), rank, place(w, rank), sent ? MPI_SUM : MPI_NO_OP,
                     win[w].handle);
    accessed("MPI_Fetch_and_op", rank, kind);
}

//@ Compare_and_swap: peers windows buffers integers
static void Compare_and_swap(int w, int how, ll target, ll sent, ll received, int kind) {
    int rank = from(how, target, win[w].rank, win[w].size);
    ll bytes = sent > received ? sent : received;
    begin();
    MPI_Compare_and_swap(out(bytes), out(bytes), in(bytes), integer(bytes), rank, place(w, rank), win[w].handle);
    accessed("MPI_Compare_and_swap", rank, kind);
}
