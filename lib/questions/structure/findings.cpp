// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "questions/structure/findings.hpp"

#include "model/definition_table.hpp"
#include "model/record_kinds.hpp"
#include "questions/matrix/traffic_matrix.hpp"
#include "questions/structure/iterations.hpp"

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <functional>
#include <map>
#include <set>
#include <unordered_map>

namespace tracefold {

namespace {

using Grid = std::vector<u32>;
using Offset = Stencil::Offset;

/// Enumerates ordered factorisations of a number into factors of at least 2.
void for_each_grid(u32 ranks, Grid& grid, const std::function<void(const Grid&)>& sink) {
    if (ranks == 1) {
        sink(grid);
        return;
    }
    if (grid.size() == Stencil::kMostDimensions) return;
    for (u32 factor = 2; factor <= ranks; ++factor) {
        if (ranks % factor != 0) continue;
        grid.push_back(factor);
        for_each_grid(ranks / factor, grid, sink);
        grid.pop_back();
    }
}

/// Tries one grid.
class Fit {
  public:
    Fit(const Grid& grid, int reach) : reach_(reach) {
        stencil_.grid = grid;
        wraps_.assign(grid.size(), false);
    }

    std::optional<Stencil> run(const RankPairs& pairs) {
        for (const auto& [from, to] : pairs) {
            const std::optional<Offset> offset = within_reach(from, to);
            if (!offset) return std::nullopt;
            if (known_.insert(*offset).second) stencil_.offsets.push_back(*offset);
        }
        if (!moves_everywhere() || wanted_pairs() != pairs.size()) return std::nullopt;
        std::sort(stencil_.offsets.begin(), stencil_.offsets.end());
        for (std::size_t i = 0; i < wraps_.size(); ++i) {
            const bool known = stencil_.grid[i] > 2;
            stencil_.periodic.push_back(known ? std::optional<bool>(wraps_[i]) : std::nullopt);
        }
        return std::move(stencil_);
    }

  private:
    /// Marks dimensions as periodic where the pair is close only by wrapping around.
    std::optional<Offset> within_reach(u32 from, u32 to) {
        Offset offset{};
        for (std::size_t i = stencil_.grid.size(); i-- > 0;) {
            const u32 size = stencil_.grid[i];
            int way = static_cast<int>(to % size) - static_cast<int>(from % size);
            if (std::abs(way) > reach_) {
                way += way < 0 ? static_cast<int>(size) : -static_cast<int>(size);
                if (std::abs(way) > reach_) return std::nullopt;
                wraps_[i] = true;
            }
            offset[i] = way;
            from /= size;
            to /= size;
        }
        return offset;
    }

    /// Rejects grids that have a dimension without neighbours.
    [[nodiscard]] bool moves_everywhere() const {
        for (std::size_t i = 0; i < stencil_.grid.size(); ++i) {
            const auto moves = [i](const Offset& offset) { return offset[i] != 0; };
            if (std::none_of(stencil_.offsets.begin(), stencil_.offsets.end(), moves)) return false;
        }
        return true;
    }

    /// Rank pairs that the offsets imply; the observed pairs are a subset.
    [[nodiscard]] u64 wanted_pairs() const {
        u64 sum = 0;
        for (const Offset& offset : stencil_.offsets) {
            u64 pairs = 1;
            for (std::size_t i = 0; i < stencil_.grid.size(); ++i) {
                const u64 size = stencil_.grid[i];
                pairs *= wraps_[i] ? size : size - static_cast<u64>(std::abs(offset[i]));
            }
            sum += pairs;
        }
        return sum;
    }

