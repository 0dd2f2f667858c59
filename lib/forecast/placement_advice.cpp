// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "forecast/placement_advice.hpp"

#include "base/error.hpp"
#include "model/participant_names.hpp"
#include "questions/matrix/transfers.hpp"

#include <algorithm>
#include <array>
#include <numeric>
#include <optional>
#include <queue>
#include <utility>

namespace tracefold {

TrafficGraph::TrafficGraph(u32 vertices, std::vector<Edge> edges) : first_(vertices + 1) {
    std::erase_if(edges, [](const Edge& edge) { return edge.from == edge.to || edge.bytes == 0; });
    const std::size_t given = edges.size();
    edges.reserve(2 * given);
    for (std::size_t i = 0; i < given; ++i)
        edges.push_back({edges[i].to, edges[i].from, edges[i].bytes});
    std::ranges::sort(edges, {}, [](const Edge& edge) { return std::pair(edge.from, edge.to); });
    for (std::size_t i = 0; i < edges.size(); ++i) {
        const bool is_new =
            i == 0 || edges[i - 1].from != edges[i].from || edges[i - 1].to != edges[i].to;
        if (is_new) {
            neighbours_.push_back({edges[i].to, 0});
            ++first_[edges[i].from + std::size_t{1}];
        }
        neighbours_.back().bytes += edges[i].bytes;
    }
    std::partial_sum(first_.begin(), first_.end(), first_.begin());
}

u64 TrafficGraph::cut(std::span<const u32> part_of) const {
    u64 bytes = 0;
    for (u32 vertex = 0; vertex < size(); ++vertex) {
        for (const Neighbour& to : neighbours(vertex)) {
            if (part_of[vertex] < part_of[to.vertex]) bytes += to.bytes;
        }
    }
    return bytes;
}

TrafficGraph TrafficGraph::contracted(std::span<const u32> part_of, u32 parts) const {
    std::vector<Edge> edges;
    for (u32 vertex = 0; vertex < size(); ++vertex) {
        for (const Neighbour& to : neighbours(vertex)) {
            if (part_of[vertex] < part_of[to.vertex])
                edges.push_back({part_of[vertex], part_of[to.vertex], to.bytes});
        }
    }
    return {parts, std::move(edges)};
}

namespace {

constexpr std::size_t kMostDimensions = 4;
constexpr std::size_t kSample = 20000;
/// Share of the sampled traffic that neighbours of a grid exchange.
constexpr double kGridShare = 0.9;
constexpr int kMostPasses = 12;
constexpr u32 kMostOfTwo = u32{1} << 18U;  ///< vertices of graphs for which two ways are tried

/// Extents of a Cartesian grid, the fastest first.
using Extents = std::vector<u32>;

/// Passes all ways to write a number as a product of at most so many factors above 1.
template <class Sink>
void factorize(u32 number, std::size_t most, Extents& factors, const Sink& sink) {
    if (number == 1) return sink(factors);
    if (most == 0) return;
    for (u32 factor = 2; factor <= number; ++factor) {
        if (number % factor != 0) continue;
        factors.push_back(factor);
        factorize(number / factor, most - 1, factors, sink);
        factors.pop_back();
    }
}

class GridSearch {
  public:
    explicit GridSearch(const TrafficGraph& graph) : graph_(graph) {
        // Evenly over the vertices.
        const u32 step = std::max(1U, static_cast<u32>(graph.size() / (kSample / 8)));
        for (u32 vertex = 0; vertex < graph.size(); vertex += step) {
            for (const TrafficGraph::Neighbour& to : graph.neighbours(vertex)) {
                sample_.push_back({vertex, to.vertex, to.bytes});
                bytes_ += static_cast<double>(to.bytes);
            }
        }
        std::stable_sort(sample_.begin(), sample_.end(),
                         [](const auto& a, const auto& b) { return a.bytes > b.bytes; });
    }

