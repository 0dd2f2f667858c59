// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "generated_stencil.hpp"

#include "model/event_table.hpp"

#include <initializer_list>
#include <string>

namespace tracefold {

namespace {

constexpr u64 kEdge = 16;  ///< numbers along an edge of a halo
constexpr u64 kTag = 0;
constexpr u64 kNoRoot = 0xFFFFFFFF;
constexpr u64 kBarrier = 0;
constexpr u64 kCreateHandle = 17;
constexpr u64 kDestroyHandle = 18;
constexpr u8 kUint64 = 4;
constexpr u64 kFirstProcessId = 4000;
constexpr u64 kStart = 1'000'000'000;
constexpr u64 kTicks = 100;
constexpr u64 kEventsAround = 26;  ///< besides the steps

/// The largest divisor of `number` that is not above its `root`-th root.
u64 divisor_near_root(u64 number, unsigned root) {
    u64 best = 1;
    for (u64 i = 1; (root == 3 ? i * i * i : i * i) <= number; ++i) {
        if (number % i == 0) best = i;
    }
    return best;
}

/// Records of one rank, given to the writer in pieces.
class Recorder {
  public:
    Recorder(ArchiveWriter& writer, const GeneratedDefinitions& definitions, u64 rank)
        : writer_(writer), definitions_(definitions), rank_(rank) {}

    void event(EventType type, std::initializer_list<u64> values, bool same_time = false) {
        if (!same_time) time_ += kTicks;
        batch_.begin(static_cast<u8>(type), time_);
        for (const u64 value : values) batch_.push(value);
    }
    void enter(const std::string& name) {
        region_ = definitions_.region(name);
        event(EventType::Enter, {region_});
    }
    void leave() { event(EventType::Leave, {region_}); }
    void collective(const std::string& name, u64 operation) {
        enter(name);
        event(EventType::MpiCollectiveBegin, {}, true);
        if (operation == kCreateHandle) communicators(EventType::CommCreate);
        if (operation == kDestroyHandle) communicators(EventType::CommDestroy);
        event(EventType::MpiCollectiveEnd,
              {operation, GeneratedDefinitions::kWorld, kNoRoot, 0, 0});
        leave();
    }
    void program_begin() {
        time_ += kTicks;
        batch_.begin(static_cast<u8>(EventType::ProgramBegin), time_);
        const std::vector<u64>& command = definitions_.command();
        batch_.push(command[0]);
        batch_.push(command.size() - 1);
        for (std::size_t i = 1; i < command.size(); ++i) batch_.push(command[i]);
        batch_.push_attribute({static_cast<u32>(GeneratedDefinitions::kProcessId), kUint64,
                               kFirstProcessId + rank_});
    }
    void flush() {
        writer_.write_events(rank_, batch_);
        batch_.clear();
    }

  private:
    void communicators(EventType type) {
        event(type, {GeneratedDefinitions::kWorld});
        event(type, {GeneratedDefinitions::kSelf});
    }

    ArchiveWriter& writer_;
    const GeneratedDefinitions& definitions_;
    u64 rank_;
    u64 region_ = 0;
    u64 time_ = kStart;
    RecordBatch batch_;
};

}  // namespace

GeneratedStencil::GeneratedStencil(u64 ranks, unsigned dimensions, bool periodic)
    : dimensions_(dimensions), periodic_(periodic) {
    for (unsigned left = dimensions; left > 1; --left) {
        size_[left - 1] = divisor_near_root(ranks, left);
        ranks /= size_[left - 1];
    }
    size_[0] = ranks;
}

std::vector<u64> GeneratedStencil::grid() const {
    return {size_.begin(), size_.begin() + dimensions_};
}

std::vector<GeneratedStencil::Neighbour> GeneratedStencil::neighbours(u64 rank) const {
    const std::array<u64, 3> place{rank % size_[0], rank / size_[0] % size_[1],
                                   rank / size_[0] / size_[1]};
    std::vector<Neighbour> found;
    unsigned directions = 1;
    for (unsigned d = 0; d < dimensions_; ++d) directions *= 3;
    for (unsigned direction = 0; direction < directions; ++direction) {
        Neighbour neighbour{0, sizeof(double)};
        u64 step = 1;
        unsigned digits = direction;
        bool inside = true;
        bool moved = false;
        for (unsigned d = 0; d < dimensions_; ++d, digits /= 3) {
            u64 at = place[d] + digits % 3 - 1;
            inside = inside && (periodic_ || at < size_[d]);
            at = (at + size_[d]) % size_[d];
            if (digits % 3 == 1) neighbour.bytes *= kEdge;
            moved = moved || digits % 3 != 1;
            neighbour.rank += at * step;
            step *= size_[d];
        }
        if (inside && moved) found.push_back(neighbour);
    }
    return found;
}

u64 GeneratedStencil::events(u64 rank, u64 steps) const {
    const u64 count = neighbours(rank).size();
    // Enter, record and Leave of each receive and send, and their completions in one Waitall.
    return kEventsAround + steps * (count * 8 + 2);
}

void GeneratedStencil::write(ArchiveWriter& writer, const GeneratedDefinitions& definitions,
                             u64 rank, u64 steps) const {
    const std::vector<Neighbour> all = neighbours(rank);
    Recorder out(writer, definitions, rank);
    out.program_begin();
    out.collective("MPI_Init", kCreateHandle);
    for (const char* name : {"MPI_Comm_rank", "MPI_Comm_size"}) {
        out.enter(name);
        out.leave();
    }
    out.collective("MPI_Barrier", kBarrier);
    u64 request = 0;
    for (u64 step = 0; step < steps; ++step) {
        const u64 first = request + 1;
        for (std::size_t i = 0; i < all.size(); ++i) {
            out.enter("MPI_Irecv");
            out.event(EventType::MpiIrecvRequest, {++request});
            out.leave();
        }
        for (const Neighbour& to : all) {
            out.enter("MPI_Isend");
            out.event(EventType::MpiIsend,
                      {to.rank, GeneratedDefinitions::kWorld, kTag, to.bytes, ++request});
            out.leave();
        }
        out.enter("MPI_Waitall");
        for (std::size_t i = 0; i < all.size(); ++i) {
            out.event(EventType::MpiIrecv, {all[i].rank, GeneratedDefinitions::kWorld, kTag,
                                            all[i].bytes, first + i});
        }
        for (std::size_t i = 0; i < all.size(); ++i) {
            out.event(EventType::MpiIsendComplete, {first + all.size() + i});
        }
        out.leave();
        out.flush();
    }
    out.collective("MPI_Barrier", kBarrier);
    out.collective("MPI_Finalize", kDestroyHandle);
    out.event(EventType::ProgramEnd, {0});
    out.flush();
}

}  // namespace tracefold