    int reach_;
    Stencil stencil_;
    std::vector<bool> wraps_;  ///< by dimension: neighbours are across the border
    std::set<Offset> known_;
};

}  // namespace

int Stencil::moves(const Offset& offset) {
    return static_cast<int>(
        std::count_if(offset.begin(), offset.end(), [](int way) { return way != 0; }));
}

Offset Stencil::offset(u32 from, u32 to) const {
    Offset offset{};
    for (std::size_t i = grid.size(); i-- > 0;) {
        const int size = static_cast<int>(grid[i]);
        int way = static_cast<int>(to % grid[i]) - static_cast<int>(from % grid[i]);
        if (periodic[i].value_or(false) && 2 * std::abs(way) > size) way += way < 0 ? size : -size;
        offset[i] = way;
        from /= grid[i];
        to /= grid[i];
    }
    return offset;
}

std::optional<Stencil> fit_stencil(const std::vector<u32>& grid, const RankPairs& pairs) {
    for (int reach = 1; reach <= 2; ++reach) {
        if (auto fit = Fit(grid, reach).run(pairs)) return fit;
    }
    return std::nullopt;
}

std::optional<Stencil> find_stencil(u32 ranks, const RankPairs& pairs) {
    std::optional<Stencil> best;
    if (ranks < 2 || pairs.empty()) return best;
    for (int reach = 1; reach <= 2 && !best; ++reach) {
        Grid grid;
        for_each_grid(ranks, grid, [&](const Grid& candidate) {
            std::optional<Stencil> fit = Fit(candidate, reach).run(pairs);
            if (fit && (!best || fit->offsets.size() < best->offsets.size())) best = std::move(fit);
        });
    }
    if (best) best->complete = pairs.size() == u64{ranks} * (ranks - 1);
    return best;
}

namespace {

/// Collects rank pairs with messages and the collective operations.
class TrafficFindings {
  public:
    TrafficFindings(TraceFile& file, ListingSource& source)
        : names_(file.definitions()), ranks_(file.definitions().world_size()), source_(source) {
        const std::vector<bool> all(file.location_count(), true);
        visit_transfers(file, source.counts(), all, [this](const Transfer& t) { add(t); });
        std::set<std::string> recorded;
        for (const auto& [place, calls] : collectives_) {
            recorded.insert(source.calls().name(place.first));
        }
        const auto& symbols = source.structure().symbols;
        for (u32 symbol = 0; symbol < symbols.size(); ++symbol) {
            // A call with calls or repeated records within has a symbol for either end.
            const std::vector<Element>& elements = symbols[symbol].elements;
            if (elements.empty() || !is_enter(elements.front().type)) continue;
            const std::string name = source.calls().name(symbol);
            const bool is_window = !accesses_.empty() && is_of_family(name, CallFamily::window);
            // Such as MPI_Comm_free of an intercommunicator, whose other calls have records.
            const bool lacks_record = recorded.contains(name) && is_leave(elements.back().type);
            if (!is_window && !lacks_record) continue;
            for (const u32 location : source.counts().members_of_symbol(symbol).members()) {
                auto& calls = is_window ? window_calls_ : collectives_;
                calls.try_emplace({symbol, location}, source.counts().calls(symbol, location));
            }
        }
    }

    /// Windows, accesses to them, and calls. `steps` may be null.
    [[nodiscard]] std::optional<OneSided> one_sided(const std::vector<MainLoop>& loops,
                                                    const ProgramSteps* steps,
                                                    const std::vector<CartGrid>& grids) {
        if (accesses_.empty() || window_calls_.empty()) return std::nullopt;
        OneSided found;
        sizes_.swap(accesses_);
        found.targets = neighbourhood(steps, grids);
        sizes_.swap(accesses_);
        collectives_.swap(window_calls_);
        found.calls = collectives(loops, steps);
        collectives_.swap(window_calls_);
        for (const auto& [pair, size] : accesses_) {
            found.accesses += size.messages;
            found.bytes += size.all_bytes;
        }
        return found;
    }