    /// Blocks of equal size of the grid in which neighbours exchange most; none if there is none.
    [[nodiscard]] std::optional<std::vector<u32>> blocks(u32 size) const {
        if (sample_.empty()) return std::nullopt;
        Extents grid;
        double least = 0;
        Extents extents;
        factorize(graph_.size(), kMostDimensions, extents, [&](const Extents& tried) {
            const std::optional<double> distance = distance_on(tried);
            if (!distance || (!grid.empty() && *distance >= least)) return;
            least = *distance;
            grid = tried;
        });
        if (grid.empty()) return std::nullopt;
        Extents best;
        double crossing = 0;
        Extents block;
        divide(grid, size, block, [&](const Extents& tried) {
            const double bytes = bytes_across(grid, tried);
            if (!best.empty() && bytes >= crossing) return;
            crossing = bytes;
            best = tried;
        });
        if (best.empty()) return std::nullopt;
        std::vector<u32> part_of(graph_.size());
        for (u32 vertex = 0; vertex < graph_.size(); ++vertex)
            part_of[vertex] = block_of(vertex, grid, best);
        return part_of;
    }

  private:
    /// Passes all blocks of a size of which a whole number fits into each extent.
    template <class Sink>
    static void divide(const Extents& grid, u32 size, Extents& block, const Sink& sink) {
        if (block.size() == grid.size()) {
            if (size == 1) sink(block);
            return;
        }
        const u32 extent = grid[block.size()];
        for (u32 length = 1; length <= std::min(extent, size); ++length) {
            if (extent % length != 0 || size % length != 0) continue;
            block.push_back(length);
            divide(grid, size / length, block, sink);
            block.pop_back();
        }
    }

    /// Mean distance of the sampled traffic on the grid, whose dimensions may be periodic; none if
    /// too much of it is not between neighbours, diagonal ones among them.
    [[nodiscard]] std::optional<double> distance_on(const Extents& grid) const {
        double far = 0;
        double sum = 0;
        for (const TrafficGraph::Edge& edge : sample_) {
            u32 from = edge.from;
            u32 to = edge.to;
            u32 longest = 0;
            u32 distance = 0;
            for (const u32 extent : grid) {
                const u32 apart =
                    std::max(from % extent, to % extent) - std::min(from % extent, to % extent);
                const u32 steps = std::min(apart, extent - apart);
                longest = std::max(longest, steps);
                distance += steps;
                from /= extent;
                to /= extent;
            }
            if (longest > 1) far += static_cast<double>(edge.bytes);
            if (far > (1 - kGridShare) * bytes_) return std::nullopt;
            sum += static_cast<double>(edge.bytes) * distance;
        }
        return sum / bytes_;
    }

    static u32 block_of(u32 vertex, const Extents& grid, const Extents& block) {
        u32 number = 0;
        u32 stride = 1;
        for (std::size_t i = 0; i < grid.size(); ++i) {
            number += vertex % grid[i] / block[i] * stride;
            stride *= grid[i] / block[i];
            vertex /= grid[i];
        }
        return number;
    }

    [[nodiscard]] double bytes_across(const Extents& grid, const Extents& block) const {
        double bytes = 0;
        for (const TrafficGraph::Edge& edge : sample_) {
            if (block_of(edge.from, grid, block) != block_of(edge.to, grid, block))
                bytes += static_cast<double>(edge.bytes);
        }
        return bytes;
    }

    const TrafficGraph& graph_;
    std::vector<TrafficGraph::Edge> sample_;  ///< heaviest first
    double bytes_ = 0;                        ///< of the sample
};

/// Divides vertices into halves again and again: the first half grows by the vertex that reduces
/// the traffic between the halves most, then both exchange vertices (Fiduccia, Mattheyses: 1982),
/// in pairs, so that sizes stay.
class Bisection {
  public:
    explicit Bisection(const TrafficGraph& graph)
        : graph_(graph),
          part_of_(graph.size()),
          side_(graph.size()),
          gain_(graph.size()),
          is_moved_(graph.size()) {}

    std::vector<u32> run(std::span<const u32> sizes) {
        std::vector<u32> all(graph_.size());
        std::iota(all.begin(), all.end(), 0U);
        divide(all, sizes, 0);
        return std::move(part_of_);
    }

  private:
    enum class Side : u8 { none, first, second };
    struct Candidate {
        i64 gain = 0;  ///< bytes that its move to the other half takes from between the halves
        u32 vertex = 0;

