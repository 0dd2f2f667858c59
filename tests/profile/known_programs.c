/* SPDX-FileCopyrightText: 2026 The tracefold authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Small MPI programs with known steps and waits; record_and_check.py records and checks them.
 *   programs CASE       runs one of them
 *   programs --list     prints case, ranks, and what is true: steps, phases or none
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int rank, size;
static double big[1 << 16], other[1 << 16];

static void work(int us) { usleep((useconds_t)us); }
static int right(void) { return (rank + 1) % size; }
static int left(void) { return (rank + size - 1) % size; }
static int end_or(int peer) { return peer < 0 || peer >= size ? MPI_PROC_NULL : peer; }

static void ring(int count, int tag) {
    MPI_Sendrecv(big, count, MPI_DOUBLE, right(), tag, other, count, MPI_DOUBLE, left(), tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Sendrecv(big, count, MPI_DOUBLE, left(), tag, other, count, MPI_DOUBLE, right(), tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}
static void line(int count) {
    MPI_Request all[4];
    MPI_Irecv(other, count, MPI_DOUBLE, end_or(rank - 1), 3, MPI_COMM_WORLD, &all[0]);
    MPI_Irecv(other + count, count, MPI_DOUBLE, end_or(rank + 1), 3, MPI_COMM_WORLD, &all[1]);
    MPI_Isend(big, count, MPI_DOUBLE, end_or(rank - 1), 3, MPI_COMM_WORLD, &all[2]);
    MPI_Isend(big, count, MPI_DOUBLE, end_or(rank + 1), 3, MPI_COMM_WORLD, &all[3]);
    MPI_Waitall(4, all, MPI_STATUSES_IGNORE);
}
static void sum(int count) { MPI_Allreduce(big, other, count, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD); }

static void every5(void) {
    MPI_Bcast(big, 10, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    for (int i = 0; i < 20; ++i) {
        work(100);
        line(50);
        if (i % 5 == 4) sum(1);
    }
    MPI_Gather(big, 4, MPI_DOUBLE, other, 4, MPI_DOUBLE, 0, MPI_COMM_WORLD);
}
static void ends(void) {  // a reduction in step 0 and 9, a broadcast three times before
    for (int i = 0; i < 3; ++i) MPI_Bcast(big, 7, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    for (int i = 0; i < 12; ++i) {
        work(100);
        ring(20, 1);
        if (i == 0 || i == 9) MPI_Reduce(big, other, 3, MPI_DOUBLE, MPI_SUM, 1, MPI_COMM_WORLD);
    }
    for (int i = 0; i < 5; ++i) sum(2);
}
static void deep(void) {
    for (int i = 0; i < 36; ++i) {
        if (i % 3 == 0) line(120);
        work(300);
        sum(1);
    }
}
static void two_sums(void) {  // two reductions a step, with less to compute before the second
    for (int i = 0; i < 25; ++i) {
        line(80);
        work(600);
        sum(1);
        work(60);
        sum(1);
    }
}
static void solver(void) {
    static const int inner[] = {3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8};
    for (int i = 0; i < 12; ++i) {
        for (int k = 0; k < inner[i]; ++k) {
            line(40);
            work(50);
            sum(1);
        }
        sum(3);
    }
}
static void phases(void) {
    for (int i = 0; i < 5; ++i) {
        work(80);
        MPI_Bcast(big, 100, MPI_DOUBLE, 0, MPI_COMM_WORLD);
        ring(10, 1);
    }
    for (int i = 0; i < 30; ++i) {
        work(80);
        line(200);
    }
    for (int i = 0; i < 10; ++i) {
        work(80);
        ring(5, 2);
        sum(1);
    }
}
static void phases_even(void) {
    for (int i = 0; i < 12; ++i) {
        work(80);
        ring(10, 1);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    for (int i = 0; i < 12; ++i) {
        work(80);
        ring(300, 2);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    for (int i = 0; i < 12; ++i) {
        work(80);
        MPI_Sendrecv(big, 9, MPI_DOUBLE, rank ^ 1, 5, other, 9, MPI_DOUBLE, rank ^ 1, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Sendrecv(big, 9, MPI_DOUBLE, rank ^ 1, 6, other, 9, MPI_DOUBLE, rank ^ 1, 6, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
}
static void sweep(void) {
    for (int i = 0; i < 15; ++i) {
        if (rank > 0) MPI_Recv(big, 64, MPI_DOUBLE, rank - 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        work(50);
        if (rank + 1 < size) MPI_Send(big, 64, MPI_DOUBLE, rank + 1, 1, MPI_COMM_WORLD);
        if (rank + 1 < size) MPI_Recv(big, 32, MPI_DOUBLE, rank + 1, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        if (rank > 0) MPI_Send(big, 32, MPI_DOUBLE, rank - 1, 2, MPI_COMM_WORLD);
    }
}
static void hypercube(void) {
    for (int i = 0; i < 10; ++i) {
        work(50);
        for (int bit = 1; bit < size; bit *= 2) {
            MPI_Sendrecv(big, 16, MPI_DOUBLE, rank ^ bit, 0, other, 16, MPI_DOUBLE, rank ^ bit, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        }
    }
}
static void pingpong(void) {
    for (int count = 1; count <= 4096; count *= 2) {
        for (int i = 0; i < 10; ++i) {
            if (rank == 0) {
                MPI_Send(big, count, MPI_DOUBLE, 1, 0, MPI_COMM_WORLD);
                MPI_Recv(big, count, MPI_DOUBLE, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            } else if (rank == 1) {
                MPI_Recv(big, count, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
                MPI_Send(big, count, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD);
            }
        }
    }
}
static void communicators(void) {
    for (int i = 0; i < 14; ++i) {
        MPI_Comm half;
        MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &half);
        work(rank == 1 ? 400 : 100);
        MPI_Allreduce(big, other, 4, MPI_DOUBLE, MPI_MAX, half);
        line(30);
        MPI_Comm_free(&half);
    }
}
static void in_place(void) {
    for (int i = 0; i < 8; ++i) {
        work(100);
        MPI_Allreduce(MPI_IN_PLACE, big, 10, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
        MPI_Allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, big, 6, MPI_DOUBLE, MPI_COMM_WORLD);
        MPI_Alltoall(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, big, 5, MPI_DOUBLE, MPI_COMM_WORLD);
        MPI_Reduce(rank == 2 ? MPI_IN_PLACE : big, rank == 2 ? big : NULL, 3, MPI_DOUBLE, MPI_SUM, 2, MPI_COMM_WORLD);
        if (rank == 1) MPI_Gather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, big, 7, MPI_DOUBLE, 1, MPI_COMM_WORLD);
        else MPI_Gather(big, 7, MPI_DOUBLE, NULL, 0, MPI_DATATYPE_NULL, 1, MPI_COMM_WORLD);
    }
}
static void sparse(void) {
    int counts[64] = {0}, places[64] = {0};
    counts[rank ^ 1] = 30;
    for (int i = 0; i < 10; ++i) {
        work(rank / 2 == i % (size / 2) ? 900 : 100);
        MPI_Alltoallv(big, counts, places, MPI_DOUBLE, other, counts, places, MPI_DOUBLE, MPI_COMM_WORLD);
        int own = rank == 3 ? 0 : 5, all[64];
        for (int k = 0; k < size; ++k) all[k] = k == 3 ? 0 : 5;
        MPI_Gatherv(big, own, MPI_DOUBLE, other, all, places, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    }
}
static void late_sender(void) {
    for (int i = 0; i < 6; ++i) {
        if (rank == 0) {
            work(2000);
            MPI_Send(big, 8, MPI_DOUBLE, 1, 0, MPI_COMM_WORLD);
        } else if (rank == 1) {
            MPI_Recv(big, 8, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        }
        MPI_Barrier(MPI_COMM_WORLD);
    }
}
static void wrong_order(void) {
    for (int i = 0; i < 6; ++i) {
        if (rank == 0) {
            MPI_Send(big, 8, MPI_DOUBLE, 1, 7, MPI_COMM_WORLD);
            work(1500);
            MPI_Send(big, 8, MPI_DOUBLE, 1, 8, MPI_COMM_WORLD);
        } else if (rank == 1) {
            MPI_Recv(big, 8, MPI_DOUBLE, 0, 8, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            MPI_Recv(big, 8, MPI_DOUBLE, 0, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        }
        MPI_Barrier(MPI_COMM_WORLD);
    }
}
static void probe(void) {
    for (int i = 0; i < 6; ++i) {
        if (rank == 0) {
            work(1500);
            MPI_Send(big, 8, MPI_DOUBLE, 1, 0, MPI_COMM_WORLD);
        } else if (rank == 1) {
            MPI_Status status;
            MPI_Probe(0, 0, MPI_COMM_WORLD, &status);
            MPI_Recv(big, 8, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        }
        MPI_Barrier(MPI_COMM_WORLD);
    }
}
static void late_receiver(void) {
    for (int i = 0; i < 6; ++i) {
        if (rank == 0) {
            MPI_Ssend(big, 1 << 15, MPI_DOUBLE, 1, 0, MPI_COMM_WORLD);
        } else if (rank == 1) {
            work(2000);
            MPI_Recv(big, 1 << 15, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        } else if (rank == 2) {
            MPI_Request one;
            MPI_Isend(big, 1 << 15, MPI_DOUBLE, 3, 0, MPI_COMM_WORLD, &one);
            MPI_Wait(&one, MPI_STATUS_IGNORE);
        } else if (rank == 3) {
            work(1000);
            MPI_Sendrecv(other, 1, MPI_DOUBLE, MPI_PROC_NULL, 0, big, 1 << 15, MPI_DOUBLE, 2, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        }
        MPI_Barrier(MPI_COMM_WORLD);
    }
}
static void rooted(void) {  // late broadcast, early reduce, scan
    for (int i = 0; i < 7; ++i) {
        work(rank == 1 ? 1500 : 100);
        MPI_Bcast(big, 1000, MPI_DOUBLE, 1, MPI_COMM_WORLD);
        work(rank == 2 ? 100 : 1200);
        MPI_Reduce(big, other, 10, MPI_DOUBLE, MPI_SUM, 2, MPI_COMM_WORLD);
        MPI_Scan(big, other, 3, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
        work(rank == 0 ? 900 : 10);
        MPI_Scatter(big, 20, MPI_DOUBLE, other, 20, MPI_DOUBLE, 0, MPI_COMM_WORLD);
        work(rank * 300);
        MPI_Alltoall(big, 4, MPI_DOUBLE, other, 4, MPI_DOUBLE, MPI_COMM_WORLD);
    }
}
static void poll(void) {
    for (int i = 0; i < 8; ++i) {
        MPI_Request one[2];
        MPI_Irecv(other, 20, MPI_DOUBLE, left(), 0, MPI_COMM_WORLD, &one[0]);
        work(rank == 0 ? 2000 : 100);
        MPI_Isend(big, 20, MPI_DOUBLE, right(), 0, MPI_COMM_WORLD, &one[1]);
        for (int done = 0; !done; work(100)) MPI_Testall(2, one, &done, MPI_STATUSES_IGNORE);
    }
}
static void nonblocking(void) {
    for (int i = 0; i < 9; ++i) {
        MPI_Request one;
        work(100);
        MPI_Iallreduce(big, other, 4, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD, &one);
        work(rank == 3 ? 1000 : 100);
        MPI_Wait(&one, MPI_STATUS_IGNORE);
        ring(12, 4);
    }
}
static void finalize(void) {
    for (int i = 0; i < 5; ++i) {
        work(100);
        ring(8, 0);
    }
    if (rank == 0) work(20000);
}
static void grid(void) {  // 2 x N/2, periodic: both directions of the first dimension reach one rank
    int extents[2] = {2, size / 2}, periodic[2] = {1, 1};
    MPI_Comm cart;
    MPI_Cart_create(MPI_COMM_WORLD, 2, extents, periodic, 0, &cart);
    for (int i = 0; i < 11; ++i) {
        work(60);
        for (int d = 0; d < 2; ++d) {
            int from, to;
            MPI_Cart_shift(cart, d, 1, &from, &to);
            MPI_Sendrecv(big, 25, MPI_DOUBLE, to, 2 * d, other, 25, MPI_DOUBLE, from, 2 * d, cart, MPI_STATUS_IGNORE);
            MPI_Sendrecv(big, 25, MPI_DOUBLE, from, 2 * d + 1, other, 25, MPI_DOUBLE, to, 2 * d + 1, cart, MPI_STATUS_IGNORE);
        }
    }
}
static void persistent(void) {  // calls without records
    MPI_Request one;
    MPI_Allreduce_init(big, other, 4, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL, &one);
    for (int i = 0; i < 10; ++i) {
        work(100);
        ring(6, 0);
        MPI_Start(&one);
        MPI_Wait(&one, MPI_STATUS_IGNORE);
    }
    MPI_Request_free(&one);
}
static void master(void) {
    int work_left = 40, one = 0;
    MPI_Status status;
    if (rank != 0) {
        for (;;) {
            MPI_Send(&one, 1, MPI_INT, 0, 1, MPI_COMM_WORLD);
            MPI_Recv(&one, 1, MPI_INT, 0, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
            if (status.MPI_TAG == 9) return;
            work(50 + 137 * (one * 7 % 11));
        }
    }
    for (int running = size - 1; running > 0;) {
        MPI_Recv(&one, 1, MPI_INT, MPI_ANY_SOURCE, 1, MPI_COMM_WORLD, &status);
        running -= work_left == 0;
        MPI_Send(&work_left, 1, MPI_INT, status.MPI_SOURCE, work_left == 0 ? 9 : 2, MPI_COMM_WORLD);
        work_left -= work_left > 0;
    }
}

static MPI_Win window(void) {
    MPI_Win win;
    MPI_Win_create(other, sizeof other, sizeof(double), MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    return win;
}
static MPI_Group alone(int member) {
    MPI_Group world, group;
    MPI_Comm_group(MPI_COMM_WORLD, &world);
    MPI_Group_incl(world, 1, &member, &group);
    MPI_Group_free(&world);
    return group;
}
static void put(int to, int count, MPI_Win win) { MPI_Put(big, count, MPI_DOUBLE, to, 0, count, MPI_DOUBLE, win); }
static void fences(void) {  // rank 1 is late
    MPI_Win win = window();
    MPI_Win_fence(0, win);
    for (int i = 0; i < 8; ++i) {
        work(rank == 1 ? 1500 : 100);
        put(right(), 40, win);
        MPI_Win_fence(0, win);
    }
    MPI_Win_free(&win);
}
static void epochs(void) {  // rank 0 exposes late, then rank 1 completes late
    MPI_Win win = window();
    MPI_Group partner = alone(1 - rank);
    for (int i = 0; i < 12; ++i) {
        if (rank == 0) {
            if (i % 2 == 0) work(2000);
            MPI_Win_post(partner, 0, win);
            MPI_Win_wait(win);
        } else {
            MPI_Win_start(partner, 0, win);
            put(0, 25, win);
            if (i % 2 == 1) work(2000);
            MPI_Win_complete(win);
        }
        MPI_Barrier(MPI_COMM_WORLD);
    }
    MPI_Group_free(&partner);
    MPI_Win_free(&win);
}
static void locks(void) {  // rank 0 holds the lock of the window of rank 2 for long
    MPI_Win win = window();
    for (int i = 0; i < 6; ++i) {
        if (rank == 1) MPI_Recv(NULL, 0, MPI_BYTE, 0, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);  // rank 0 has the lock
        if (rank < 2) {
            MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 2, 0, win);
            put(2, 30, win);
            MPI_Win_flush(2, win);
            if (rank == 0) MPI_Send(NULL, 0, MPI_BYTE, 1, 3, MPI_COMM_WORLD);
            if (rank == 0) work(2500);
            MPI_Win_unlock(2, win);
        }
        MPI_Barrier(MPI_COMM_WORLD);
    }
    MPI_Win_free(&win);
}
static void files(void) {
    char name[64];
    MPI_File file;
    long number = (long)getpid();
    MPI_Bcast(&number, 1, MPI_LONG, 0, MPI_COMM_WORLD);
    snprintf(name, sizeof name, "/tmp/tracefold-known-%ld", number);
    MPI_File_open(MPI_COMM_WORLD, name, MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL, &file);
    for (int i = 0; i < 7; ++i) {
        work(rank == 0 ? 800 : 100);
        ring(20, 3);
        MPI_File_write_at_all(file, 4096 * rank, big, 64, MPI_DOUBLE, MPI_STATUS_IGNORE);
        MPI_File_write_at(file, 4096 * rank + 1024, big, 32, MPI_DOUBLE, MPI_STATUS_IGNORE);
        MPI_File_read_at(file, 4096 * rank, other, 64, MPI_DOUBLE, MPI_STATUS_IGNORE);
    }
    MPI_File_close(&file);
}
static void partitioned(void) {  // calls without records
    MPI_Request all[2];
    MPI_Psend_init(big, 4, 8, MPI_DOUBLE, right(), 0, MPI_COMM_WORLD, MPI_INFO_NULL, &all[0]);
    MPI_Precv_init(other, 4, 8, MPI_DOUBLE, left(), 0, MPI_COMM_WORLD, MPI_INFO_NULL, &all[1]);
    for (int i = 0; i < 9; ++i) {
        sum(2);
        MPI_Startall(2, all);
        for (int k = 0; k < 4; ++k) MPI_Pready(k, all[0]);
        MPI_Waitall(2, all, MPI_STATUSES_IGNORE);
    }
    MPI_Request_free(&all[0]);
    MPI_Request_free(&all[1]);
}
static void between(void) {  // an intercommunicator of the lower and the upper half
    MPI_Comm half, inter;
    const int upper = rank >= size / 2;
    MPI_Comm_split(MPI_COMM_WORLD, upper, rank, &half);
    MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, upper ? 0 : size / 2, 7, &inter);
    for (int i = 0; i < 10; ++i) {
        int own;
        MPI_Comm_rank(half, &own);
        work(100);
        MPI_Sendrecv(big, 11, MPI_DOUBLE, own, 0, other, 11, MPI_DOUBLE, own, 0, inter, MPI_STATUS_IGNORE);
        sum(1);
    }
    MPI_Comm_free(&inter);
    MPI_Comm_free(&half);
}
static void regions(void) {  // a region is the step
    void (*recorder_region)(int) = (void (*)(int))dlsym(RTLD_DEFAULT, "recorder_region");
    for (int i = 0; i < 9; ++i) {
        if (recorder_region) recorder_region(1);
        for (int k = 0; k <= i % 4; ++k) {
            ring(14, 1);
            work(60);
            sum(1);
        }
        if (recorder_region) recorder_region(0);
    }
}
static void transposes(void) {  // along rows and columns; a reduction every 7 steps
    MPI_Comm rows, columns;
    MPI_Comm_split(MPI_COMM_WORLD, rank / 3, rank, &rows);
    MPI_Comm_split(MPI_COMM_WORLD, rank % 3, rank, &columns);
    for (int i = 0; i < 14; ++i) {
        work(rank == 1 ? 600 : 100);
        MPI_Alltoall(big, 8, MPI_DOUBLE, other, 8, MPI_DOUBLE, rows);
        work(80);
        MPI_Alltoall(big, 16, MPI_DOUBLE, other, 16, MPI_DOUBLE, columns);
        if (i % 7 == 6) MPI_Reduce(big, other, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
    }
    MPI_Comm_free(&rows);
    MPI_Comm_free(&columns);
}
static void pipelined(void) {  // the reduction of a step completes in the next one
    MPI_Request one = MPI_REQUEST_NULL;
    for (int i = 0; i < 20; ++i) {
        work(rank == 2 ? 500 : 200);
        MPI_Sendrecv(big, 30, MPI_DOUBLE, right(), 0, other, 30, MPI_DOUBLE, left(), 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Wait(&one, MPI_STATUS_IGNORE);
        MPI_Iallreduce(big, other, 2, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD, &one);
    }
    MPI_Wait(&one, MPI_STATUS_IGNORE);
}
static void tree(void) {  // reduction and broadcast by messages along a binomial tree
    for (int i = 0; i < 12; ++i) {
        int bit = 1;
        work(100 * (1 + rank % 3));
        for (; bit < size && !(rank & bit); bit *= 2) {
            if (rank + bit < size) MPI_Recv(other, 10, MPI_DOUBLE, rank + bit, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        }
        if (bit < size) MPI_Send(big, 10, MPI_DOUBLE, rank - bit, 2, MPI_COMM_WORLD);
        if (bit < size) MPI_Recv(other, 10, MPI_DOUBLE, rank - bit, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        for (bit /= 2; bit > 0; bit /= 2) {
            if (rank + bit < size) MPI_Send(big, 10, MPI_DOUBLE, rank + bit, 3, MPI_COMM_WORLD);
        }
    }
}
static void cycles(void) {  // with a counter; rank 2 computes most
    for (int i = 0; i < 10; ++i) {
        for (volatile int k = 0; k < (rank == 2 ? 60000 : 20000); ++k) continue;
        ring(10, 0);
    }
}

static const struct {
    const char *name;
    int ranks;
    const char *truth; /* steps; phases with +; none */
    void (*run)(void);
} cases[] = {
    {"every5", 4, "20", every5}, {"ends", 4, "12", ends}, {"deep", 2, "36", deep}, {"two_sums", 4, "25", two_sums},
    {"solver", 4, "12", solver}, {"phases", 4, "5+30+10", phases}, {"phases_even", 4, "12+12+12", phases_even},
    {"sweep", 5, "15", sweep}, {"hypercube", 8, "10", hypercube}, {"pingpong", 2, "none", pingpong},
    {"communicators", 4, "14", communicators}, {"in_place", 4, "8", in_place}, {"sparse", 6, "10", sparse},
    {"late_sender", 2, "6", late_sender}, {"wrong_order", 2, "6", wrong_order}, {"probe", 2, "6", probe},
    {"late_receiver", 4, "6", late_receiver}, {"rooted", 4, "7", rooted}, {"poll", 4, "8", poll},
    {"nonblocking", 4, "9", nonblocking}, {"finalize", 4, "5", finalize}, {"grid", 6, "11", grid},
    {"persistent", 4, "10", persistent}, {"master", 4, "none", master},
    {"fences", 4, "8", fences}, {"epochs", 2, "12", epochs}, {"locks", 3, "6", locks}, {"files", 4, "7", files},
    {"partitioned", 4, "9", partitioned}, {"between", 4, "10", between}, {"regions", 4, "9", regions},
    {"cycles", 4, "10", cycles}, {"transposes", 6, "14", transposes}, {"pipelined", 4, "20", pipelined}, {"tree", 6, "12", tree},
};

int main(int argc, char **argv) {
    const size_t count = sizeof cases / sizeof *cases;
    if (argc == 2 && strcmp(argv[1], "--list") == 0) {
        for (size_t i = 0; i < count; ++i) printf("%s %d %s\n", cases[i].name, cases[i].ranks, cases[i].truth);
        return 0;
    }
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (size_t i = 0; argc == 2 && i < count; ++i) {
        if (strcmp(argv[1], cases[i].name) == 0) cases[i].run();
    }
    MPI_Finalize();
    return 0;
}
