// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause

// The profiling layer of MPI-IO.
#include "replay_mpi/proof/observation.hpp"
#include "replay_mpi/proof/watched.hpp"

namespace tracefold::inline replay_mpi {

namespace {

void note_transfer(MpiFunction function, u64 bytes) {
    Observation* const observation = Observation::current();
    if (observation == nullptr) return;
    observation->add_call(function);
    observation->add(
        {ObservedPart::Kind::transfer, MPI_COMM_NULL, MPI_PROC_NULL, 0, bytes, 0, 0, false});
}

}  // namespace

}  // namespace tracefold::inline replay_mpi

namespace tracefold::inline replay_mpi::watched {

#define TRACEFOLD_FILE_CALL(name, arguments, ...) \
    int name(__VA_ARGS__) {                       \
        note_call(MpiFunction::name);             \
        return MPI_##name arguments;              \
    }

TRACEFOLD_FILE_CALL(File_open, (comm, name, mode, info, file), MPI_Comm comm, const char* name,
                    int mode, MPI_Info info, MPI_File* file)
TRACEFOLD_FILE_CALL(File_close, (file), MPI_File* file)
TRACEFOLD_FILE_CALL(File_delete, (name, info), const char* name, MPI_Info info)
TRACEFOLD_FILE_CALL(File_seek, (file, offset, whence), MPI_File file, MPI_Offset offset, int whence)
TRACEFOLD_FILE_CALL(File_seek_shared, (file, offset, whence), MPI_File file, MPI_Offset offset,
                    int whence)
TRACEFOLD_FILE_CALL(File_set_view, (file, begin, item, type, data, info), MPI_File file,
                    MPI_Offset begin, MPI_Datatype item, MPI_Datatype type, const char* data,
                    MPI_Info info)
TRACEFOLD_FILE_CALL(File_sync, (file), MPI_File file)
TRACEFOLD_FILE_CALL(File_set_size, (file, size), MPI_File file, MPI_Offset size)
TRACEFOLD_FILE_CALL(File_preallocate, (file, size), MPI_File file, MPI_Offset size)
TRACEFOLD_FILE_CALL(File_set_atomicity, (file, flag), MPI_File file, int flag)

/// A transfer at the file pointer (`Data` may be const): how it ends is `last`, a status or
/// request.
#define TRACEFOLD_TRANSFER(name, Data, Last)                                      \
    int name(MPI_File file, Data data, int count, MPI_Datatype type, Last last) { \
        note_transfer(MpiFunction::name, bytes_of(count, type));                  \
        return MPI_##name(file, data, count, type, last);                         \
    }
#define TRACEFOLD_TRANSFER_AT(name, Data, Last)                                         \
    int name(MPI_File file, MPI_Offset offset, Data data, int count, MPI_Datatype type, \
             Last last) {                                                               \
        note_transfer(MpiFunction::name, bytes_of(count, type));                        \
        return MPI_##name(file, offset, data, count, type, last);                       \
    }
#define TRACEFOLD_BEGIN(name, Data)                                            \
    int name##_begin(MPI_File file, Data data, int count, MPI_Datatype type) { \
        note_transfer(MpiFunction::name##_begin, bytes_of(count, type));       \
        return MPI_##name##_begin(file, data, count, type);                    \
    }                                                                          \
    int name##_end(MPI_File file, Data data, MPI_Status* status) {             \
        note_call(MpiFunction::name##_end);                                    \
        return MPI_##name##_end(file, data, status);                           \
    }
#define TRACEFOLD_BEGIN_AT(name, Data)                                                            \
    int name##_begin(MPI_File file, MPI_Offset offset, Data data, int count, MPI_Datatype type) { \
        note_transfer(MpiFunction::name##_begin, bytes_of(count, type));                          \
        return MPI_##name##_begin(file, offset, data, count, type);                               \
    }                                                                                             \
    int name##_end(MPI_File file, Data data, MPI_Status* status) {                                \
        note_call(MpiFunction::name##_end);                                                       \
        return MPI_##name##_end(file, data, status);                                              \
    }
#define TRACEFOLD_ALL_TRANSFERS(verb, posting, Data)                   \
    TRACEFOLD_TRANSFER(File_##verb, Data, MPI_Status*)                 \
    TRACEFOLD_TRANSFER(File_##verb##_all, Data, MPI_Status*)           \
    TRACEFOLD_TRANSFER(File_##verb##_shared, Data, MPI_Status*)        \
    TRACEFOLD_TRANSFER(File_##verb##_ordered, Data, MPI_Status*)       \
    TRACEFOLD_TRANSFER_AT(File_##verb##_at, Data, MPI_Status*)         \
    TRACEFOLD_TRANSFER_AT(File_##verb##_at_all, Data, MPI_Status*)     \
    TRACEFOLD_TRANSFER(File_##posting, Data, MPI_Request*)             \
    TRACEFOLD_TRANSFER(File_##posting##_all, Data, MPI_Request*)       \
    TRACEFOLD_TRANSFER(File_##posting##_shared, Data, MPI_Request*)    \
    TRACEFOLD_TRANSFER_AT(File_##posting##_at, Data, MPI_Request*)     \
    TRACEFOLD_TRANSFER_AT(File_##posting##_at_all, Data, MPI_Request*) \
    TRACEFOLD_BEGIN(File_##verb##_all, Data)                           \
    TRACEFOLD_BEGIN(File_##verb##_ordered, Data)                       \
    TRACEFOLD_BEGIN_AT(File_##verb##_at_all, Data)

TRACEFOLD_ALL_TRANSFERS(read, iread, void*)
TRACEFOLD_ALL_TRANSFERS(write, iwrite, const void*)

}  // namespace tracefold::inline replay_mpi::watched