        bool operator<(const Candidate& other) const {
            return gain != other.gain ? gain < other.gain : vertex > other.vertex;
        }
    };
    using Queue = std::priority_queue<Candidate>;

    static Side other(Side side) { return side == Side::first ? Side::second : Side::first; }

    /// Into parts of these sizes, numbered from `first`.
    void divide(std::span<u32> vertices, std::span<const u32> sizes, u32 first) {
        if (sizes.size() == 1) {
            for (const u32 vertex : vertices) part_of_[vertex] = first;
            return;
        }
        const std::span<const u32> half = sizes.first(sizes.size() / 2);
        const u32 wanted = std::accumulate(half.begin(), half.end(), 0U);
        grow(vertices, wanted);
        for (int pass = 0; pass < kMostPasses && exchange(vertices); ++pass) {
        }
        const auto rest = std::stable_partition(vertices.begin(), vertices.end(), [&](u32 vertex) {
            return side_[vertex] == Side::first;
        });
        for (const u32 vertex : vertices) side_[vertex] = Side::none;
        const auto count = static_cast<u32>(half.size());
        divide({vertices.begin(), rest}, half, first);
        divide({rest, vertices.end()}, sizes.subspan(count), first + count);
    }

    void grow(std::span<const u32> vertices, u32 wanted) {
        for (const u32 vertex : vertices) side_[vertex] = Side::second;
        for (const u32 vertex : vertices) gain_[vertex] = gain_of(vertex);
        Queue reached;
        std::size_t next = 0;
        reached.push({gain_[vertices.front()], vertices.front()});
        while (wanted != 0) {
            if (reached.empty()) {
                while (side_[vertices[next]] != Side::second) ++next;
                reached.push({gain_[vertices[next]], vertices[next]});
            }
            const Candidate best = reached.top();
            reached.pop();
            if (side_[best.vertex] != Side::second || best.gain != gain_[best.vertex]) continue;
            move(best.vertex, [&](u32 to) {
                if (side_[to] == Side::second) reached.push({gain_[to], to});
            });
            --wanted;
        }
    }

    [[nodiscard]] i64 gain_of(u32 vertex) const {
        i64 gain = 0;
        for (const auto& [to, bytes] : graph_.neighbours(vertex)) {
            if (side_[to] == Side::none) continue;
            gain += side_[to] == side_[vertex] ? -static_cast<i64>(bytes) : static_cast<i64>(bytes);
        }
        return gain;
    }

    template <class Sink>
    void move(u32 vertex, const Sink& changed) {
        side_[vertex] = other(side_[vertex]);
        gain_[vertex] = -gain_[vertex];
        for (const auto& [to, bytes] : graph_.neighbours(vertex)) {
            if (side_[to] == Side::none) continue;
            const i64 change = 2 * static_cast<i64>(bytes);
            gain_[to] += side_[to] == side_[vertex] ? -change : change;
            changed(to);
        }
    }

    /// Moves vertices in pairs, each once, and keeps the best beginning. False if it gained
    /// nothing.
    bool exchange(std::span<const u32> vertices) {
        std::array<Queue, 2> queues;
        const auto queue = [&](Side side) -> Queue& { return queues[side == Side::first ? 0 : 1]; };
        const auto put = [&](u32 vertex) { queue(side_[vertex]).push({gain_[vertex], vertex}); };
        for (const u32 vertex : vertices) put(vertex);
        std::vector<u32> moved;
        i64 gained = 0;
        i64 most = 0;
        std::size_t kept = 0;
        const auto move_best = [&](Side side) {
            Queue& own = queue(side);
            while (!own.empty()) {
                const auto [gain, vertex] = own.top();
                own.pop();
                if (is_moved_[vertex] || side_[vertex] != side || gain != gain_[vertex]) continue;
                is_moved_[vertex] = true;
                moved.push_back(vertex);
                gained += gain;
                move(vertex, [&](u32 to) {
                    if (!is_moved_[to]) put(to);
                });
                return true;
            }
            return false;
        };
        const std::size_t patience = 2 * (kPatience + vertices.size() / 32);
        while (moved.size() - kept < patience && move_best(Side::first) &&
               move_best(Side::second)) {
            if (gained <= most) continue;
            most = gained;
            kept = moved.size();
        }
        for (const u32 vertex : moved) is_moved_[vertex] = false;
        while (moved.size() > kept) {
            move(moved.back(), [](u32) {});
            moved.pop_back();
        }
        return most > 0;
    }

