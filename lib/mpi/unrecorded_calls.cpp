// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "mpi/unrecorded_calls.hpp"

#include "mpi/calls/action_reader.hpp"
#include "mpi/communicator_table.hpp"

#include <algorithm>
#include <map>
#include <memory>
#include <set>

namespace tracefold {

namespace {

bool moves_messages(CallFamily family) {
    switch (family) {
        case CallFamily::send:
        case CallFamily::receive:
        case CallFamily::send_receive:
        case CallFamily::post_send:
        case CallFamily::post_receive:
        case CallFamily::start:
            return true;
        default:
            return false;
    }
}

bool has_records(const CallRecipe& recipe) {
    return std::ranges::any_of(recipe.elements, [](const ElementRecipe& element) {
        return element.kind == ElementRecipe::Kind::traffic ||
               element.kind == ElementRecipe::Kind::completions;
    });
}

/// Calls by function, summed up symbol by symbol.
class Search {
  public:
    explicit Search(TraceFile& file) : file_(file), counts_(file.index()) {}

    UnrecordedCalls run() {
        for (u32 symbol = 0; symbol < file_.structure().symbols.size(); ++symbol) look_at(symbol);
        if (has_loose_records_) return {};
        const bool misses_intercommunicator =
            creates_intercommunicator_ &&
            std::ranges::none_of(communicator_tables(file_), has_intercommunicators);
        if (!misses_intercommunicator) {
            for (const MpiFunction function : recorded_) bare_.erase(function);
        }
        return std::move(bare_);
    }

  private:
    /// Locations differ only if the symbol has ids as recorded.
    void look_at(u32 number) {
        const Symbol& symbol = file_.structure().symbols[number];
        const ParticipantList& members = counts_.members_of_symbol(number);
        if (members.empty()) return;
        const bool is_same = std::ranges::none_of(
            symbol.elements, [](const Element& element) { return (element.context & 1U) != 0; });
        if (is_same) return add(symbol, recipes(members.first())[number], counts_.calls(number));
        for (const u32 location : members.members()) {
            add(symbol, recipes(location)[number], counts_.calls(number, location));
        }
    }

    CallRecipes& recipes(u32 location) {
        const auto [found, fresh] = recipes_.try_emplace(location);
        if (fresh) found->second = std::make_unique<OfLocation>(file_, location);
        return found->second->recipes;
    }

    void add(const Symbol& symbol, const CallRecipe& recipe, u64 calls) {
        bool is_open = false;
        // Some recorders write the receive of MPI_Irecv where it completes.
        const bool receives = std::ranges::any_of(symbol.elements, [](const Element& element) {
            return element.type == static_cast<u8>(EventType::MpiRecv);
        });
        for (const ElementRecipe& element : recipe.elements) {
            is_open = is_open || element.is_mpi;
            // Some recorders write the records of messages beside the calls.
            has_loose_records_ =
                has_loose_records_ || (!is_open && element.kind == ElementRecipe::Kind::traffic);
            if (element.kind != ElementRecipe::Kind::enter || !element.is_mpi) continue;
            const bool is_bare = recipe.is_call && !has_records(recipe);
            if (receives && element.info.family == CallFamily::completion) {
                recorded_.insert(MpiFunction::Irecv);
            }
            if (moves_messages(element.info.family)) {
                if (is_bare) {
                    bare_[element.info.function] += calls;
                } else {
                    recorded_.insert(element.info.function);
                }
            }
            creates_intercommunicator_ =
                creates_intercommunicator_ ||
                (is_bare && element.info.function == MpiFunction::Intercomm_create);
        }
    }

    struct OfLocation {
        OfLocation(TraceFile& file, u32 location)
            : tables(file.mapping_tables(location)), recipes(file, tables) {}

        MappingTables tables;
        CallRecipes recipes;
    };

    TraceFile& file_;
    ExecutionCounts counts_;
    std::map<u32, std::unique_ptr<OfLocation>> recipes_;
    UnrecordedCalls bare_;
    std::set<MpiFunction> recorded_;
    bool has_loose_records_ = false;
    bool creates_intercommunicator_ = false;  ///< in a call without a record
};

}  // namespace

UnrecordedCalls find_unrecorded_calls(TraceFile& file) { return Search(file).run(); }

std::string unrecorded_sentence(const UnrecordedCalls& calls) {
    if (calls.empty()) return {};
    std::string names;
    u64 all = 0;
    for (const auto& [function, count] : calls) {
        names += (names.empty() ? "" : ", ") + std::string(name_of(function));
        all += count;
    }
    return std::to_string(all) + (all == 1 ? " call of " : " calls of ") + names +
           (all == 1 ? " has" : " have") + " no record of the communication";
}

}  // namespace tracefold
