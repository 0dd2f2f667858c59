// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "export/proxy/completion_runs.hpp"
#include "export/proxy/object_survey.hpp"
#include "export/proxy/runtime_text.hpp"
#include "mpi/call_fingerprint.hpp"
#include "mpi/communicator_table.hpp"
#include "mpi/mpi_call.hpp"
#include "mpi/window_transfer.hpp"

#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

namespace tracefold {

/// The data of a call that makes a communicator.
struct ProxyCreation {
    u64 parent = kNone;
    const CommunicatorView* made = nullptr;   ///< null: without this process
    const CommunicatorView* shape = nullptr;  ///< MPI_Cart_create: the Cartesian one, or null
};

/// Numbers of objects that exist: the lowest free one is taken, so that all processes of a regular
/// program use the same.
class FreeNumbers {
  public:
    u32 take();
    void free(u32 number) { taken_[number] = false; }
    [[nodiscard]] u64 most() const { return taken_.size(); }  ///< in use at a time, maximum

  private:
    std::vector<bool> taken_;
};

/// The communicators of one process as numbered by a proxy application: 0 is MPI_COMM_WORLD, 1
/// MPI_COMM_SELF, then those made at the start, then by creation. Numbers of freed ones are reused:
/// all processes of a regular program use the same. Intercommunicators have no number.
class LocalCommunicators {
  public:
    /// The table must outlive this object. `at_start`: by rising id.
    LocalCommunicators(const CommunicatorTable& table, const std::vector<u64>& at_start);

    /// Nullopt if it does not exist.
    [[nodiscard]] std::optional<u32> find(u64 comm) const;
    /// This process's view. Precondition: find() has it.
    [[nodiscard]] const CommunicatorView& view(u64 comm) const { return *table_.find(comm); }
    [[nodiscard]] u32 rank_in(u64 comm);

    u32 add(u64 comm);
    void remove(u64 comm);
    /// Numbers in use, maximum.
    [[nodiscard]] u32 most() const { return static_cast<u32>(numbers_in_use_.most()); }

    /// The communicator that a call of family comm_create makes; nullopt if omitted. Call in order.
    std::optional<ProxyCreation> read(const MpiCall& call);

    [[nodiscard]] const CommunicatorTable& table() const { return table_; }
    /// A definition's number distinguishes communicators made by the same call; definitions of a
    /// single process represent several communicators on different processes.
    [[nodiscard]] u64 colour_of(const CommunicatorView& view) const {
        return view.self_like ? table_.id_limit() + table_.world_rank() : view.id;
    }

  private:
    const CommunicatorView* shape_of(const ProxyCreation& creation);

    const CommunicatorTable& table_;
    std::unordered_map<u64, u32> numbers_;
    std::unordered_map<u64, u32> ranks_;
    FreeNumbers numbers_in_use_;
    std::map<u64, std::size_t> nulls_;  ///< by parent: Cartesian ones made without this process
};

/// Calls of the trace by name.
using CallCounts = std::map<std::string, u64>;

/// Translates the MPI calls of one rank, in order, to those of a proxy application. Requests become
/// ages among the outstanding ones, communicators numbers of the process, sizes of collectives
/// arguments. Memory: outstanding requests.
class CallTranslator {
  public:
    using Sink = std::function<void(const ProxyCall&)>;

    /// `sizes`: of all ranks. All must outlive this object.
    CallTranslator(const CommunicatorTable& table, const std::vector<u64>& made_at_start,
                   const VectorSizes& sizes, const ObjectSurvey& objects,
                   const DefinitionIndex& definitions);

    /// Makes the communicators that no call makes.
    void start(const Sink& sink);
    /// Translates a call to none, one or several calls. Throws Error(corrupt).
    void translate(const MpiCall& call, const Sink& sink);

    /// Call before the first call of a run.
    void begin_run(const CompletionRun& run, const Sink& sink);

    /// Untranslated calls that involve other processes.
    [[nodiscard]] const CallCounts& left_out() const { return left_out_; }
    /// Calls with arguments that the trace lacks, and receives that it completes but does not post.
    [[nodiscard]] const CallCounts& inferred() const { return inferred_; }
    /// Calls that reach no other process.
    [[nodiscard]] const CallCounts& local() const { return local_; }
    /// Records of one-sided communication and MPI-IO that are translated, by type.
    [[nodiscard]] const std::map<EventType, u64>& records() const { return records_; }
    [[nodiscard]] u32 communicators() const { return communicators_.most(); }
    /// The summand of this rank in the fingerprint of the proxy: of the calls that it issues.
    [[nodiscard]] u64 fingerprint() const {
        return fingerprint_.value(communicators_.table().world_rank(), 0);
    }
    [[nodiscard]] u64 windows() const { return window_numbers_.most(); }
    [[nodiscard]] u64 files() const { return file_numbers_.most(); }
    [[nodiscard]] u64 persistent_requests() const { return persistent_numbers_.size(); }