    static constexpr std::size_t kPatience = 50;  ///< pairs without a gain

    const TrafficGraph& graph_;
    std::vector<u32> part_of_;
    std::vector<Side> side_;  ///< of the vertices that are divided
    std::vector<i64> gain_;
    std::vector<bool> is_moved_;  ///< during exchange()
};

/// Exchanges vertices of two parts as long as that reduces the bytes between parts.
class Exchanges {
  public:
    Exchanges(const TrafficGraph& graph, std::size_t parts, std::vector<u32>& part_of)
        : graph_(graph),
          part_of_(part_of),
          members_(parts),
          place_(part_of.size()),
          with_part_(parts) {
        for (u32 vertex = 0; vertex < part_of.size(); ++vertex) {
            place_[vertex] = static_cast<u32>(members_[part_of[vertex]].size());
            members_[part_of[vertex]].push_back(vertex);
        }
    }

    void run() {
        for (int pass = 0; pass < kMostPasses; ++pass) {
            bool has_gained = false;
            for (u32 vertex = 0; vertex < part_of_.size(); ++vertex)
                has_gained = improve(vertex) || has_gained;
            if (!has_gained) return;
        }
    }

  private:
    using Gain = i64;

    /// Traffic of a vertex with a part, less that with its own one.
    [[nodiscard]] Gain pull(u32 vertex, u32 part) const {
        Gain gain = 0;
        for (const auto& [to, bytes] : graph_.neighbours(vertex)) {
            if (part_of_[to] == part) gain += static_cast<Gain>(bytes);
            if (part_of_[to] == part_of_[vertex]) gain -= static_cast<Gain>(bytes);
        }
        return gain;
    }
    [[nodiscard]] Gain between(u32 vertex, u32 other) const {
        const auto all = graph_.neighbours(vertex);
        const auto found =
            std::ranges::lower_bound(all, other, {}, &TrafficGraph::Neighbour::vertex);
        return found == all.end() || found->vertex != other ? 0 : static_cast<Gain>(found->bytes);
    }

    /// Exchanges the vertex with one of the part that pulls it most.
    bool improve(u32 vertex) {
        const u32 own = part_of_[vertex];
        for (const auto& [to, bytes] : graph_.neighbours(vertex))
            with_part_[part_of_[to]] += static_cast<Gain>(bytes);
        u32 target = own;
        for (const auto& [to, bytes] : graph_.neighbours(vertex)) {
            if (with_part_[part_of_[to]] > with_part_[target]) target = part_of_[to];
        }
        const Gain most = with_part_[target] - with_part_[own];
        for (const auto& [to, bytes] : graph_.neighbours(vertex)) with_part_[part_of_[to]] = 0;
        if (target == own) return false;
        u32 best = kNone;
        Gain gained = 0;
        for (const u32 other : members_[target]) {
            const Gain gain = most + pull(other, own) - 2 * between(vertex, other);
            if (gain <= gained) continue;
            gained = gain;
            best = other;
        }
        if (best == kNone) return false;
        std::swap(part_of_[vertex], part_of_[best]);
        std::swap(place_[vertex], place_[best]);
        members_[part_of_[vertex]][place_[vertex]] = vertex;
        members_[part_of_[best]][place_[best]] = best;
        return true;
    }