    /// A stencil has several offsets, recurs in most steps, and has the same number of messages
    /// over each offset on all ranks. The first grid that the program defines for all ranks must
    /// fit; without one, a grid is searched. `steps` may be null.
    [[nodiscard]] Neighbourhood neighbourhood(const ProgramSteps* steps,
                                              const std::vector<CartGrid>& grids) const {
        Neighbourhood found;
        RankPairs pairs;
        RankPairs steady;
        std::map<u32, u64> partners;
        for (const auto& [pair, size] : sizes_) {
            if (pair.first == pair.second) continue;
            pairs.push_back(pair);
            if (steps != nullptr && size.messages * 2 >= steps->exchanges()) steady.push_back(pair);
            ++partners[pair.first];
        }
        found.ranks = ranks_;
        found.pairs = pairs.size();
        found.senders = partners.size();
        for (const auto& [rank, count] : partners) found.partners.add(count);
        if (steady.empty() || steps->messages_grow) return found;
        const std::optional<DefinedGrid> defined = defined_grid(grids);
        if (!defined && is_doubling(steps->rounds)) {
            found.doubling.assign(steps->rounds.begin(),
                                  steps->rounds.begin() + std::countr_zero(ranks_));
            found.sizes_double = do_sizes_double(found.doubling);
            if (found.sizes_double || found.doubling.size() > 2) return found;
        }
        found.stencil = stencil_of(steady, steps->exchanges(), defined);
        if (!found.stencil) return found;
        found.bytes_by_moves = bytes_by_moves(*found.stencil, steady);
        // All-to-all fits any grid unless faces, edges and corners differ in size.
        const std::vector<u64>& bytes = found.bytes_by_moves;
        const bool told_apart = std::set<u64>(bytes.begin(), bytes.end()).size() > 1;
        if (found.stencil->complete && ranks_ > 3 && !told_apart) found.stencil.reset();
        return found;
    }

    /// `steps` may be null.
    std::vector<CollectivePhase> collectives(const std::vector<MainLoop>& loops,
                                             const ProgramSteps* steps) {
        std::map<std::string, CollectivePhase> by_name;
        std::map<u32, PhaseOfSymbol> locations;
        for (const auto& [place, count] : collectives_) {
            const auto [symbol, location] = place;
            const std::string name = source_.calls().name(symbol);
            CollectivePhase& phase =
                by_name.try_emplace(name, CollectivePhase{name, 0, {}, true, {}}).first->second;
            phase.in_loop = phase.in_loop && is_in_loop(loops, symbol, location);
            locations[location][symbol] = &phase;
        }
        for (const auto& [location, symbols] : locations) {
            add_location(location, symbols, steps == nullptr ? nullptr : steps->of(location));
        }
        std::vector<CollectivePhase> phases;
        for (auto& [name, phase] : by_name) phases.push_back(std::move(phase));
        std::stable_sort(phases.begin(), phases.end(),
                         [](const auto& a, const auto& b) { return a.calls.most > b.calls.most; });
        return phases;
    }

  private:
    /// Number of messages of a pair, and their size if it is uniform.
    struct Size {
        u64 bytes = 0;
        bool fixed = true;
        u64 messages = 0;
        u64 all_bytes = 0;
    };

    using PhaseOfSymbol = std::map<u32, CollectivePhase*>;

    void add_location(u32 location, const PhaseOfSymbol& symbols, const LocationSteps* steps) {
        std::map<CollectivePhase*, u64> calls;
        for (const auto& [symbol, phase] : symbols) {
            calls[phase] += collectives_.at({symbol, location});
        }
        std::map<CollectivePhase*, CallPlaces> places;
        if (steps != nullptr) places = places_of(location, symbols, *steps);
        for (const auto& [phase, count] : calls) {
            phase->calls.add(count);
            CallPlaces& own = places[phase];
            const bool known = own.calls() == count;
            const bool first = ++phase->ranks == 1;
            if (first && known) {
                phase->places = std::move(own);
            } else if (!known || phase->places != own) {
                phase->places.reset();
            }
        }
    }

