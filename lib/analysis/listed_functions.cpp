// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "analysis/structure_listing.hpp"
#include "model/rank_function.hpp"
#include "query/listing_source.hpp"
#include "query/world_peers.hpp"

#include <algorithm>
#include <map>

namespace tracefold {

namespace {

/// Most different peers of a call that are told as functions.
constexpr std::size_t kMostFunctions = 8;
/// Lines are told as they are.
constexpr std::size_t kLeastDimensions = 2;

class FunctionTeller {
  public:
    FunctionTeller(ListingSource& source, const ListedScript& script)
        : source_(source), ranks_(source.definitions().world_size()) {
        if (is_of_all_ranks(script)) grids_ = grids_of(ranks_);
        std::erase_if(grids_,
                      [](const RankGrid& grid) { return grid.dimensions() < kLeastDimensions; });
    }

    [[nodiscard]] bool has_grids() const { return !grids_.empty(); }

    void tell(u32 symbol, std::vector<ListedRecord>& records) {
        for (ListedRecord& record : records) {
            for (ListedArgument& argument : record.arguments) {
                const auto encoding = peer_encoding(argument.role);
                if (!encoding || argument.variants.size() < 2) continue;
                if (counts_in_world_ranks(symbol, record)) tell(*encoding, argument);
            }
        }
    }

  private:
    /// Each participant is the rank of its place.
    [[nodiscard]] bool is_of_all_ranks(const ListedScript& script) const {
        const auto& locations = source_.definitions().locations();
        if (script.participants.size() != ranks_ || locations.size() != ranks_) return false;
        for (u32 rank = 0; rank < ranks_; ++rank) {
            if (source_.definitions().world_rank(locations[rank]) != rank) return false;
        }
        return true;
    }

    /// The record's communicators have all ranks in their order.
    bool counts_in_world_ranks(u32 symbol, const ListedRecord& record) {
        const auto found = std::find_if(
            record.arguments.begin(), record.arguments.end(),
            [](const ListedArgument& argument) { return argument.name == "communicator"; });
        if (found == record.arguments.end()) return false;
        for (u32 rank = 0; rank < ranks_; ++rank) {
            bool all = true;
            source_.counts().visit(
                source_.counts().slot(symbol, found->slot, rank), [&](const ValueRun& run) {
                    const u64 id = source_.local_ids().global(FieldKind::comm, run.start, rank);
                    all = all && run.stride == 0 && is_world(id);
                });
            if (!all) return false;
        }
        return true;
    }

    bool is_world(u64 communicator) {
        const auto [known, fresh] = worlds_.try_emplace(communicator, false);
        if (!fresh) return known->second;
        const DefinitionIndex& definitions = source_.definitions();
        for (u32 rank = 0; rank < ranks_; ++rank) {
            if (world_peer(definitions, communicator, 0, rank) != rank) return false;
        }
        return known->second = world_peer(definitions, communicator, 0, ranks_) == kNone;
    }

    void tell(PeerEncoding encoding, ListedArgument& argument) {
        const std::size_t size = argument.variants[0].values.values.size();
        if (size == 0 || size > kMostFunctions) return;
        std::vector<std::vector<u64>> peers(size, std::vector<u64>(ranks_));
        for (const ListedVariant& variant : argument.variants) {
            if (variant.values.values.size() != size) return;
            for (const u32 rank : variant.participants.members()) {
                for (std::size_t i = 0; i < size; ++i) {
                    peers[i][rank] =
                        rank + relative_peer(variant.values.values[i], encoding, rank, ranks_);
                }
            }
        }
        for (const RankGrid& grid : grids_) {
            if (fit(grid, peers, argument.places)) return;
        }
        argument.places.clear();
    }

    static bool fit(const RankGrid& grid, const std::vector<std::vector<u64>>& peers,
                    std::vector<std::string>& texts) {
        texts.clear();
        for (const std::vector<u64>& values : peers) {
            const std::optional<RankFunction> function = fit_function(grid, values);
            const auto text = function ? place_text(*function, grid) : std::nullopt;
            if (!text) return false;
            texts.push_back(*text);
        }
        return true;
    }

    ListingSource& source_;
    u32 ranks_;
    std::vector<RankGrid> grids_;
    std::map<u64, bool> worlds_;
};

}  // namespace

void list_functions(ListingSource& source, ListedScript& listed) {
    FunctionTeller teller(source, listed);
    if (!teller.has_grids()) return;
    for (ListedNode& node : listed.nodes) {
        if (node.symbol != kNone) teller.tell(node.symbol, node.records);
    }
    for (ListedPlace& at : listed.places) {
        const ListedNode& node = listed.nodes[listed.node_at(at.place)];
        if (node.symbol != kNone) teller.tell(node.symbol, at.records);
    }
}

}  // namespace tracefold