    const TrafficGraph& graph_;
    std::vector<u32>& part_of_;
    std::vector<std::vector<u32>> members_;  ///< by part
    std::vector<u32> place_;                 ///< of a vertex among its part's members
    std::vector<Gain> with_part_;            ///< 0, but for the vertex at hand
};

}  // namespace

void improve_parts(const TrafficGraph& graph, std::span<const u32> sizes,
                   std::vector<u32>& part_of) {
    std::vector<std::vector<u32>> candidates = {part_of};
    // Where sizes differ, no grid has blocks of them.
    if (std::ranges::all_of(sizes, [&](u32 size) { return size == sizes.front(); })) {
        std::optional<std::vector<u32>> blocks = GridSearch(graph).blocks(sizes.front());
        if (blocks) candidates.push_back(std::move(*blocks));
    }
    // Of large graphs with a grid, only its blocks are tried.
    if (candidates.size() == 1 || graph.size() <= kMostOfTwo)
        candidates.push_back(Bisection(graph).run(sizes));
    u64 least = graph.cut(part_of);
    for (std::vector<u32>& candidate : candidates) {
        Exchanges(graph, sizes.size(), candidate).run();
        const u64 bytes = graph.cut(candidate);
        if (bytes >= least) continue;
        least = bytes;
        part_of = candidate;
    }
}

namespace {

TrafficGraph message_graph(TraceFile& file) {
    const u32 ranks = file.definitions().world_size();
    const ParticipantNames names(file.definitions());
    std::vector<TrafficGraph::Edge> edges;
    ExecutionCounts counts(file.index());
    const std::vector<bool> all(file.location_count(), true);
    visit_transfers(file, counts, all, [&](const Transfer& transfer) {
        if (transfer.kind != Transfer::Kind::send) return;
        const u32 rank = names.process(transfer.location);
        if (rank < ranks && transfer.peer < ranks)
            edges.push_back({rank, transfer.peer, transfer.bytes_sent()});
    });
    return {ranks, std::move(edges)};
}

/// Sizes of parts that hold so many things together.
std::vector<u32> sizes_of_parts(u32 things, u32 size) {
    std::vector<u32> sizes(things / size, size);
    if (things % size != 0) sizes.push_back(things % size);
    return sizes;
}

/// Searches the order of ranks on cores level by level.
class OrderSearch {
  public:
    OrderSearch(const TrafficGraph& graph, const Network& network, const Placement& placement)
        : graph_(graph), network_(network), placement_(placement) {}

    std::vector<u32> run() {
        std::vector<u32> node_of = placement_.node_of_rank;
        improve_parts(graph_, placement_.node_sizes, node_of);
        const std::vector<u32> nodes = order_of_nodes(node_of);
        std::vector<std::vector<u32>> ranks_of(placement_.nodes());
        for (const u32 rank : placement_.order()) ranks_of[node_of[rank]].push_back(rank);
        std::vector<u32> order;
        for (const u32 node : nodes) {
            arrange_cores(ranks_of[node]);
            order.insert(order.end(), ranks_of[node].begin(), ranks_of[node].end());
        }
        return order;
    }

  private:
    /// The parts of ranks in the order in which they go on the nodes.
    [[nodiscard]] std::vector<u32> order_of_nodes(std::span<const u32> node_of) const {
        std::vector<u32> order(placement_.nodes());
        std::iota(order.begin(), order.end(), 0U);
        const std::vector<u32>& sizes = placement_.node_sizes;
        if (std::ranges::any_of(sizes, [&](u32 size) { return size != sizes.front(); }))
            return order;
        // Units of a level become the vertices of the next one.
        TrafficGraph graph = graph_.contracted(node_of, placement_.nodes());
        std::vector<std::vector<u32>> units;
        for (const u32 node : order) units.push_back({node});
        u32 size = 1;
        for (const NetworkLevel& level : network_.levels) {
            if (level.nodes == 0) continue;
            const std::vector<u32> parts =
                sizes_of_parts(static_cast<u32>(units.size()), level.nodes / size);
            std::vector<u32> part_of;
            for (u32 part = 0; part < parts.size(); ++part)
                part_of.insert(part_of.end(), parts[part], part);
            improve_parts(graph, parts, part_of);
            std::vector<std::vector<u32>> joined(parts.size());
            for (std::size_t unit = 0; unit < units.size(); ++unit) {
                std::vector<u32>& to = joined[part_of[unit]];
                to.insert(to.end(), units[unit].begin(), units[unit].end());
            }
            graph = graph.contracted(part_of, static_cast<u32>(parts.size()));
            units = std::move(joined);
            size = level.nodes;
            // A unit that is not full is the last one, and cannot move.
            if (placement_.nodes() % level.nodes != 0) break;
        }
        order.clear();
        for (const std::vector<u32>& unit : units)
            order.insert(order.end(), unit.begin(), unit.end());
        return order;
    }

