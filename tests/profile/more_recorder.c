/* SPDX-FileCopyrightText: 2026 The tracefold authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * The recorder RECORDER (the name of its source, with quotes) with more: windows and files on MPI_COMM_WORLD in the conventions of
 * Score-P, the region "timestep" of programs that call recorder_region(), and, if RECORDER_CYCLES is set, a counter of cycles (the
 * processor's time stamp counter) at each begin and end of a call.
 */
#define _GNU_SOURCE
#include <mpi.h>
#include <otf2/otf2.h>
#include <stdint.h>
#include <stdlib.h>

static void read_cycles(OTF2_EvtWriter *writer, uint64_t time);
static void define_more(void);

static OTF2_ErrorCode enter_counted(OTF2_EvtWriter *writer, OTF2_AttributeList *list, uint64_t time, uint32_t region) {
    read_cycles(writer, time);
    return OTF2_EvtWriter_Enter(writer, list, time, region);
}
static OTF2_ErrorCode leave_counted(OTF2_EvtWriter *writer, OTF2_AttributeList *list, uint64_t time, uint32_t region) {
    read_cycles(writer, time);
    return OTF2_EvtWriter_Leave(writer, list, time, region);
}
static OTF2_ErrorCode close_definitions(OTF2_Archive *archive, OTF2_GlobalDefWriter *writer) {
    define_more();
    return OTF2_Archive_CloseGlobalDefWriter(archive, writer);
}
#define OTF2_EvtWriter_Enter enter_counted
#define OTF2_EvtWriter_Leave leave_counted
#define OTF2_Archive_CloseGlobalDefWriter close_definitions
#include RECORDER
#undef OTF2_EvtWriter_Enter
#undef OTF2_EvtWriter_Leave
#undef OTF2_Archive_CloseGlobalDefWriter

#define MORE(X)                                                                                                                  \
    X(Win_create, RMA) X(Win_free, RMA) X(Win_fence, RMA) X(Win_post, RMA) X(Win_start, RMA) X(Win_complete, RMA) X(Win_wait, RMA) \
    X(Win_lock, RMA) X(Win_unlock, RMA) X(Win_flush, RMA) X(Put, RMA) X(File_open, FILE_IO) X(File_close, FILE_IO)                  \
    X(File_write_at, FILE_IO) X(File_write_at_all, FILE_IO) X(File_read_at, FILE_IO)
#define MORE_ID(name, role) M_##name,
enum { M_BEFORE = REGION_COUNT - 1, MORE(MORE_ID) M_TIMESTEP };

enum { FIRST_GROUP = 1000, MOST = 64 }; /* group FIRST_GROUP + r: rank r alone */
static MPI_Win windows[MOST];
static MPI_File files[MOST];
static uint32_t window_count, file_count;
static uint64_t matching;
static uint64_t pending[MOST][4096]; /* accesses without completion, by window */
static uint32_t pending_count[MOST];

static void read_cycles(OTF2_EvtWriter *writer, uint64_t time) {
    static int wanted = -1;
    if (wanted < 0) wanted = getenv("RECORDER_CYCLES") != NULL;
    if (!wanted) return;
#ifdef __x86_64__
    OTF2_Type type = OTF2_TYPE_UINT64;
    OTF2_MetricValue value = {.unsigned_int = __builtin_ia32_rdtsc()};
    OTF2_EvtWriter_Metric(writer, NULL, time, 0, 1, &type, &value);
#endif
}