  private:
    struct LiveWindow {
        u32 number = 0;
        const CommunicatorView* view = nullptr;
        MpiFunction made_by{};
        u32 locks = 0;  ///< open passive epochs of this process
        PendingTransfers pending{0};
    };
    struct LiveFile {
        u32 number = 0;
        const FileUse* known = nullptr;
        FileLayout layout;
    };

    void emit(ProxyFunction function);
    void emit(MpiFunction function);
    void leave_out(const MpiCall& call);
    void note(const MpiCall& call, std::initializer_list<const Action*> actions);
    void note_as(MpiCall call, MpiFunction function, const Envelope& inferred);
    void note_handle(Action::Kind kind, u64 comm);
    void note_creation(const MpiCall& call, const CommunicatorView* made);

    bool add_peer(const Envelope& envelope);
    void add_nobody(u32 comm);
    void add_message(const Action* action);
    bool is_supported(const Action& action) const;

    void message(const MpiCall& call);
    void send_receive(const MpiCall& call);
    void post_receive(const MpiCall& call);
    void start_requests(const MpiCall& call);
    void start_request(const Action& action);
    void note_ids(const MpiCall& call);
    void complete(const MpiCall& call);
    void free_persistent(const MpiCall& call);
    std::vector<u64> take(const std::vector<u64>& requests);
    void receive_unposted(const MpiCall& call);
    void cancel(const MpiCall& call);
    void probe(const MpiCall& call);
    void receive_matched(const MpiCall& call);
    void receive_taken(const MpiCall& call, const Action& action);
    void collective(const MpiCall& call);
    /// Sets the sizes of `issued` to those that the program moves.
    void uniform_collective(MpiFunction function, const CollectivePart& part,
                            CollectivePart& issued);
    void vector_collective(MpiFunction function, const CollectivePart& part);
    void create(const MpiCall& call);
    void create_cart(const ProxyCreation& creation, u32 parent);
    void split(ProxyFunction function, const ProxyCreation& creation, u32 parent);
    void add_members(const CommunicatorView* view);
    void destroy(const MpiCall& call);

    void window_call(const MpiCall& call);
    void make_window(const MpiCall& call, u64 id);
    void lock_call(const MpiCall& call, LiveWindow& window);
    void access(const MpiCall& call, LiveWindow& window);
    LiveWindow* window_of(const MpiCall& call);
    void add_target(const LiveWindow& window, u64 target);
    void file_call(const MpiCall& call);
    void open_file(const MpiCall& call);
    void bare_file_call(const MpiCall& call);
    LiveFile* use_file(u64 handle);
    /// `moved`: the record of its transfer, or null.
    void emit_object(const MpiCall& call, const Action* moved);

    [[nodiscard]] std::size_t age_of(u64 request) const;
    void add_list(const std::vector<u64>& values);

    const DefinitionIndex& definitions_;
    std::vector<u64> made_at_start_;
    LocalCommunicators communicators_;
    VectorSizes::Walk sizes_;
    VectorArguments vector_arguments_;
    const ObjectSurvey& objects_;
    const Sink* sink_ = nullptr;
    std::vector<u64> numbers_;
    std::vector<PeerView> views_;
    std::vector<u64> outstanding_;                     ///< requests, oldest first
    std::unordered_map<u64, MpiFunction> modes_;       ///< of persistent requests by id
    std::unordered_map<u64, u64> persistent_numbers_;  ///< by id, in the order of first starts
    std::set<u64> idle_;  ///< numbers of persistent requests that are not started
    u64 next_request_ = 0;
    u64 run_left_ = 0;                   ///< remaining calls of the run
    std::deque<Envelope> taken_;         ///< messages taken by probes with records, oldest first
    std::map<u64, LiveWindow> windows_;  ///< by global id
    LiveWindow* recent_window_ = nullptr;
    FreeNumbers window_numbers_;
    std::map<u64, LiveFile> files_;  ///< by handle
    RecentFiles recent_files_;
    FreeNumbers file_numbers_;
    CallFingerprint fingerprint_;
    std::vector<Action> noted_;  ///< actions of a call as issued
    CallCounts left_out_;
    CallCounts inferred_;
    CallCounts local_;
    std::map<EventType, u64> records_;
};

}  // namespace tracefold
