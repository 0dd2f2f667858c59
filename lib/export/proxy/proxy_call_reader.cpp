// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "export/proxy/proxy_call_reader.hpp"

#include "base/error.hpp"
#include "export/proxy/completion_runs.hpp"
#include "mpi/communicator_table.hpp"
#include "mpi/mpi_call.hpp"

#include <algorithm>
#include <set>
#include <utility>
#include <vector>

namespace tracefold {

/// Collects the data of a rank's whole program that the translation of its first call needs.
class RankSurvey {
  public:
    /// Records sizes of collectives with a count per partner in `sizes`. Both must outlive this
    /// object.
    RankSurvey(const CommunicatorTable& table, VectorSizes& sizes) : table_(table), sizes_(sizes) {}

    /// Call for every call of the rank in order.
    void add(const MpiCall& call);
    /// A communicator is used.
    void use(u64 comm);

    /// Communicators that are used although no call makes them, by rising id.
    [[nodiscard]] std::vector<u64> made_at_start() const;
    /// True if the rank called MPI_Init_thread.
    [[nodiscard]] bool starts_threads() const { return starts_threads_; }
    [[nodiscard]] u64 largest() const { return largest_; }  ///< bytes of a message

  private:
    void add_creation(const MpiCall& call);

    const CommunicatorTable& table_;
    VectorSizes& sizes_;
    std::set<u64> used_;
    std::set<u64> made_;
    bool starts_threads_ = false;
    u64 largest_ = 0;
};

namespace {

/// Refuses findings that hinder, except calls left out on all ranks.
void refuse_what_cannot_run(const CheckResult& check, SizeSource sizes) {
    if (check.threads) {
        throw Error(
            ErrorKind::unsupported,
            "several threads of a rank call MPI, which a proxy application does not support");
    }
    const Finding* finding = check.hindrance();
    if (finding == nullptr && sizes == SizeSource::recorded) {
        const auto found =
            std::ranges::find(check.findings, FindingKind::sender_size, &Finding::kind);
        if (found != check.findings.end()) finding = &*found;
    }
    if (finding == nullptr) return;
    const FindingInfo& info = finding_info(finding->kind);
    throw Error(ErrorKind::unsupported,
                "the trace has {} ({}: {}); trace_replay --check has the details", info.what,
                info.name, finding->count);
}

Times times_of(const TraceFile& file, bool wanted) {
    const TimingLevel level = file.summary().timing;
    if (!wanted || level == TimingLevel::none) return Times::skip;
    return level == TimingLevel::histogram ? Times::mean : Times::read;
}

}  // namespace

ProxyCallReader::ProxyCallReader(TraceFile& file, std::function<void(u64)> progress,
                                 SizeSource sizes)
    : file_(file),
      progress_(std::move(progress)),
      check_(check_replay(file, 1, sizes)),
      objects_(file) {
    refuse_what_cannot_run(check_, sizes);
    communicators_ = std::make_shared<CommunicatorSet>(file);
    ranks_.reserve(check_.ranks);
    for (u32 rank = 0; rank < check_.ranks; ++rank) survey(rank);
    sizes_.finish();
    objects_.finish();
    largest_ = std::max(largest_, objects_.largest());
}

MpiCallReader ProxyCallReader::program(u32 rank, Times times) {
    const u32 location = mpi_locations(file_, rank).front();
    MpiCallReader program(file_, location, times);
    program.infer(find_patch(check_.patches, location));
    return program;
}

u64 ProxyCallReader::sizes_of_senders() const {
    u64 receives = 0;
    for (const ReplayPatch& patch : check_.patches) receives += patch.sizes.size();
    return receives;
}

void ProxyCallReader::survey(u32 rank) {
    Rank& known = ranks_.emplace_back(Rank{CommunicatorTable(communicators_, rank), {}});
    RankSurvey survey(known.table, sizes_);
    MpiCallReader calls = program(rank, Times::skip);
    CompletionRuns runs([&](MpiCall& mpi_call) { return calls.next(mpi_call); },
                        CompletionIdiomDetector::candidates());
    chance_.begin_rank();
    objects_.begin_rank(known.table);
    for (MpiCall mpi_call; runs.next(mpi_call); ++calls_) {
        chance_.add(mpi_call, runs.begun());
        survey.add(mpi_call);
        if (const u64 comm = objects_.add(mpi_call); comm != kNone) survey.use(comm);
        advance();
    }
    known.made_at_start = survey.made_at_start();
    starts_threads_ = starts_threads_ || survey.starts_threads();
    largest_ = std::max(largest_, survey.largest());
}

CallTranslator ProxyCallReader::translate(u32 rank, bool with_times, const Sink& sink) {
    CallTranslator translator(ranks_[rank].table, ranks_[rank].made_at_start, sizes_, objects_,
                              file_.definitions());
    u64 gap = 0;
    bool any = false;
    const CallTranslator::Sink forward = [&](const ProxyCall& call) {
        sink(call, gap);
        gap = 0;
        any = true;
    };
    MpiCallReader calls = program(rank, times_of(file_, with_times));
    CompletionRuns runs([&](MpiCall& mpi_call) { return calls.next(mpi_call); },
                        chance_.functions());
    translator.start(forward);
    constexpr u64 kNotYet = ~u64{0};
    u64 last_end = kNotYet;
    for (MpiCall mpi_call; runs.next(mpi_call);) {
        advance();
        gap = mpi_call.begin > last_end ? mpi_call.begin - last_end : 0;
        any = mpi_call.family == CallFamily::init;
        if (runs.begun() != nullptr) translator.begin_run(*runs.begun(), forward);
        translator.translate(mpi_call, forward);
        // Omitted calls are part of the computation.
        if (any || last_end == kNotYet) last_end = mpi_call.end;
    }
    return translator;
}

void ProxyCallReader::advance() {
    if (progress_) progress_(1);
}

void RankSurvey::add(const MpiCall& call) {
    starts_threads_ = starts_threads_ || call.function == MpiFunction::Init_thread;
    if (call.patch_effect == MpiCall::PatchEffect::left_out) return;
    if (call.family == CallFamily::comm_create) return add_creation(call);
    if (call.inferred.comm != kNone) use(call.inferred.comm);
    for (const Action& action : call.actions) {
        largest_ = std::max(largest_, action.envelope.bytes);
        if (action.envelope.comm != kNone) use(action.envelope.comm);
        const bool is_part = action.kind == Action::Kind::collective ||
                             (action.kind == Action::Kind::post_collective && action.known);
        if (!is_part || call.family == CallFamily::init || call.family == CallFamily::finalize) {
            continue;
        }
        use(action.part.comm);
        largest_ = std::max({largest_, action.part.sent, action.part.received});
        const CommunicatorView* view = table_.find(action.part.comm);
        if (view == nullptr || view->inter || !is_vector_collective(action.part.kind)) continue;
        sizes_.record(table_.world_rank(), action.part.comm,
                      {action.part.sent, action.part.received});
    }
}

/// Creations that LocalCommunicators::read() accepts.
void RankSurvey::add_creation(const MpiCall& call) {
    const CommunicatorView* made = nullptr;
    u64 parent = kNone;
    for (const Action& action : call.actions) {
        if (action.kind == Action::Kind::create_comm) made = table_.find(action.part.comm);
        if (action.kind == Action::Kind::collective) parent = action.part.comm;
    }
    const MpiFunction function = call.function;
    if (function == MpiFunction::Intercomm_create || function == MpiFunction::Intercomm_merge ||
        function == MpiFunction::Comm_idup || function == MpiFunction::Comm_idup_with_info) {
        return;
    }
    if (is_of_members_only(function) || (made != nullptr && made->id == parent)) {
        parent = made == nullptr ? kNone : made->parent;
    }
    if (function == MpiFunction::Comm_create_from_group && parent == kNone) {
        parent = table_.world();
    }
    use(parent);
    const CommunicatorView* view = table_.find(parent);
    if (made != nullptr && view != nullptr && !view->inter) made_.insert(made->id);
}

void RankSurvey::use(u64 comm) {
    const CommunicatorView* view = table_.find(comm);
    if (view != nullptr && !view->inter) used_.insert(comm);
}

std::vector<u64> RankSurvey::made_at_start() const {
    std::vector<u64> comms;
    for (const u64 comm : used_) {
        if (comm != table_.world() && comm != table_.self() && !made_.contains(comm)) {
            comms.push_back(comm);
        }
    }
    return comms;
}

}  // namespace tracefold
