// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "base/mpi.hpp"

#include "base/error.hpp"

#include <algorithm>
#include <utility>

#include <mpi.h>

namespace tracefold {

namespace {

constexpr int kTag = 0;
/// Differs from the tag of send() and receive().
constexpr int kTagInFlight = 1;

bool is_initialised() {
    int initialised = 0;
    check_mpi(PMPI_Initialized(&initialised), "MPI_Initialized");
    return initialised != 0;
}

// Calls transfer(offset, count) for successive pieces of `size` bytes.
template <class Transfer>
void in_pieces(std::size_t size, std::size_t piece_bytes, const Transfer& transfer) {
    for (std::size_t offset = 0; offset < size; offset += piece_bytes) {
        transfer(offset, static_cast<int>(std::min(piece_bytes, size - offset)));
    }
}

bool all_done(std::vector<MPI_Request>& requests) {
    int done = 0;
    check_mpi(PMPI_Testall(static_cast<int>(requests.size()), requests.data(), &done,
                           MPI_STATUSES_IGNORE),
              "MPI_Testall");
    return done != 0;
}

/// A nonblocking send of a size, then of that many bytes in pieces.
class MpiSendInFlight final : public MessageInFlight {
  public:
    MpiSendInFlight(MPI_Comm comm, int to, std::size_t piece_bytes, std::string bytes)
        : content_(std::make_unique<Content>()) {
        content_->size = bytes.size();
        content_->bytes = std::move(bytes);
        const auto start = [&](const void* from, int count, MPI_Datatype type) {
            requests_.push_back(MPI_REQUEST_NULL);
            check_mpi(PMPI_Isend(from, count, type, to, kTagInFlight, comm, &requests_.back()),
                      "MPI_Isend");
        };
        start(&content_->size, 1, MPI_UINT64_T);
        in_pieces(content_->bytes.size(), piece_bytes, [&](std::size_t offset, int count) {
            start(content_->bytes.data() + offset, count, MPI_BYTE);
        });
    }
    ~MpiSendInFlight() override {
        bool given_up = false;
        for (MPI_Request& request : requests_) {
            if (request == MPI_REQUEST_NULL) continue;
            PMPI_Request_free(&request);
            given_up = true;
        }
        // MPI may still read it.
        if (given_up) static_cast<void>(content_.release());
    }

    bool test() override { return all_done(requests_); }
    std::string take() override { return std::move(content_->bytes); }

  private:
    /// The buffers MPI reads from; they outlive this object if it is abandoned.
    struct Content {
        u64 size = 0;
        std::string bytes;
    };

    std::unique_ptr<Content> content_;
    std::vector<MPI_Request> requests_;
};

/// A nonblocking receive; the pieces are requested once the size is known.
class MpiReceiveInFlight final : public MessageInFlight {
  public:
    MpiReceiveInFlight(MPI_Comm comm, int from, std::size_t piece_bytes)
        : comm_(comm), from_(from), piece_bytes_(piece_bytes) {
        start(&size_, 1, MPI_UINT64_T);
    }
    ~MpiReceiveInFlight() override {
        for (MPI_Request& request : requests_) {
            if (request == MPI_REQUEST_NULL) continue;
            PMPI_Cancel(&request);
            PMPI_Wait(&request, MPI_STATUS_IGNORE);
        }
    }

    bool test() override {
        if (!all_done(requests_)) return false;
        if (has_size_) return true;
        has_size_ = true;
        receive_pieces();
        return all_done(requests_);
    }
    std::string take() override { return std::move(bytes_); }

  private:
    void receive_pieces() {
        bytes_.resize(static_cast<std::size_t>(size_));
        requests_.clear();
        in_pieces(bytes_.size(), piece_bytes_, [this](std::size_t offset, int count) {
            start(bytes_.data() + offset, count, MPI_BYTE);
        });
    }
    void start(void* to, int count, MPI_Datatype type) {
        requests_.push_back(MPI_REQUEST_NULL);
        check_mpi(PMPI_Irecv(to, count, type, from_, kTagInFlight, comm_, &requests_.back()),
                  "MPI_Irecv");
    }

