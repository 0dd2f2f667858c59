// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "mpi/call_fingerprint.hpp"

#include "base/error.hpp"
#include "mpi/balance.hpp"
#include "mpi/check.hpp"
#include "mpi/mpi_call_reader.hpp"

#include <array>
#include <memory>

#include <fmt/core.h>

namespace tracefold {

namespace {

/// Part of the definition of the fingerprint: never change them.
enum Code : u8 {
    code_send = 1,
    code_receive = 2,
    code_post_receive = 3,
    code_silent_receive = 4,
    code_collective = 5,
    code_post_collective = 6,
    code_complete_send = 7,
    code_complete_receive = 8,
    code_complete_collective = 9,
    code_cancelled = 10,
    code_create = 11,
    code_access = 12,
    code_transfer = 13,
    code_probe = 14,
    code_any_source = 15,
    code_no_communicator = 16,
};

u64 number_of(MpiFunction function) {
    static const auto numbers = [] {
        std::array<u64, kMpiFunctions> all{};
        for (std::size_t i = 0; i < all.size(); ++i) {
            all[i] = checksum(name_of(static_cast<MpiFunction>(i)));
        }
        return all;
    }();
    return numbers[static_cast<std::size_t>(function)];
}

}  // namespace

void CallFingerprint::add(const MpiCall& call) {
    note(number_of(call.function));
    const bool probes = call.family == CallFamily::probe;
    if (asks_for_message(call.family) && call.actions.empty() && call.inferred.comm != kNone) {
        note(code_probe);
        add(call.inferred, !probes);
    }
    for (const Action& action : call.actions) add(action);
    if (call.family == CallFamily::neighbour) note(neighbour_bytes_);
}

void CallFingerprint::add(const Action& action) {
    using Kind = Action::Kind;
    switch (action.kind) {
        case Kind::send:
            note(code_send);
            return add(action.envelope, true);
        case Kind::receive:
            note(code_receive);
            return add(action.envelope, true);
        case Kind::post_receive:
            note(action.known ? code_post_receive : code_silent_receive);
            if (action.known) add(action.envelope, true);
            return;
        case Kind::probe:
            note(code_probe);
            return add(action.envelope, false);
        case Kind::collective:
        case Kind::post_collective:
            note(action.kind == Kind::collective ? code_collective : code_post_collective);
            if (!action.known || !is_communication(action.part.kind)) return;
            note_members(action.part.comm);
            note(action.part.root);
            note(action.part.sent);
            return note(action.part.received);
        case Kind::complete_send:
            return note(code_complete_send);
        case Kind::complete_receive:
            return note(code_complete_receive);
        case Kind::complete_collective:
            return note(code_complete_collective);
        case Kind::cancelled:
            return note(code_cancelled);
        case Kind::create_comm:
            note(code_create);
            return note_members(action.part.comm);
        case Kind::record:
            if (action.type == EventType::IoOperationBegin) {
                note(code_transfer);
                note(action.fields[3]);
            } else if (action.type == EventType::RmaPut || action.type == EventType::RmaGet ||
                       action.type == EventType::RmaAtomic) {
                note(code_access);
                note(action.fields[1]);
                note(action.fields[2]);
            }
            return;
        case Kind::tested:
        case Kind::destroy_comm:
            return;
    }
}

void CallFingerprint::add(const Envelope& envelope, bool has_message) {
    note_members(envelope.comm);
    note(envelope.tag);
    if (wildcards_ != nullptr && wildcards_->has(envelope.comm, envelope.tag)) {
        return note(code_any_source);
    }
    note(envelope.peer);
    if (has_message) note(envelope.bytes);
}

void CallFingerprint::note_members(u64 comm) {
    const auto [known, fresh] = members_.try_emplace(comm, code_no_communicator);
    const CommunicatorView* const view = fresh ? table_.find(comm) : nullptr;
    if (view != nullptr) {
        u64& hash = known->second;
        for (const auto& side : {view->members, view->remote}) {
            for (const u64 rank : side) hash = mix(hash + rank + 1);
            hash = mix(hash + side.size());
        }
    }
    note(known->second);
}

namespace {

class RankFingerprint {
  public:
    RankFingerprint(TraceFile& file, u32 rank, std::shared_ptr<const CommunicatorSet> all,
                    const std::vector<ReplayPatch>& patches, const FingerprintRequest& request)
        : file_(file),
          rank_(rank),
          patches_(patches),
          request_(request),
          locations_(mpi_locations(file, rank)),
          threads_(calls_mpi_from_threads(file)),
          table_(std::move(all), rank) {}

    u64 value() {
        if (request_.wildcards != WildcardChoice::none) find_wildcards();
        u64 sum = 0;
        for (u64 i = 0; i < locations_.size(); ++i) {
            CallFingerprint calls(table_, &wildcards_, request_.neighbour_bytes.value_or(0));
            for_each_call(locations_[i], [&](const MpiCall& call, bool is_issued) {
                if (is_issued) calls.add(call);
            });
            sum += calls.value(rank_, i);
        }
        return sum;
    }

  private:
    void find_wildcards() {
        for (const u32 location : locations_) {
            for_each_call(location, [&](const MpiCall& call, bool) { wildcards_.add(call); });
        }
        wildcards_.decide(request_.wildcards, locations_.size() > 1);
    }

    template <class Sink>
    void for_each_call(u32 location, const Sink& sink) {
        MpiCallReader program(file_, location, Times::skip);
        program.infer(find_patch(patches_, location));
        for (MpiCall call; program.next(call);) {
            if (call.family == CallFamily::neighbour && request_.neighbour_bytes &&
                request_.window.is_whole() && !threads_) {
                call.patch_effect = MpiCall::PatchEffect::inferred;
            }
            const Treatment treatment = treatment_of(call);
            if (treatment == Treatment::unsupported && !request_.skip_unsupported) {
                throw Error(ErrorKind::unsupported,
                            "the trace does not describe well enough to issue {}; leave such calls "
                            "out with --unsupported skip",
                            name_of(call, file_.definitions()));
            }
            sink(call, treatment == Treatment::issued);
        }
    }

    TraceFile& file_;
    u32 rank_;
    const std::vector<ReplayPatch>& patches_;
    const FingerprintRequest& request_;
    std::vector<u32> locations_;
    bool threads_;
    CommunicatorTable table_;
    Wildcards wildcards_;
};

/// Those of a replay, which looks for them only if it has to.
std::vector<ReplayPatch> patches_of(TraceFile& file, const WindowRequest& window) {
    if (!needs_patches(file, window)) {
        u64 balance = 0;
        for (u32 rank = 0; rank < file.definitions().world_size(); ++rank) {
            balance += balance_of_rank(file, rank);
        }
        if (balance == 0) return {};
    }
    return replay_patches(file, window);
}

}  // namespace

u64 replay_fingerprint(TraceFile& file, const FingerprintRequest& request) {
    if (file.definitions().world_size() == 0) {
        throw Error(ErrorKind::unsupported, "the trace contains no MPI program");
    }
    const std::vector<ReplayPatch> patches = patches_of(file, request.window);
    const auto communicators = std::make_shared<CommunicatorSet>(file);
    u64 sum = 0;
    for (u32 rank = 0; rank < file.definitions().world_size(); ++rank) {
        sum += RankFingerprint(file, rank, communicators, patches, request).value();
    }
    return sum;
}

std::string fingerprint_text(u64 fingerprint) { return fmt::format("{:016x}", fingerprint); }

}  // namespace tracefold
