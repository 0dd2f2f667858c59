// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "file/call_reader.hpp"
#include "file/trace_file.hpp"
#include "fold/mapping_tables.hpp"
#include "model/mpi_function.hpp"
#include "model/symbol.hpp"
#include "mpi/mpi_call.hpp"

#include <optional>
#include <unordered_map>
#include <vector>

namespace tracefold {

/// Joins the records of messages that a process takes out of its queue before it receives them: the
/// probe knows sender and tag, the receive knows the size, and both know the id of the message. For
/// the records of one location in order; the threads of a process may hand such messages, and the
/// requests of their receives, to each other. Memory: what is outstanding on the location, what
/// threads hand over, and the sizes up to one that is looked for ahead. Throws Error(corrupt).
class MatchedMessages {
  public:
    /// The file must outlive this object. Cost: if the process has several locations, a walk
    /// through all of them.
    MatchedMessages(TraceFile& file, u32 location);

    // Each is for an action whose message, request and bytes are what its record says, and fills in
    // the rest of the envelope, and whether the receive is complete in the trace.

    /// A probe takes a message.
    void take(Action& probe);
    /// A call gets a message. False if the trace does not have its probe.
    bool receive(Action& receive);
    /// A call posts the receive of a message. False if the trace does not have its probe.
    bool post(Action& post);
    /// A request of such a receive is complete. False if the trace does not have its probe.
    bool complete(Action& completion);

  private:
    /// Sizes of the messages that a location receives.
    class Scout {
      public:
        Scout(TraceFile& file, u32 location) : stream_(file, location, Times::skip) {}

        /// Reads on up to the size of a message, and forgets it then; nothing if nobody receives it
        /// here.
        std::optional<u64> take(u64 message);

      private:
        void read();

        CallReader stream_;
        bool at_end_ = false;
        std::unordered_map<u64, u64> bytes_;    ///< by message
        std::unordered_map<u64, u64> message_;  ///< by request
    };
    /// What is known of a message.
    struct Message {
        std::optional<Envelope> probe;
        std::optional<u64> bytes;
    };
    class Exchange;

    std::optional<u64> bytes_of(u64 message);
    Message take_message(u64 message);

    Scout ahead_;
    std::unordered_map<u64, Message> taken_;         ///< by id, of this thread
    std::unordered_map<u64, Envelope> posted_;       ///< by request, of this thread
    std::unordered_map<u64, Message> handed_over_;   ///< by id, from thread to thread
    std::unordered_map<u64, u64> posted_elsewhere_;  ///< message by request
};

/// What one record of a symbol is for a replay.
struct ElementRecipe {
    enum class Kind : u8 {
        nothing,  ///< of no concern: metrics, parameters, threads, the beginning of a collective
        enter,
        leave,
        traffic,      ///< a record of MPI
        metric,       ///< which may tell the size of a collective without a record
        completions,  ///< a run of completions
    };

    Kind kind = Kind::nothing;
    bool is_mpi = false;   ///< enter, leave: of an MPI function
    MpiFunctionInfo info;  ///< enter, leave: which one
    u32 region = kNone;    ///< enter, leave: global id
    u32 offset = kNone;    ///< traffic: index of the attribute "Offset"
};

/// What a symbol is for a replay.
struct CallRecipe {
    /// One MPI call from Enter to Leave, nothing nested.
    bool is_call = false;
    /// No element is of any concern.
    bool is_nothing = true;
    std::vector<ElementRecipe> elements;
};

/// The recipes of the symbols that one location executes, worked out when first asked for.
class CallRecipes {
  public:
    /// Both must outlive this object.
    CallRecipes(TraceFile& file, const MappingTables& tables);

    const CallRecipe& operator[](u32 symbol) {
        return known_[symbol] ? recipes_[symbol] : work_out(symbol);
    }

  private:
    const CallRecipe& work_out(u32 symbol);
    [[nodiscard]] ElementRecipe of_element(const Element& element) const;
    void add_region(const Element& element, ElementRecipe& recipe) const;

    TraceFile& file_;
    const MappingTables& tables_;
    std::vector<CallRecipe> recipes_;
    std::vector<bool> known_;
};

/// Turns the records of a call into actions with global ids.
class ActionReader {
  public:
    /// Everything must outlive this object.
    ActionReader(TraceFile& file, const CallReader& stream);

    /// Appends what the stream's record says; call for all records in order. Of files only those
    /// that MPI opened count, of messages that a probe took those whose probe is in the trace.
    void append(std::size_t record, const ElementRecipe& recipe, std::vector<Action>& actions);

    /// What a metric record says of the size of the call that it is in; kNoMetric: nothing.
    [[nodiscard]] u64 size_told_by(std::size_t record) const;
    /// A collective call that left no record, from its function, that metric, and the definitions.
    [[nodiscard]] Action unrecorded_collective(MpiFunctionInfo caller, u64 metric, u64 time) const;

  private:
    [[nodiscard]] const CallReader::Posted* posted(std::size_t record) const;
    [[nodiscard]] u64 global(FieldKind kind, u64 raw) const {
        return stream_.tables().global(kind, raw);
    }
    [[nodiscard]] Envelope envelope(std::span<const u64> fields) const;
    [[nodiscard]] CollectivePart part(std::span<const u64> fields) const;
    void other(const ElementRecipe& recipe, const RecordBatch::Head& head, Action& action) const;
    void probe(std::span<const u64> fields, Action& action);
    bool matched(std::span<const u64> fields, Action& action);
    MatchedMessages& messages();

    TraceFile& file_;
    const DefinitionIndex& definitions_;
    const CallReader& stream_;
    u32 rank_;                                 ///< world rank
    std::optional<MatchedMessages> messages_;  ///< once there is one
};

}  // namespace tracefold
