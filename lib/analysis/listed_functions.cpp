// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "analysis/structure_listing.hpp"
#include "model/peer_encoding.hpp"
#include "model/rank_function.hpp"
#include "query/listing_source.hpp"
#include "query/world_peers.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <span>
#include <string>

namespace tracefold {

namespace {

/// Most different peers of a call that are told as functions.
constexpr std::size_t kMostFunctions = 12;
/// Lines are told as they are.
constexpr std::size_t kLeastDimensions = 2;
/// Fewer ranks are equally far from their peers in some grid or other.
constexpr std::size_t kLeastRanks = 4;

/// The ranks of a script and one peer of each.
struct PeersOfRanks {
    std::span<const u32> ranks;
    std::span<const u64> peers;
    u32 world_size = 0;
};

/// The number that all peers have in an encoding.
std::optional<u64> number_of_all(const PeersOfRanks& of, PeerEncoding encoding) {
    const auto number = [&](std::size_t i) {
        return encode_relative_peer(of.peers[i] - of.ranks[i], encoding, of.ranks[i],
                                    of.world_size);
    };
    for (std::size_t i = 1; i < of.peers.size(); ++i) {
        if (number(i) != number(0)) return std::nullopt;
    }
    return number(0);
}

/// "rank+1", "rank^4" where ranks are exchanged in pairs, "3".
std::optional<std::string> text_without_grid(const PeersOfRanks& of) {
    if (const auto number = number_of_all(of, PeerEncoding::relative)) {
        const auto offset = static_cast<i64>(*number);
        return (offset < 0 ? "rank" : "rank+") + std::to_string(offset);
    }
    if (const auto number = number_of_all(of, PeerEncoding::exclusive_or)) {
        return "rank^" + std::to_string(*number);
    }
    if (const auto number = number_of_all(of, PeerEncoding::absolute)) {
        return std::to_string(*number);
    }
    return std::nullopt;
}

/// A peer as a place of a grid: "(x+1 mod 4, y)".
struct PlaceInGrid {
    std::string text;
    bool is_displaced = false;  ///< equally far for all
    bool shows_grid = false;    ///< hardly by chance: round an end of the grid, not half way
};

bool is_half_way(const RankFunction& displacement, const RankGrid& grid) {
    for (std::size_t d = 0; d < grid.dimensions(); ++d) {
        const u32 offset = displacement.terms[d].offset;
        if (offset != 0 && 2 * offset != grid.sizes()[d]) return false;
    }
    return true;
}

std::optional<PlaceInGrid> place_in_grid(const PeersOfRanks& of, const RankGrid& grid) {
    if (const auto displaced = fit_displacement(grid, of.ranks, of.peers)) {
        const bool shows =
            !number_of_all(of, PeerEncoding::relative) && !is_half_way(*displaced, grid);
        return PlaceInGrid{place_text(*displaced, grid).value_or(""), true, shows};
    }
    if (of.ranks.size() != of.world_size) return std::nullopt;
    const std::optional<RankFunction> function = fit_places(grid, of.peers);
    const auto text = function ? place_text(*function, grid) : std::nullopt;
    return text ? std::optional(PlaceInGrid{*text}) : std::nullopt;
}

class FunctionTeller {
  public:
    FunctionTeller(ListingSource& source, const ListedScript& script)
        : source_(source),
          world_size_(source.definitions().world_size()),
          ranks_(script.participants.members()) {
        if (ranks_.size() < kLeastRanks || !are_ranks()) return;
        grids_ = grids_of(world_size_);
        std::erase_if(grids_,
                      [](const RankGrid& grid) { return grid.dimensions() < kLeastDimensions; });
    }

    [[nodiscard]] bool has_grids() const { return !grids_.empty(); }

    /// Collects the arguments that could be told.
    void add(u32 symbol, std::vector<ListedRecord>& records) {
        for (ListedRecord& record : records) {
            for (ListedArgument& argument : record.arguments) {
                const auto encoding = peer_encoding(argument.role);
                if (!encoding || argument.variants.size() < 2) continue;
                if (counts_in_world_ranks(symbol, record)) add(*encoding, argument);
            }
        }
    }

    /// Tells all of them in the grid that explains them best.
    void tell() const {
        Explanation best;
        for (const RankGrid& grid : grids_) {
            Explanation explanation = explain(grid);
            if (explanation.merit > best.merit) best = std::move(explanation);
        }
        for (std::size_t i = 0; i < best.places.size(); ++i) {
            const Argument& argument = arguments_[i];
            argument.out->places = texts_of(best.places[i], argument.others, best.merit[1] != 0);
        }
    }

