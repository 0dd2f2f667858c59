// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "replay/files/files.hpp"

#include "base/error.hpp"
#include "base/mpi.hpp"
#include "mpi/mpi_call.hpp"
#include "replay/proof/watched.hpp"

#include <algorithm>
#include <fstream>

namespace tracefold {

namespace {

// OTF2_IoAccessMode, OTF2_IoCreationFlag and OTF2_IoSeekOption.
constexpr u64 kReadOnly = 0;
constexpr u64 kWriteOnly = 1;
constexpr u64 kCreate = 1;
constexpr u64 kFromStart = 0;

/// Preallocating more would only fill the disk.
constexpr u64 kMostPreallocated = u64{1} << 20U;

/// Files exist from the start to the end, so the other flags would fail.
int access_mode(const Action& made) {
    int mode = MPI_MODE_RDWR;
    if (made.fields[1] == kReadOnly) mode = MPI_MODE_RDONLY;
    if (made.fields[1] == kWriteOnly) mode = MPI_MODE_WRONLY;
    if ((made.fields[2] & kCreate) != 0 && mode != MPI_MODE_RDONLY) mode |= MPI_MODE_CREATE;
    return mode;
}

bool is_shared(MpiFunction function) { return function == MpiFunction::File_seek_shared; }

}  // namespace

void Files::prepare(const MpiCall& mpi_call, const Amounts& amounts, Buffers& buffers) {
    const auto transfer = read_file_transfer(mpi_call);
    const u64 bytes = transfer ? amounts.scaled(transfer->bytes) : 0;
    open_.expect(mpi_call, bytes);
    buffers.expect_outgoing(bytes);
    buffers.expect_incoming(bytes);
}

void Files::agree(MPI_Comm world, const std::string& scratch) { open_.agree(world, scratch); }

void Files::execute(const MpiCall& mpi_call, Payload payload) {
    switch (mpi_call.function) {
        case MpiFunction::File_open:
            return open(mpi_call);
        case MpiFunction::File_close:
            return close(mpi_call);
        case MpiFunction::File_delete:
            return erase(mpi_call);
        case MpiFunction::File_seek:
        case MpiFunction::File_seek_shared:
            return seek(mpi_call);
        default:
            break;
    }
    if (is_bare_file_call(mpi_call.function)) {
        bare(mpi_call.function);
    } else if (ends_split(mpi_call.function)) {
        end_split(mpi_call);
    } else {
        transfer(mpi_call, payload);
    }
}

/// Null if the handle is not open.
OpenFile* Files::use(u64 handle) {
    OpenFile* const file = open_.find(handle);
    if (file == nullptr || file->handle == MPI_FILE_NULL) return nullptr;
    const std::lock_guard guard(mutex_);
    recent_.use(handle);
    return file;
}

/// The open file that was used last; null if there is none.
OpenFile* Files::recent() {
    const std::lock_guard guard(mutex_);
    return recent_.last() == kNone ? nullptr : open_.find(recent_.last());
}

void Files::open(const MpiCall& mpi_call) {
    const Action* made = find_record(mpi_call, EventType::IoCreateHandle);
    if (made == nullptr) return leave_out();
    OpenFile* const known = open_.find(made->fields[0]);
    if (known == nullptr) {
        throw Error(ErrorKind::corrupt, "file handle {} is not an MPI file", made->fields[0]);
    }
    OpenFile& file = *known;
    file.use.layout.rewind();
    // Still open if its close was left out on all members.
    if (file.handle != MPI_FILE_NULL)
        check_mpi(watched::File_close(&file.handle), "MPI_File_close");
    check_mpi(watched::File_open(communicators_.handle(file.use.comm),
                                 open_.path_of(file.use.file).c_str(), access_mode(*made),
                                 MPI_INFO_NULL, &file.handle),
              "MPI_File_open");
    (void)use(made->fields[0]);
}

void Files::close(const MpiCall& mpi_call) {
    const Action* closed = find_record(mpi_call, EventType::IoDestroyHandle);
    if (closed == nullptr) return leave_out();
    OpenFile* const file = use(closed->fields[0]);
    if (file == nullptr) return leave_out();
    check_mpi(watched::File_close(&file->handle), "MPI_File_close");
    const std::lock_guard guard(mutex_);
    recent_.close(closed->fields[0]);
}

/// The file itself stays for later opens.
void Files::erase(const MpiCall& mpi_call) {
    const Action* gone = find_record(mpi_call, EventType::IoDeleteFile);
    if (gone == nullptr || !open_.has_directory()) return leave_out();
    inferences_.count(Inference::file_delete);
    const std::string path =
        open_.path_of(gone->fields[1]) + "-" + std::to_string(communicators_.table().world_rank());
    (void)std::ofstream(path);
    check_mpi(watched::File_delete(path.c_str(), MPI_INFO_NULL), "MPI_File_delete");
}

/// Recorded with the resulting offset, for all kinds of seeks.
void Files::seek(const MpiCall& mpi_call) {
    const Action* record = find_record(mpi_call, EventType::IoSeek);
    const OpenFile* const file = record == nullptr ? nullptr : use(record->fields[0]);
    if (file == nullptr) return leave_out();
    if (record->fields[2] != kFromStart) inferences_.count(Inference::seek);
    const MPI_Offset place = file->use.layout.place(record->fields[3]);
    if (is_shared(mpi_call.function)) {
        check_mpi(watched::File_seek_shared(file->handle, place, MPI_SEEK_SET),
                  "MPI_File_seek_shared");
    } else {
        check_mpi(watched::File_seek(file->handle, place, MPI_SEEK_SET), "MPI_File_seek");
    }
}

void Files::transfer(const MpiCall& mpi_call, Payload& payload) {
    const auto transfer = read_file_transfer(mpi_call);
    OpenFile* const file = transfer ? use(transfer->handle) : nullptr;
    if (file == nullptr) return leave_out();
    const Amount amount = payload.amounts.of(transfer->bytes);
    const FileCall call = {file->handle, file->use.layout.place(transfer->offset), amount,
                           payload.buffers.outgoing(amount.bytes),
                           payload.buffers.incoming(amount.bytes)};
    file->split = call;
    MPI_Request request = MPI_REQUEST_NULL;
    issue_file_call(mpi_call.function, call, &request);
    if (request != MPI_REQUEST_NULL) payload.requests.put(transfer->request, request);
}

void Files::end_split(const MpiCall& mpi_call) {
    const Action* done = find_record(mpi_call, EventType::IoOperationComplete);
    const OpenFile* const file = done == nullptr ? nullptr : use(done->fields[0]);
    if (file == nullptr) return leave_out();
    issue_file_call(mpi_call.function, file->split, nullptr);
}

void Files::bare(MpiFunction function) {
    OpenFile* file = recent();
    if (file == nullptr || !file->use.bare) return leave_out();
    inferences_.count(Inference::file_guessed);
    const auto size = static_cast<MPI_Offset>(file->use.size);
    const MPI_Offset some = std::min<MPI_Offset>(size, kMostPreallocated);
    switch (function) {
        case MpiFunction::File_set_view:
            return set_view(*file);
        case MpiFunction::File_set_size:
            return check_mpi(watched::File_set_size(file->handle, size), "MPI_File_set_size");
        case MpiFunction::File_preallocate:
            return check_mpi(watched::File_preallocate(file->handle, some), "MPI_File_preallocate");
        case MpiFunction::File_sync:
            return check_mpi(watched::File_sync(file->handle), "MPI_File_sync");
        default:
            return check_mpi(watched::File_set_atomicity(file->handle, 0),
                             "MPI_File_set_atomicity");
    }
}

void Files::set_view(OpenFile& file) {
    inferences_.count(Inference::file_view);
    file.use.layout.begin_view();
    check_mpi(watched::File_set_view(file.handle, file.use.layout.part(file.use.rank), MPI_BYTE,
                                     MPI_BYTE, "native", MPI_INFO_NULL),
              "MPI_File_set_view");
}

void Files::reset() {
    open_.close_all();
    recent_.clear();
}

}  // namespace tracefold