    MPI_Comm comm_;
    int from_;
    std::size_t piece_bytes_;
    u64 size_ = 0;
    bool has_size_ = false;
    std::string bytes_;
    std::vector<MPI_Request> requests_;
};

}  // namespace

MpiSession::MpiSession(int* argc, char*** argv, bool any_thread) : owner_(!is_initialised()) {
    int finalised = 0;
    check_mpi(PMPI_Finalized(&finalised), "MPI_Finalized");
    if (finalised != 0) {
        throw Error(ErrorKind::io, "MPI cannot be used again after it has been finalised");
    }
    if (owner_) {
        int provided = 0;
        check_mpi(
            MPI_Init_thread(argc, argv, any_thread ? MPI_THREAD_MULTIPLE : MPI_THREAD_FUNNELED,
                            &provided),
            "MPI_Init_thread");
    }
    int level = 0;
    check_mpi(PMPI_Query_thread(&level), "MPI_Query_thread");
    if (any_thread && level != MPI_THREAD_MULTIPLE) {
        throw Error(ErrorKind::unsupported,
                    "this MPI library does not let several threads call it at once "
                    "(MPI_THREAD_MULTIPLE)");
    }
}

MpiSession::~MpiSession() {
    if (owner_) {
        MPI_Finalize();
    }
}

struct MpiCommunicator::Handle {
    MPI_Comm comm = MPI_COMM_NULL;
    int rank = 0;
    int size = 1;
    std::size_t piece_bytes = 0;

    explicit Handle(std::size_t piece) : piece_bytes(piece) {
        check_mpi(PMPI_Comm_dup(MPI_COMM_WORLD, &comm), "MPI_Comm_dup");
        set_up();
    }
    /// Owns the communicator.
    explicit Handle(MPI_Comm part) : comm(part), piece_bytes(kDefaultPieceBytes) { set_up(); }
    Handle(const Handle&) = delete;
    Handle& operator=(const Handle&) = delete;
    ~Handle() { PMPI_Comm_free(&comm); }

    void set_up() {
        check_mpi(PMPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN), "MPI_Comm_set_errhandler");
        check_mpi(PMPI_Comm_set_name(comm, "tracefold"), "MPI_Comm_set_name");
        check_mpi(PMPI_Comm_rank(comm, &rank), "MPI_Comm_rank");
        check_mpi(PMPI_Comm_size(comm, &size), "MPI_Comm_size");
    }

    // A send to oneself may or may not block, depending on the size.
    void check_partner(int partner) const {
        if (partner < 0 || partner >= size || partner == rank) {
            throw Error(ErrorKind::internal, "process {} of {} cannot communicate with process {}",
                        rank, size, partner);
        }
    }
};

MpiCommunicator::MpiCommunicator(std::shared_ptr<MpiSession> session, std::size_t piece_bytes)
    : session_(std::move(session)), handle_(std::make_unique<Handle>(piece_bytes)) {}

MpiCommunicator::MpiCommunicator(std::shared_ptr<MpiSession> session,
                                 std::unique_ptr<Handle> handle)
    : session_(std::move(session)), handle_(std::move(handle)) {}

std::unique_ptr<MpiCommunicator> MpiCommunicator::part(std::shared_ptr<MpiSession> session,
                                                       std::optional<u32> rank) {
    MPI_Comm comm = MPI_COMM_NULL;
    check_mpi(PMPI_Comm_split(MPI_COMM_WORLD, rank ? 0 : MPI_UNDEFINED,
                              static_cast<int>(rank.value_or(0)), &comm),
              "MPI_Comm_split");
    if (comm == MPI_COMM_NULL) return nullptr;
    return std::unique_ptr<MpiCommunicator>(
        new MpiCommunicator(std::move(session), std::make_unique<Handle>(comm)));
}