    std::map<CollectivePhase*, CallPlaces> places_of(u32 location, const PhaseOfSymbol& symbols,
                                                     const LocationSteps& steps) {
        std::map<CollectivePhase*, CallPlaces> places;
        const u32 script = source_.index().script(Stream::events, location);
        const std::vector<u32>& leaves = source_.structure().scripts[script].symbols;
        std::vector<CallPlaces*> of_leaf;
        for (const u32 symbol : leaves) {
            const auto found = symbols.find(symbol);
            of_leaf.push_back(found == symbols.end() ? nullptr : &places[found->second]);
        }
        PatternCursor cursor = script_cursor(source_.index(), script, location);
        u64 call = 0;
        for (PatternCursor::Run run{0, 0}; cursor.next_whole(run); call += run.count) {
            if (of_leaf[run.leaf] != nullptr) of_leaf[run.leaf]->add(steps, call, run.count);
        }
        return places;
    }

    /// True for 1, 2, 4, ... or the reverse, over and over: all powers of two below the number of
    /// ranks.
    [[nodiscard]] bool is_doubling(const std::vector<u32>& rounds) const {
        if (ranks_ < 4 || !std::has_single_bit(ranks_)) return false;
        const auto period = static_cast<std::size_t>(std::countr_zero(ranks_));
        if (rounds.empty() || rounds.size() % period != 0) return false;
        const auto has = [&](bool rises) {
            for (std::size_t i = 0; i < rounds.size(); ++i) {
                const std::size_t bit = rises ? i % period : period - 1 - i % period;
                if (rounds[i] != u32{1} << bit) return false;
            }
            return true;
        };
        return has(true) || has(false);
    }

    [[nodiscard]] bool do_sizes_double(const std::vector<u32>& rounds) const {
        std::vector<u64> bytes;
        for (const u32 round : rounds) bytes.push_back(sizes_.at({0, round}).bytes);
        for (u32 rank = 0; rank < ranks_; ++rank) {
            for (std::size_t i = 0; i < rounds.size(); ++i) {
                const Size& size = sizes_.at({rank, rank ^ rounds[i]});
                if (!size.fixed || size.bytes != bytes[i]) return false;
            }
        }
        const auto doubles = [](u64 a, u64 b) { return b == 2 * a; };
        const auto differs = [&](auto begin, auto end) {
            return std::adjacent_find(begin, end, std::not_fn(doubles)) != end;
        };
        return bytes.front() != 0 &&
               (!differs(bytes.begin(), bytes.end()) || !differs(bytes.rbegin(), bytes.rend()));
    }

    struct DefinedGrid {
        Grid sizes;
        std::vector<std::optional<bool>> periodic;
    };

    /// The first topology of all ranks, without dimensions of one rank.
    [[nodiscard]] std::optional<DefinedGrid> defined_grid(
        const std::vector<CartGrid>& grids) const {
        for (const CartGrid& grid : grids) {
            DefinedGrid defined;
            u64 ranks = 1;
            for (std::size_t i = 0; i < grid.sizes.size(); ++i) {
                ranks *= grid.sizes[i];
                if (grid.sizes[i] < 2) continue;
                defined.sizes.push_back(static_cast<u32>(grid.sizes[i]));
                defined.periodic.emplace_back(grid.periodic[i]);
            }
            if (ranks == ranks_ && !defined.sizes.empty()) return defined;
        }
        return std::nullopt;
    }

    /// Two ranks are no evidence of a grid that the program does not define.
    [[nodiscard]] std::optional<Stencil> stencil_of(
        const RankPairs& pairs, u64 steps, const std::optional<DefinedGrid>& defined) const {
        if (!defined && ranks_ == 2) return std::nullopt;
        std::optional<Stencil> found =
            defined ? fit_stencil(defined->sizes, pairs) : find_stencil(ranks_, pairs);
        if (!found || found->offsets.size() < 2) return std::nullopt;
        const auto messages = messages_by_offset(*found, pairs, steps);
        if (!messages) return std::nullopt;
        if (defined) {
            found->periodic = defined->periodic;
        } else {
            infer_periodic(*found, *messages);
        }
        std::map<u32, u64> neighbours;
        for (const auto& pair : pairs) ++neighbours[pair.first];
        for (const auto& [rank, number] : neighbours) {
            found->most_neighbours = std::max(found->most_neighbours, number);
        }
        return found;
    }

