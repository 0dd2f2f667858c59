// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "comm/communicator.hpp"
#include "core/types.hpp"

#include <cstddef>
#include <string>
#include <vector>

#include <mpi.h>

namespace tracefold::inline comm {

/// A size, then that many bytes in pieces, on their way out.
class MpiSendInFlight final : public MessageInFlight {
  public:
    MpiSendInFlight(MPI_Comm comm, int to, std::size_t piece_bytes, std::string bytes);
    ~MpiSendInFlight() override;

    bool test() override;
    std::string take() override { return std::move(content_->bytes); }

  private:
    /// What MPI reads from; outlives this object if it is given up.
    struct Content {
        u64 size = 0;
        std::string bytes;
    };

    std::unique_ptr<Content> content_;
    std::vector<MPI_Request> requests_;
};

/// The same, on their way in: the pieces are asked for when the size is known.
class MpiReceiveInFlight final : public MessageInFlight {
  public:
    MpiReceiveInFlight(MPI_Comm comm, int from, std::size_t piece_bytes);
    ~MpiReceiveInFlight() override;

    bool test() override;
    std::string take() override { return std::move(bytes_); }

  private:
    void receive_pieces();

    MPI_Comm comm_;
    int from_;
    std::size_t piece_bytes_;
    u64 size_ = 0;
    bool has_size_ = false;
    std::string bytes_;
    std::vector<MPI_Request> requests_;
};

}  // namespace tracefold::inline comm