  private:
    struct Argument {
        ListedArgument* out = nullptr;
        std::vector<std::vector<u64>> peers;             ///< by value, then by rank of the script
        std::vector<std::optional<std::string>> others;  ///< by value: texts without a grid
    };
    using Places = std::vector<std::optional<PlaceInGrid>>;  ///< by value

    struct Explanation {
        std::vector<Places> places;  ///< by argument; empty: not told
        /// Arguments that are told, peers that show the grid, peers that are displaced in it.
        std::array<std::size_t, 3> merit{};
    };

    /// Each location is the rank of its place.
    [[nodiscard]] bool are_ranks() const {
        const auto& locations = source_.definitions().locations();
        if (locations.size() != world_size_) return false;
        for (u32 rank = 0; rank < world_size_; ++rank) {
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
        for (const u32 rank : ranks_) {
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
        for (u32 rank = 0; rank < world_size_; ++rank) {
            if (world_peer(definitions, communicator, 0, rank) != rank) return false;
        }
        return known->second = world_peer(definitions, communicator, 0, world_size_) == kNone;
    }

    void add(PeerEncoding encoding, ListedArgument& argument) {
        const std::size_t size = argument.variants[0].values.values.size();
        if (size == 0 || size > kMostFunctions) return;
        std::vector<std::vector<u64>> peers(size, std::vector<u64>(ranks_.size()));
        for (const ListedVariant& variant : argument.variants) {
            const std::vector<u64>& values = variant.values.values;
            if (values.size() != size) return;
            for (const u32 rank : variant.participants.members()) {
                const auto place = std::lower_bound(ranks_.begin(), ranks_.end(), rank);
                const auto at = static_cast<std::size_t>(place - ranks_.begin());
                for (std::size_t i = 0; i < size; ++i) {
                    peers[i][at] = rank + relative_peer(values[i], encoding, rank, world_size_);
                }
            }
        }
        std::vector<std::optional<std::string>> others;
        for (const std::vector<u64>& all : peers) {
            others.push_back(text_without_grid({ranks_, all, world_size_}));
        }
        arguments_.push_back({&argument, std::move(peers), std::move(others)});
    }

    [[nodiscard]] Explanation explain(const RankGrid& grid) const {
        Explanation explanation;
        for (const Argument& argument : arguments_) {
            Places places = places_of(argument, grid);
            explanation.merit[0] += places.empty() ? 0U : 1U;
            for (const std::optional<PlaceInGrid>& place : places) {
                explanation.merit[1] += place && place->shows_grid ? 1U : 0U;
                explanation.merit[2] += place && place->is_displaced ? 1U : 0U;
            }
            explanation.places.push_back(std::move(places));
        }
        return explanation;
    }

    [[nodiscard]] Places places_of(const Argument& argument, const RankGrid& grid) const {
        Places all;
        for (std::size_t i = 0; i < argument.peers.size(); ++i) {
            all.push_back(place_in_grid({ranks_, argument.peers[i], world_size_}, grid));
            if (!all.back() && !argument.others[i]) return {};
        }
        return all;
    }

    /// Empty if a peer is no function. Without a grid that shows, other forms come first.
    static std::vector<std::string> texts_of(const Places& places,
                                             const std::vector<std::optional<std::string>>& others,
                                             bool grid_shows) {
        std::vector<std::string> texts;
        for (std::size_t i = 0; i < places.size(); ++i) {
            if (others[i] && !(grid_shows && places[i])) {
                texts.push_back(*others[i]);
                continue;
            }
            // Half way round, peers are displaced in some wrong grid by chance.
            if (!grid_shows && places[i]->is_displaced) return {};
            texts.push_back(places[i]->text);
        }
        return texts;
    }

    ListingSource& source_;
    u32 world_size_;
    std::vector<u32> ranks_;  ///< of the script, rising
    std::vector<RankGrid> grids_;
    std::vector<Argument> arguments_;
    std::map<u64, bool> worlds_;
};

}  // namespace

void list_functions(ListingSource& source, ListedScript& listed) {
    FunctionTeller teller(source, listed);
    if (!teller.has_grids()) return;
    for (ListedNode& node : listed.nodes) {
        if (node.symbol != kNone) teller.add(node.symbol, node.records);
    }
    for (ListedPlace& at : listed.places) {
        const ListedNode& node = listed.nodes[listed.node_at(at.place)];
        if (node.symbol != kNone) teller.add(node.symbol, at.records);
    }
    teller.tell();
}

}  // namespace tracefold
