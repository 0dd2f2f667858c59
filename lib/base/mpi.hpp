// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "base/communicator.hpp"

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tracefold {

/// Initialises MPI in the constructor and finalises it in the destructor; does neither if the
/// program has initialised MPI itself. MPI may be called from the thread that made the session, or
/// with `any_thread` from all threads concurrently. Throws Error(io) if MPI cannot be initialised
/// or was finalised before, Error(unsupported) if it does not provide the thread level.
class MpiSession {
  public:
    /// `argc` and `argv` may be null.
    MpiSession(int* argc, char*** argv, bool any_thread = false);
    MpiSession(const MpiSession&) = delete;
    MpiSession& operator=(const MpiSession&) = delete;
    ~MpiSession();

  private:
    bool owner_;
};

/// All processes of an MPI program, on a duplicated communicator named "tracefold". All calls are
/// PMPI_ functions: profiling tools do not record them. Creation and destruction are collective.
/// Every failing MPI call throws Error(io) with the message of the MPI library.
class MpiCommunicator final : public Communicator {
  public:
    static constexpr std::size_t kDefaultPieceBytes = std::size_t{1} << 30U;

    /// Holds the session. Messages are split into pieces of at most `piece_bytes` bytes, since MPI
    /// counts with an int; the same number on every process, from 1 to 2^31 - 1.
    explicit MpiCommunicator(std::shared_ptr<MpiSession> session,
                             std::size_t piece_bytes = kDefaultPieceBytes);
    /// A part of all processes: this one has `rank` in it. Null if that is nullopt. Collective over
    /// all processes.
    static std::unique_ptr<MpiCommunicator> part(std::shared_ptr<MpiSession> session,
                                                 std::optional<u32> rank);
    ~MpiCommunicator() override;

    [[nodiscard]] int rank() const override;
    [[nodiscard]] int size() const override;
    void send(int to, std::string_view bytes) override;
    std::string receive(int from) override;
    std::unique_ptr<MessageInFlight> start_send(int to, std::string bytes) override;
    std::unique_ptr<MessageInFlight> start_receive(int from) override;
    void barrier() override;
    std::string broadcast(std::string bytes, int root) override;
    std::vector<std::string> gather(std::string_view bytes, int root) override;
    std::vector<u64> all_gather(u64 value) override;

    void abort(int code) override;

  private:
    struct Handle;

    MpiCommunicator(std::shared_ptr<MpiSession> session, std::unique_ptr<Handle> handle);

    std::shared_ptr<MpiSession> session_;
    std::unique_ptr<Handle> handle_;
};

/// Throws Error(io) with the message of the MPI library: "MPI_Send failed: ...".
[[noreturn]] void throw_mpi_error(int result, const char* call);

/// Checks the result of an MPI call; throws as throw_mpi_error().
inline void check_mpi(int result, const char* call) {
    if (result != 0) [[unlikely]]
        throw_mpi_error(result, call);
}

}  // namespace tracefold
