// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "file/call_reader.hpp"
#include "file/trace_file.hpp"
#include "fold/mapping_tables.hpp"
#include "model/mpi_function.hpp"
#include "model/symbol.hpp"
#include "mpi/mpi_call.hpp"
#include "mpi/mpi_call_reader.hpp"

#include <memory>
#include <optional>
#include <unordered_map>
#include <vector>

namespace tracefold {

/// Joins the records of messages that a process takes out of its queue before it receives them: the
/// probe knows sender and tag, the receive knows the size, and both know the id of the message.
/// Takes the records of one location in order; threads of a process may hand such messages, and the
/// requests of their receives, to each other. Memory: outstanding messages of the location,
/// messages handed over between threads, and the sizes read ahead. Throws Error(corrupt).
class MatchedMessages {
  public:
    /// The file must outlive this object. Cost: with several locations, a walk through all of them.
    MatchedMessages(TraceFile& file, u32 location);

    // Each of the following takes an action with the message, request and bytes of its record, and
    // fills in the rest of the envelope and whether the trace completes the receive.

    /// A probe takes a message.
    void take(Action& probe);
    /// A call receives a message. False if the trace lacks its probe.
    bool receive(Action& receive);
    /// A call posts the receive of a message. False if the trace lacks its probe.
    bool post(Action& post);
    /// The request of such a receive completes. False if the trace lacks its probe.
    bool complete(Action& completion);

  private:
    /// Reads ahead for the sizes of the messages that a location receives.
    class Scout {
      public:
        Scout(TraceFile& file, u32 location) : stream_(file, location, Times::skip) {}

        /// Reads up to the size of a message, and forgets it then; nullopt if it is never received
        /// here.
        std::optional<u64> take(u64 message);

      private:
        void read();

        CallReader stream_;
        bool at_end_ = false;
        std::unordered_map<u64, u64> bytes_;    ///< by message
        std::unordered_map<u64, u64> message_;  ///< by request
    };
    /// Known facts about a message.
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

/// True for records of an MPI call, except those that only mark its beginning.
bool is_traffic(u8 type);

/// The role of one record of a symbol in a replay.
struct ElementRecipe {
    enum class Kind : u8 {
        nothing,  ///< ignored: metrics, parameters, threads, the beginning of a collective
        enter,
        leave,
        traffic,      ///< an MPI record
        metric,       ///< may state the size of a collective without a record
        completions,  ///< a run of completions
    };

    Kind kind = Kind::nothing;
    bool is_mpi = false;   ///< enter, leave: of an MPI function
    MpiFunctionInfo info;  ///< enter, leave: the function
    u32 region = kNone;    ///< enter, leave: global id
    u32 offset = kNone;    ///< traffic: index of the attribute "Offset"
};

/// The role of a symbol in a replay.
struct CallRecipe {
    /// One MPI call from Enter to Leave, nothing nested.
    bool is_call = false;
    /// All elements are ignored.
    bool is_nothing = true;
    std::vector<ElementRecipe> elements;
};

/// The recipes of the symbols that one location executes, computed on first use.
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
    /// Both must outlive this object.
    ActionReader(TraceFile& file, const CallReader& stream);

    /// Appends the actions of the stream's record; call for all records in order. File operations
    /// count for files that MPI opened; receives of probed messages if the trace has their probe.
    void append(std::size_t record, const ElementRecipe& recipe, std::vector<Action>& actions);

    /// See MpiCallReader.
    void note_ids(MpiCallReader::UsedIds& ids) { ids_ = &ids; }

    /// The size that a metric record states for its enclosing call; kNoMetric if none.
    [[nodiscard]] u64 size_told_by(std::size_t record) const;
    /// A collective call without a record, derived from function, that metric, and definitions.
    [[nodiscard]] Action unrecorded_collective(MpiFunctionInfo caller, u64 metric, u64 time) const;

  private:
    [[nodiscard]] const CallReader::Posted* posted(std::size_t record) const;
    [[nodiscard]] u64 global(FieldKind kind, u64 raw) const {
        const u64 id = stream_.tables().global(kind, raw);
        if (ids_ != nullptr) ids_->emplace(std::pair(kind, raw), id);
        return id;
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
    u32 rank_;                                   ///< world rank
    std::unique_ptr<MatchedMessages> messages_;  ///< created on first use
    MpiCallReader::UsedIds* ids_ = nullptr;      ///< or null
};

}  // namespace tracefold
