/* SPDX-FileCopyrightText: 2026 The tracefold authors
   SPDX-License-Identifier: BSD-3-Clause */
/* Preloaded into a test of what tools see that watch the profiling interface of MPI: counts the
   calls of each function, and appends a line for each function called to the file $MPI_COUNT when
   MPI ends:

       MPI_Send 12

   Functions are named once, without their arguments: each call is handed on as it came, with
   whatever is in registers and on the stack (GCC). */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { most_functions = 256, bytes_of_arguments = 128 };

static struct {
    const char* name;
    long calls;
} functions[most_functions];
static int function_count;

static int number_of(const char* name) {
    functions[function_count].name = name;
    return function_count++;
}

#define COUNT(name)                                                                       \
    int PMPI_##name();                                                                    \
    static int number_of_##name;                                                          \
    __attribute__((constructor)) static void add_##name(void) {                           \
        number_of_##name = number_of("MPI_" #name);                                       \
    }                                                                                     \
    int MPI_##name() {                                                                    \
        void* arguments = __builtin_apply_args();                                         \
        __atomic_add_fetch(&functions[number_of_##name].calls, 1, __ATOMIC_RELAXED);      \
        __builtin_return(                                                                 \
            __builtin_apply((void (*)(void))PMPI_##name, arguments, bytes_of_arguments)); \
    }

COUNT(Accumulate)
COUNT(Allgather)
COUNT(Allgatherv)
COUNT(Allreduce)
COUNT(Alltoall)
COUNT(Alltoallv)
COUNT(Alltoallw)
COUNT(Barrier)
COUNT(Bcast)
COUNT(Bsend)
COUNT(Bsend_init)
COUNT(Buffer_attach)
COUNT(Buffer_detach)
COUNT(Cancel)
COUNT(Cart_create)
COUNT(Cart_sub)
COUNT(Comm_create)
COUNT(Comm_create_group)
COUNT(Comm_disconnect)
COUNT(Comm_dup)
COUNT(Comm_dup_with_info)
COUNT(Comm_free)
COUNT(Comm_group)
COUNT(Comm_idup)
COUNT(Comm_rank)
COUNT(Comm_remote_group)
COUNT(Comm_set_errhandler)
COUNT(Comm_set_name)
COUNT(Comm_size)
COUNT(Comm_split)
COUNT(Comm_split_type)
COUNT(Compare_and_swap)
COUNT(Dist_graph_create)
COUNT(Dist_graph_create_adjacent)
COUNT(Exscan)
COUNT(Fetch_and_op)
COUNT(File_close)
COUNT(File_delete)
COUNT(File_iread)
COUNT(File_iread_all)
COUNT(File_iread_at)
COUNT(File_iread_at_all)
COUNT(File_iread_shared)
COUNT(File_iwrite)
COUNT(File_iwrite_all)
COUNT(File_iwrite_at)
COUNT(File_iwrite_at_all)
COUNT(File_iwrite_shared)
COUNT(File_open)
COUNT(File_preallocate)
COUNT(File_read)
COUNT(File_read_all)
COUNT(File_read_all_begin)
COUNT(File_read_all_end)
COUNT(File_read_at)
COUNT(File_read_at_all)
COUNT(File_read_at_all_begin)
COUNT(File_read_at_all_end)
COUNT(File_read_ordered)
COUNT(File_read_ordered_begin)
COUNT(File_read_ordered_end)
COUNT(File_read_shared)
COUNT(File_seek)
COUNT(File_seek_shared)
COUNT(File_set_atomicity)
COUNT(File_set_size)
COUNT(File_set_view)
COUNT(File_sync)
COUNT(File_write)
COUNT(File_write_all)
COUNT(File_write_all_begin)
COUNT(File_write_all_end)
COUNT(File_write_at)
COUNT(File_write_at_all)
COUNT(File_write_at_all_begin)
COUNT(File_write_at_all_end)
COUNT(File_write_ordered)
COUNT(File_write_ordered_begin)
COUNT(File_write_ordered_end)
COUNT(File_write_shared)
COUNT(Gather)
COUNT(Gatherv)
COUNT(Get)
COUNT(Get_accumulate)
COUNT(Get_address)
COUNT(Get_processor_name)
COUNT(Graph_create)
COUNT(Group_free)
COUNT(Group_incl)
COUNT(Group_translate_ranks)
COUNT(Iallgather)
COUNT(Iallgatherv)
COUNT(Iallreduce)
COUNT(Ialltoall)
COUNT(Ialltoallv)
COUNT(Ialltoallw)
COUNT(Ibarrier)
COUNT(Ibcast)
COUNT(Ibsend)
COUNT(Iexscan)
COUNT(Igather)
COUNT(Igatherv)
COUNT(Improbe)
COUNT(Imrecv)
COUNT(Ineighbor_allgather)
COUNT(Ineighbor_allgatherv)
COUNT(Ineighbor_alltoall)
COUNT(Ineighbor_alltoallv)
COUNT(Ineighbor_alltoallw)
COUNT(Init)
COUNT(Init_thread)
COUNT(Initialized)
COUNT(Intercomm_create)
COUNT(Intercomm_merge)
COUNT(Iprobe)
COUNT(Irecv)
COUNT(Ireduce)
COUNT(Ireduce_scatter)
COUNT(Ireduce_scatter_block)
COUNT(Irsend)
COUNT(Iscan)
COUNT(Iscatter)
COUNT(Iscatterv)
COUNT(Isend)
COUNT(Issend)
COUNT(Mprobe)
COUNT(Mrecv)
COUNT(Neighbor_allgather)
COUNT(Neighbor_allgatherv)
COUNT(Neighbor_alltoall)
COUNT(Neighbor_alltoallv)
COUNT(Neighbor_alltoallw)
COUNT(Probe)
COUNT(Put)
COUNT(Raccumulate)
COUNT(Recv)
COUNT(Recv_init)
COUNT(Reduce)
COUNT(Reduce_scatter)
COUNT(Reduce_scatter_block)
COUNT(Request_free)
COUNT(Request_get_status)
COUNT(Rget)
COUNT(Rget_accumulate)
COUNT(Rput)
COUNT(Rsend)
COUNT(Rsend_init)
COUNT(Scan)
COUNT(Scatter)
COUNT(Scatterv)
COUNT(Send)
COUNT(Send_init)
COUNT(Sendrecv)
COUNT(Sendrecv_replace)
COUNT(Ssend)
COUNT(Ssend_init)
COUNT(Start)
COUNT(Startall)
COUNT(Test)
COUNT(Testall)
COUNT(Testany)
COUNT(Testsome)
COUNT(Topo_test)
COUNT(Type_commit)
COUNT(Type_contiguous)
COUNT(Type_size)
COUNT(Wait)
COUNT(Waitall)
COUNT(Waitany)
COUNT(Waitsome)
COUNT(Win_allocate)
COUNT(Win_allocate_shared)
COUNT(Win_attach)
COUNT(Win_complete)
COUNT(Win_create)
COUNT(Win_create_dynamic)
COUNT(Win_detach)
COUNT(Win_fence)
COUNT(Win_flush)
COUNT(Win_flush_all)
COUNT(Win_flush_local)
COUNT(Win_flush_local_all)
COUNT(Win_free)
COUNT(Win_lock)
COUNT(Win_lock_all)
COUNT(Win_post)
COUNT(Win_shared_query)
COUNT(Win_start)
COUNT(Win_sync)
COUNT(Win_test)
COUNT(Win_unlock)
COUNT(Win_unlock_all)
COUNT(Win_wait)

int PMPI_Finalize(void);

/* A write of its own, so that lines of several processes do not mix. */
static void write_counts(void) {
    static char text[most_functions * 64];
    int length = 0;
    for (int i = 0; i < function_count; ++i) {
        if (functions[i].calls == 0) continue;
        length += snprintf(text + length, sizeof text - (size_t)length, "%s %ld\n",
                           functions[i].name, functions[i].calls);
    }
    const int file = open(getenv("MPI_COUNT"), O_WRONLY | O_CREAT | O_APPEND, 0666);
    if (file < 0 || write(file, text, strlen(text)) != length) abort();
    close(file);
}

int MPI_Finalize(void) {
    write_counts();
    return PMPI_Finalize();
}