/* Numbers of the windows and files, the same on all ranks: all are made by all ranks, in one order. */
static void define_more(void) {
#define WRITE_MORE(function, role)                                                                                               \
    {                                                                                                                            \
        OTF2_StringRef name = write_string("MPI_" #function);                                                                    \
        OTF2_GlobalDefWriter_WriteRegion(defs, M_##function, name, name, S_EMPTY, OTF2_REGION_ROLE_##role, OTF2_PARADIGM_MPI,       \
                                         OTF2_REGION_FLAG_NONE, S_MPI, 0, 0);                                                      \
    }
    MORE(WRITE_MORE)
    OTF2_StringRef step = write_string("timestep");
    OTF2_GlobalDefWriter_WriteRegion(defs, M_TIMESTEP, step, step, S_EMPTY, OTF2_REGION_ROLE_FUNCTION, OTF2_PARADIGM_USER,
                                     OTF2_REGION_FLAG_NONE, S_EMPTY, 0, 0);
    for (int i = 0; i < world_size; ++i) {
        uint64_t member = (uint64_t)i;
        OTF2_GlobalDefWriter_WriteGroup(defs, (OTF2_GroupRef)(FIRST_GROUP + i), S_EMPTY, OTF2_GROUP_TYPE_COMM_GROUP, OTF2_PARADIGM_MPI,
                                        OTF2_GROUP_FLAG_NONE, 1, &member);
    }
    for (uint32_t w = 0; w < window_count; ++w)
        OTF2_GlobalDefWriter_WriteRmaWin(defs, w, write_string("window"), 0, OTF2_RMA_WIN_FLAG_CREATE_DESTROY_EVENTS);
    OTF2_StringRef io = write_string("MPI-IO");
    OTF2_GlobalDefWriter_WriteIoParadigm(defs, 0, io, io, OTF2_IO_PARADIGM_CLASS_PARALLEL, OTF2_IO_PARADIGM_FLAG_NONE, 0, NULL, NULL, NULL);
    for (uint32_t f = 0; f < file_count; ++f) {
        OTF2_GlobalDefWriter_WriteIoRegularFile(defs, f, write_string("/data/file"), OTF2_UNDEFINED_SYSTEM_TREE_NODE);
        OTF2_GlobalDefWriter_WriteIoHandle(defs, f, S_EMPTY, f, 0, OTF2_IO_HANDLE_FLAG_NONE, 0, OTF2_UNDEFINED_IO_HANDLE);
    }
    OTF2_StringRef cycles = write_string("cycles");
    OTF2_MetricMemberRef member = 0;
    OTF2_GlobalDefWriter_WriteMetricMember(defs, 0, cycles, S_EMPTY, OTF2_METRIC_TYPE_OTHER, OTF2_METRIC_ACCUMULATED_START,
                                           OTF2_TYPE_UINT64, OTF2_BASE_DECIMAL, 0, S_EMPTY);
    OTF2_GlobalDefWriter_WriteMetricClass(defs, 0, 1, &member, OTF2_METRIC_SYNCHRONOUS_STRICT, OTF2_RECORDER_KIND_CPU);
}

void recorder_region(int enters) {
    if (!events) return;
    if (enters) enter_counted(events, NULL, now(), M_TIMESTEP);
    else leave_counted(events, NULL, now(), M_TIMESTEP);
}

/* ---- Windows ---- */

static uint32_t window_of(MPI_Win win) {
    for (uint32_t w = window_count; w-- > 0;)
        if (windows[w] == win) return w;
    PMPI_Abort(MPI_COMM_WORLD, 1);
    return 0;
}
static void end_accesses(uint32_t w, int remote) {
    for (uint32_t i = 0; i < pending_count[w]; ++i) {
        OTF2_EvtWriter_RmaOpCompleteNonBlocking(events, NULL, now(), w, pending[w][i]);
        if (remote) OTF2_EvtWriter_RmaOpCompleteRemote(events, NULL, now(), w, pending[w][i]);
    }
    pending_count[w] = 0;
}
static void end_collective(OTF2_CollectiveOp op, uint32_t w) {
    OTF2_EvtWriter_RmaCollectiveEnd(events, NULL, now(), op, OTF2_RMA_SYNC_LEVEL_PROCESS, w, OTF2_COLLECTIVE_ROOT_NONE, 0, 0);
}
int MPI_Win_create(void *base, MPI_Aint size, int unit, MPI_Info info, MPI_Comm comm, MPI_Win *win) {
    if (!enter(M_Win_create)) return PMPI_Win_create(base, size, unit, info, comm, win);
    OTF2_EvtWriter_RmaCollectiveBegin(events, NULL, now());
    int result = PMPI_Win_create(base, size, unit, info, comm, win);
    windows[window_count] = *win;
    OTF2_EvtWriter_RmaWinCreate(events, NULL, now(), window_count);
    end_collective(OTF2_COLLECTIVE_OP_CREATE_HANDLE, window_count++);
    leave(M_Win_create);
    return result;
}
int MPI_Win_free(MPI_Win *win) {
    if (!enter(M_Win_free)) return PMPI_Win_free(win);
    uint32_t w = window_of(*win);
    OTF2_EvtWriter_RmaCollectiveBegin(events, NULL, now());
    int result = PMPI_Win_free(win);
    windows[w] = MPI_WIN_NULL;
    OTF2_EvtWriter_RmaWinDestroy(events, NULL, now(), w);
    end_collective(OTF2_COLLECTIVE_OP_DESTROY_HANDLE, w);
    leave(M_Win_free);
    return result;
}
int MPI_Win_fence(int hints, MPI_Win win) {
    if (!enter(M_Win_fence)) return PMPI_Win_fence(hints, win);
    OTF2_EvtWriter_RmaCollectiveBegin(events, NULL, now());
    int result = PMPI_Win_fence(hints, win);
    end_accesses(window_of(win), 0);
    end_collective(OTF2_COLLECTIVE_OP_BARRIER, window_of(win));
    leave(M_Win_fence);
    return result;
}
/* The programs have groups of one rank. */
static OTF2_GroupRef group_of(MPI_Group group) {
    int first = 0, member = 0;
    MPI_Group world;
    PMPI_Comm_group(MPI_COMM_WORLD, &world);
    PMPI_Group_translate_ranks(group, 1, &first, world, &member);
    PMPI_Group_free(&world);
    return (OTF2_GroupRef)(FIRST_GROUP + member);
}
static OTF2_GroupRef exposed_to, accessed;
static void sync_group(MPI_Win win, OTF2_GroupRef group) {
    OTF2_EvtWriter_RmaGroupSync(events, NULL, last_time, OTF2_RMA_SYNC_LEVEL_PROCESS, window_of(win), group);
}
#define GROUP_CALL(function, of)                                                                                                   \
    int MPI_##function(MPI_Group group, int hints, MPI_Win win) {                                                                  \
        if (!enter(M_##function)) return PMPI_##function(group, hints, win);                                                       \
        sync_group(win, of = group_of(group));                                                                                              \
        int result = PMPI_##function(group, hints, win);                                                                         \
        leave(M_##function);                                                                                                     \
        return result;                                                                                                           \
    }
GROUP_CALL(Win_post, exposed_to)
GROUP_CALL(Win_start, accessed)
#define END_CALL(function, of)                                                                                                     \
    int MPI_##function(MPI_Win win) {                                                                                              \
        if (!enter(M_##function)) return PMPI_##function(win);                                                                     \
        int result = PMPI_##function(win);                                                                                       \
        now();                                                                                                                   \
        end_accesses(window_of(win), 0);                                                                                         \
        sync_group(win, of);                                                                                                     \
        leave(M_##function);                                                                                                     \
        return result;                                                                                                           \
    }
END_CALL(Win_complete, accessed)
END_CALL(Win_wait, exposed_to)
int MPI_Win_lock(int type, int rank, int hints, MPI_Win win) {
    if (!enter(M_Win_lock)) return PMPI_Win_lock(type, rank, hints, win);
    OTF2_EvtWriter_RmaRequestLock(events, NULL, last_time, window_of(win), (uint32_t)rank, 0,
                                  type == MPI_LOCK_EXCLUSIVE ? OTF2_LOCK_EXCLUSIVE : OTF2_LOCK_SHARED);
    int result = PMPI_Win_lock(type, rank, hints, win);
    leave(M_Win_lock);
    return result;
}
int MPI_Win_unlock(int rank, MPI_Win win) {
    if (!enter(M_Win_unlock)) return PMPI_Win_unlock(rank, win);
    int result = PMPI_Win_unlock(rank, win);
    end_accesses(window_of(win), 1);
    OTF2_EvtWriter_RmaReleaseLock(events, NULL, now(), window_of(win), (uint32_t)rank, 0);
    leave(M_Win_unlock);
    return result;
}
int MPI_Win_flush(int rank, MPI_Win win) {
    if (!enter(M_Win_flush)) return PMPI_Win_flush(rank, win);
    int result = PMPI_Win_flush(rank, win);
    end_accesses(window_of(win), 1);
    leave(M_Win_flush);
    return result;
}
int MPI_Put(const void *from, int count, MPI_Datatype type, int rank, MPI_Aint at, int to_count, MPI_Datatype to_type, MPI_Win win) {
    if (!enter(M_Put)) return PMPI_Put(from, count, type, rank, at, to_count, to_type, win);
    int size = 0;
    uint32_t w = window_of(win);
    PMPI_Type_size(type, &size);
    OTF2_EvtWriter_RmaPut(events, NULL, now(), w, (uint32_t)rank, (uint64_t)size * (uint64_t)count, ++matching);
    pending[w][pending_count[w]++] = matching;
    int result = PMPI_Put(from, count, type, rank, at, to_count, to_type, win);
    leave(M_Put);
    return result;
}

/* ---- Files ---- */

int MPI_File_open(MPI_Comm comm, const char *name, int mode, MPI_Info info, MPI_File *file) {
    if (!enter(M_File_open)) return PMPI_File_open(comm, name, mode, info, file);
    int result = PMPI_File_open(comm, name, mode, info, file);
    files[file_count] = *file;
    OTF2_EvtWriter_IoCreateHandle(events, NULL, now(), file_count++, OTF2_IO_ACCESS_MODE_READ_WRITE, OTF2_IO_CREATION_FLAG_CREATE,
                                  OTF2_IO_STATUS_FLAG_NONE);
    leave(M_File_open);
    return result;
}
static uint32_t file_of(MPI_File file) {
    uint32_t f = file_count;
    while (f-- > 0 && files[f] != file) continue;
    return f;
}
int MPI_File_close(MPI_File *file) {
    if (!enter(M_File_close)) return PMPI_File_close(file);
    uint32_t f = file_of(*file);
    int result = PMPI_File_close(file);
    OTF2_EvtWriter_IoDestroyHandle(events, NULL, now(), f);
    leave(M_File_close);
    return result;
}
#define FILE_CALL(function, io, flag, constness)                                                                                   \
    int MPI_##function(MPI_File file, MPI_Offset at, constness void *data, int count, MPI_Datatype type, MPI_Status *status) {      \
        if (!enter(M_##function)) return PMPI_##function(file, at, data, count, type, status);                                     \
        int size = 0;                                                                                                            \
        PMPI_Type_size(type, &size);                                                                                             \
        uint64_t bytes = (uint64_t)size * (uint64_t)count, id = ++matching;                                                        \
        OTF2_EvtWriter_IoOperationBegin(events, NULL, now(), file_of(file), OTF2_IO_OPERATION_MODE_##io,                             \
                                        OTF2_IO_OPERATION_FLAG_##flag, bytes, id);                                                 \
        int result = PMPI_##function(file, at, data, count, type, status);                                                       \
        OTF2_EvtWriter_IoOperationComplete(events, NULL, now(), file_of(file), bytes, id);                                          \
        leave(M_##function);                                                                                                     \
        return result;                                                                                                           \
    }
FILE_CALL(File_write_at, WRITE, NONE, const)
FILE_CALL(File_write_at_all, WRITE, COLLECTIVE, const)
FILE_CALL(File_read_at, READ, NONE, )