    /// Messages per step over each offset; nullopt if their number differs between ranks.
    [[nodiscard]] std::optional<std::map<Offset, u64>> messages_by_offset(const Stencil& stencil,
                                                                          const RankPairs& pairs,
                                                                          u64 steps) const {
        std::map<Offset, u64> messages;
        for (const auto& pair : pairs) {
            const u64 in_step = (sizes_.at(pair).messages + steps / 2) / steps;
            const auto [found, fresh] =
                messages.emplace(stencil.offset(pair.first, pair.second), in_step);
            if (found->second != in_step) return std::nullopt;
        }
        return messages;
    }

    /// In a dimension of two ranks, a neighbour gets as many messages as in longer dimensions, or
    /// twice as many, one in each direction, if the dimension is periodic.
    static void infer_periodic(Stencil& stencil, const std::map<Offset, u64>& messages) {
        std::set<u64> usual;
        std::vector<u64> between_two(stencil.dimensions());
        for (const auto& [offset, number] : messages) {
            if (Stencil::moves(offset) != 1) continue;
            const auto dimension = static_cast<std::size_t>(
                std::ranges::find_if(offset, [](int way) { return way != 0; }) - offset.begin());
            if (stencil.grid[dimension] == 2) {
                between_two[dimension] = number;
            } else {
                usual.insert(number);
            }
        }
        if (usual.size() != 1) return;
        for (std::size_t i = 0; i < stencil.dimensions(); ++i) {
            const bool twice = between_two[i] == 2 * *usual.begin();
            if (twice || between_two[i] == *usual.begin()) stencil.periodic[i] = twice;
        }
    }

    static bool is_in_loop(const std::vector<MainLoop>& loops, u32 symbol, u32 location) {
        return std::any_of(loops.begin(), loops.end(), [symbol, location](const MainLoop& loop) {
            return std::binary_search(loop.symbols.begin(), loop.symbols.end(), symbol) &&
                   loop.participants.contains(location);
        });
    }

    void add(const Transfer& transfer) {
        if (transfer.kind == Transfer::Kind::collective) {
            collectives_[{transfer.symbol, transfer.location}] += transfer.calls();
        }
        const u32 me = names_.process(transfer.location);
        if (transfer.kind == Transfer::Kind::receive ||
            transfer.kind == Transfer::Kind::collective || transfer.peer >= ranks_ || me >= ranks_)
            return;
        auto& sizes = transfer.kind == Transfer::Kind::send ? sizes_ : accesses_;
        const auto [found, fresh] = sizes.emplace(std::pair(me, transfer.peer), Size{});
        Size& size = found->second;
        const ValueRun& moved =
            transfer.kind == Transfer::Kind::get ? transfer.received : transfer.sent;
        const u64 bytes = moved.start;
        size.fixed = (fresh || (size.fixed && size.bytes == bytes)) && moved.stride == 0;
        size.all_bytes += transfer.bytes_sent() + transfer.bytes_received();
        size.bytes = bytes;
        size.messages += transfer.calls();
    }

    [[nodiscard]] std::vector<u64> bytes_by_moves(const Stencil& stencil,
                                                  const RankPairs& pairs) const {
        std::map<int, u64> bytes;
        for (const auto& pair : pairs) {
            const Size& size = sizes_.at(pair);
            const int moves = Stencil::moves(stencil.offset(pair.first, pair.second));
            const auto [found, fresh] = bytes.emplace(moves, size.bytes);
            if (!size.fixed || found->second != size.bytes) return {};
        }
        std::vector<u64> list;
        list.reserve(bytes.size());
        for (const auto& [moves, size] : bytes) list.push_back(size);
        return list;
    }