    /// Orders the ranks of a node on its cores, the outermost level first.
    void arrange_cores(std::vector<u32>& ranks) const {
        for (u32 level = network_.node_level; level-- != 0;)
            arrange(ranks, network_.levels[level].cores,
                    level + 1 == network_.node_level ? static_cast<u32>(ranks.size())
                                                     : network_.levels[level + 1].cores);
    }

    /// Divides each unit of `whole` cores into units of `size` cores.
    void arrange(std::vector<u32>& ranks, u32 size, u32 whole) const {
        for (std::size_t begin = 0; begin < ranks.size(); begin += whole) {
            const std::size_t end = std::min(ranks.size(), begin + whole);
            const std::span<u32> unit(ranks.data() + begin, end - begin);
            if (unit.size() <= size) continue;
            const std::vector<u32> sizes = sizes_of_parts(static_cast<u32>(unit.size()), size);
            std::vector<u32> part_of(unit.size());
            for (u32 at = 0; at < unit.size(); ++at) part_of[at] = at / size;
            improve_parts(traffic_within(unit), sizes, part_of);
            std::vector<std::vector<u32>> parts(sizes.size());
            for (u32 at = 0; at < unit.size(); ++at) parts[part_of[at]].push_back(unit[at]);
            auto out = unit.begin();
            for (const std::vector<u32>& part : parts) out = std::ranges::copy(part, out).out;
        }
    }

    [[nodiscard]] TrafficGraph traffic_within(std::span<const u32> unit) const {
        std::vector<std::pair<u32, u32>> numbers;
        for (u32 at = 0; at < unit.size(); ++at) numbers.emplace_back(unit[at], at);
        std::ranges::sort(numbers);
        std::vector<TrafficGraph::Edge> edges;
        for (const auto& [rank, at] : numbers) {
            for (const auto& [to, bytes] : graph_.neighbours(rank)) {
                const auto found = std::ranges::lower_bound(numbers, std::pair(to, 0U));
                if (to > rank && found != numbers.end() && found->first == to)
                    edges.push_back({at, found->second, bytes});
            }
        }
        return {static_cast<u32>(unit.size()), std::move(edges)};
    }

    const TrafficGraph& graph_;
    const Network& network_;
    const Placement& placement_;
};

/// Bytes by level.
std::vector<u64> traffic_by_level(const TrafficGraph& graph, const RankLevels& levels) {
    std::vector<u64> bytes(levels.levels());
    for (u32 rank = 0; rank < graph.size(); ++rank) {
        for (const auto& to : graph.neighbours(rank)) {
            if (rank < to.vertex) bytes[levels.between(rank, to.vertex)] += to.bytes;
        }
    }
    return bytes;
}

/// Whether more bytes cross a boundary: go by some level or an outer one.
bool is_worse(std::span<const u64> after, std::span<const u64> before) {
    u64 bytes_after = 0;
    u64 bytes_before = 0;
    for (std::size_t level = before.size(); level-- != 0;) {
        bytes_after += after[level];
        bytes_before += before[level];
        if (bytes_after > bytes_before) return true;
    }
    return false;
}

}  // namespace

PlacementAdvice advise_placement(TraceFile& file, const Network& network,
                                 const Placement& placement) {
    const TrafficGraph graph = message_graph(file);
    const std::vector<u64> before = traffic_by_level(graph, RankLevels(network, placement));
    if (std::ranges::all_of(before, [](u64 bytes) { return bytes == 0; })) {
        throw Error(ErrorKind::unsupported,
                    "no placement is better than another: ranks send no bytes to each other by "
                    "point-to-point messages");
    }
    PlacementAdvice advice;
    advice.order = OrderSearch(graph, network, placement).run();
    Placement placed = placement;
    placed.assign(advice.order);
    std::vector<u64> after = traffic_by_level(graph, RankLevels(network, placed));
    if (is_worse(after, before)) {
        after = before;
        advice.order = placement.order();
    }
    for (std::size_t level = 0; level < before.size(); ++level)
        advice.levels.push_back({before[level], after[level]});
    return advice;
}

}  // namespace tracefold