MpiCommunicator::~MpiCommunicator() = default;

int MpiCommunicator::rank() const { return handle_->rank; }

int MpiCommunicator::size() const { return handle_->size; }

void MpiCommunicator::send(int to, std::string_view bytes) {
    handle_->check_partner(to);
    const u64 size = bytes.size();
    check_mpi(PMPI_Send(&size, 1, MPI_UINT64_T, to, kTag, handle_->comm), "MPI_Send");
    in_pieces(bytes.size(), handle_->piece_bytes, [&](std::size_t offset, int count) {
        check_mpi(PMPI_Send(bytes.data() + offset, count, MPI_BYTE, to, kTag, handle_->comm),
                  "MPI_Send");
    });
}

std::string MpiCommunicator::receive(int from) {
    handle_->check_partner(from);
    u64 size = 0;
    check_mpi(PMPI_Recv(&size, 1, MPI_UINT64_T, from, kTag, handle_->comm, MPI_STATUS_IGNORE),
              "MPI_Recv");
    std::string bytes(static_cast<std::size_t>(size), '\0');
    in_pieces(bytes.size(), handle_->piece_bytes, [&](std::size_t offset, int count) {
        check_mpi(PMPI_Recv(bytes.data() + offset, count, MPI_BYTE, from, kTag, handle_->comm,
                            MPI_STATUS_IGNORE),
                  "MPI_Recv");
    });
    return bytes;
}

std::unique_ptr<MessageInFlight> MpiCommunicator::start_send(int to, std::string bytes) {
    handle_->check_partner(to);
    return std::make_unique<MpiSendInFlight>(handle_->comm, to, handle_->piece_bytes,
                                             std::move(bytes));
}

std::unique_ptr<MessageInFlight> MpiCommunicator::start_receive(int from) {
    handle_->check_partner(from);
    return std::make_unique<MpiReceiveInFlight>(handle_->comm, from, handle_->piece_bytes);
}

void MpiCommunicator::barrier() { check_mpi(PMPI_Barrier(handle_->comm), "MPI_Barrier"); }

std::string MpiCommunicator::broadcast(std::string bytes, int root) {
    u64 size = bytes.size();
    check_mpi(PMPI_Bcast(&size, 1, MPI_UINT64_T, root, handle_->comm), "MPI_Bcast");
    bytes.resize(static_cast<std::size_t>(size));
    in_pieces(bytes.size(), handle_->piece_bytes, [&](std::size_t offset, int count) {
        check_mpi(PMPI_Bcast(bytes.data() + offset, count, MPI_BYTE, root, handle_->comm),
                  "MPI_Bcast");
    });
    return bytes;
}

// Messages instead of MPI_Gatherv, whose counts and offsets end at 2^31.
std::vector<std::string> MpiCommunicator::gather(std::string_view bytes, int root) {
    if (rank() != root) {
        send(root, bytes);
        return {};
    }
    std::vector<std::string> all;
    all.reserve(static_cast<std::size_t>(size()));
    for (int from = 0; from < size(); ++from) {
        all.push_back(from == root ? std::string(bytes) : receive(from));
    }
    return all;
}

std::vector<u64> MpiCommunicator::all_gather(u64 value) {
    std::vector<u64> all(static_cast<std::size_t>(size()));
    check_mpi(PMPI_Allgather(&value, 1, MPI_UINT64_T, all.data(), 1, MPI_UINT64_T, handle_->comm),
              "MPI_Allgather");
    return all;
}

void MpiCommunicator::abort(int code) { MPI_Abort(handle_->comm, code); }

static_assert(MPI_SUCCESS == 0);

void throw_mpi_error(int result, const char* call) {
    char text[MPI_MAX_ERROR_STRING] = {};
    int length = 0;
    MPI_Error_string(result, text, &length);
    throw Error(ErrorKind::io, "{} failed: {}", call,
                std::string(text, static_cast<std::size_t>(length)));
}

}  // namespace tracefold