    ParticipantNames names_;
    u32 ranks_;
    ListingSource& source_;
    std::map<std::pair<u32, u32>, Size> sizes_;
    std::map<std::pair<u32, u32>, Size> accesses_;     ///< as `sizes_`, to windows
    std::map<std::pair<u32, u32>, u64> window_calls_;  ///< as `collectives_`
    std::map<std::pair<u32, u32>, u64> collectives_;   ///< by symbol and location
};

bool is_of_mpi(const DefinitionIndex& definitions, u64 communicator) {
    const CommunicatorDefinition* found = definitions.communicator(communicator);
    const GroupDefinition* group = found == nullptr ? nullptr : definitions.group(found->group);
    return group != nullptr && group->paradigm == kParadigmMpi;
}

std::vector<CartGrid> cart_grids(TraceFile& file) {
    std::unordered_map<u64, std::pair<u64, bool>> dimensions;
    std::vector<CartGrid> grids;
    for_each_record(*file.global_definitions(), [&](const auto& head, auto v) {
        if (head.type == static_cast<u8>(DefinitionType::CartDimension)) {
            dimensions[v[0]] = {v[2], v[3] != 0};
        } else if (head.type == static_cast<u8>(DefinitionType::CartTopology) &&
                   is_of_mpi(file.definitions(), v[2])) {
            CartGrid grid{file.definitions().string(v[1]), {}, {}};
            for (const u64 dimension : v.subspan(4)) {
                grid.sizes.push_back(dimensions[dimension].first);
                grid.periodic.push_back(dimensions[dimension].second);
            }
            grids.push_back(std::move(grid));
        }
    });
    return grids;
}

u64 number_of_windows(TraceFile& file) {
    u64 number = 0;
    for_each_record(*file.global_definitions(), [&number](const auto& head, auto) {
        number += head.type == static_cast<u8>(DefinitionType::RmaWin) ? 1 : 0;
    });
    return number;
}

/// Share of the time in MPI functions, which are identified by their paradigm.
double mpi_share(TraceFile& file, ListingSource& source, const CallTimes& times) {
    u64 ticks = 0;
    for (u32 symbol = 0; symbol < times.inside.size(); ++symbol) {
        const std::vector<Element>& elements = file.structure().symbols[symbol].elements;
        if (times.inside[symbol] == 0 || elements.front().type != static_cast<u8>(EventType::Enter))
            continue;
        const u64 region =
            source.calls().global(symbol, FieldKind::region, elements.front().context);
        if (file.definitions().is_mpi_region(region)) ticks += times.inside[symbol];
    }
    return times.total == 0 ? 0 : static_cast<double>(ticks) / static_cast<double>(times.total);
}

}  // namespace

Findings summarise(TraceFile& file, ListingSource& source, FoundSteps& steps,
                   const CallTimes* times) {
    Findings findings;
    findings.loops = main_loops(source.structure(), source.counts());
    const ProgramSteps* const found = steps.get() ? &*steps.get() : nullptr;
    if (found == nullptr) findings.no_steps = steps.none();
    if (found != nullptr) {
        findings.steps = found->count;
        findings.steps_otherwise = found->otherwise;
        findings.exchange_every = found->exchange_every;
        findings.phases = found->phases;
        findings.step_region = find_step_region(file, *found);
        if (const auto& within = found->within) {
            findings.within_step = {within->steps, within->fewest, within->most,
                                    find_step_region(file, within->location, within->iterations)};
        }
    }
    TrafficFindings traffic(file, source);
    findings.grids = cart_grids(file);
    findings.neighbourhood = traffic.neighbourhood(found, findings.grids);
    findings.collectives = traffic.collectives(findings.loops, found);
    findings.one_sided = traffic.one_sided(findings.loops, found, findings.grids);
    if (findings.one_sided) findings.one_sided->windows = number_of_windows(file);
    const bool has_mpi = file.definitions().world_size() != 0;
    if (times != nullptr && has_mpi) findings.mpi_share = mpi_share(file, source, *times);
    return findings;
}

}  // namespace tracefold
