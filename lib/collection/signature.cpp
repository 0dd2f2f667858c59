// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "collection/signature.hpp"

#include "base/hash.hpp"
#include "file/call_names.hpp"
#include "fold/structure_index.hpp"
#include "model/mpi_spelling.hpp"
#include "model/record_kinds.hpp"
#include "questions/matrix/transfers.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <map>
#include <unordered_map>
#include <utility>

namespace tracefold {

namespace {

using Feature = StructureSignature::Feature;

constexpr u64 combine(u64 a, u64 b) { return mix(mix(a) + b + 1); }

/// The calls of all features of one kind.
class FeatureShares {
  public:
    void add(u64 feature, double calls) {
        if (calls <= 0) return;
        calls_[feature] += calls;
        total_ += calls;
    }

    /// Appends the features; `kind` separates them from those of other kinds.
    void append_to(std::vector<Feature>& features, u64 kind) const {
        constexpr double kMostWeight = 15;
        for (const auto& [feature, calls] : calls_) {
            const double weight = 1 + std::floor(kMostWeight * std::sqrt(calls / total_));
            features.push_back({static_cast<u32>(combine(feature, kind)), static_cast<u8>(weight)});
        }
    }

  private:
    std::map<u64, double> calls_;
    double total_ = 0;
};

std::vector<Feature> joined(std::initializer_list<const FeatureShares*> kinds) {
    std::vector<Feature> features;
    u64 kind = 0;
    for (const FeatureShares* shares : kinds) shares->append_to(features, kind++);
    std::ranges::sort(features);
    const auto equal = [](const Feature& a, const Feature& b) { return a.hash == b.hash; };
    features.erase(std::unique(features.begin(), features.end(), equal), features.end());
    features.resize(std::min(features.size(), StructureSignature::kMostFeatures));
    return features;
}

class SignatureBuilder {
  public:
    explicit SignatureBuilder(TraceFile& file)
        : file_(file), structure_(file.structure()), counts_(file.index()) {}

    StructureSignature build() {
        name_operations();
        for (u32 script = 0; script < structure_.scripts.size(); ++script) {
            if (structure_.scripts[script].stream == Stream::events) add_script(script);
        }
        add_transfers();
        return {joined({&operations_, &depths_, &partners_, &sizes_}), joined({&bodies_, &pairs_})};
    }

  private:
    static constexpr u64 kNoOperation = 0;

    /// A node of a script without its counts.
    struct Node {
        u64 shape = kNoOperation;  ///< equal for equal bodies
        u64 first = kNoOperation;  ///< operation
        u64 last = kNoOperation;
        u64 depth = std::numeric_limits<u64>::max();  ///< minimum number of enclosing loops
    };

    void name_operations() {
        CallNames names(file_, counts_);
        std::unordered_map<u64, u64> known;  // by region
        operation_.assign(structure_.symbols.size(), kNoOperation);
        for (u32 symbol = 0; symbol < structure_.symbols.size(); ++symbol) {
            const std::vector<Element>& elements = structure_.symbols[symbol].elements;
            const bool enters = structure_.symbol_streams[symbol] == Stream::events &&
                                !elements.empty() && is_enter(elements.front().type);
            if (!enters) continue;
            const u64 region = names.region_id(symbol, elements.front());
            const auto [found, fresh] = known.try_emplace(region, kNoOperation);
            if (fresh) found->second = operation_of_region(region);
            operation_[symbol] = found->second;
            if (found->second == kNoOperation) continue;
            operations_.add(found->second, static_cast<double>(counts_.calls(symbol)));
        }
    }

    /// MPI functions by name, loops, parallel regions and the like by role; no user functions.
    [[nodiscard]] u64 operation_of_region(u64 region) const {
        const DefinitionIndex& definitions = file_.definitions();
        const std::string name = mpi_function_name(definitions.region_name(region));
        if (!name.empty()) return checksum(name);
        const RegionRole role = definitions.region_role(region);
        return role <= RegionRole::wrapper ? kNoOperation : combine(static_cast<u64>(role), 0);
    }

    void add_script(u32 number) {
        const Script& script = structure_.scripts[number];
        const Pattern& pattern = structure_.patterns[script.pattern];
        const ParticipantList& members = counts_.members_of_script(number);
        if (members.empty()) return;
        const u32 location = members.first();
        const auto share = static_cast<double>(members.size());
        std::vector<Node> nodes(pattern.node_count());
        find_depths(pattern, nodes);
        const auto executions = [&](std::size_t node) {
            return share *
                   static_cast<double>(counts_.executions(location, static_cast<u32>(node)));
        };
        for (u32 leaf = 0; leaf < pattern.leaf_count; ++leaf) {
            const u64 operation = operation_[script.symbols[leaf]];
            Node& node = nodes[leaf];
            node.shape = node.first = node.last = operation;
            if (operation == kNoOperation) continue;
            depths_.add(combine(operation, std::min(node.depth, kDeepest)), executions(leaf));
        }
        for (std::size_t loop = 0; loop < pattern.loops.size(); ++loop) {
            Node& node = nodes[pattern.leaf_count + loop];
            const double iterations = executions(pattern.leaf_count + loop);
            add_body(pattern.loops[loop], nodes, iterations, node);
            if (node.first != kNoOperation) pairs_.add(combine(node.last, node.first), iterations);
        }
        Node root;
        add_body(pattern.root, nodes, share, root);
    }

    /// Loops hold loops of lower index only.
    static void find_depths(const Pattern& pattern, std::vector<Node>& nodes) {
        for (const u32 item : pattern.root) nodes[item].depth = 0;
        for (std::size_t loop = pattern.loops.size(); loop-- > 0;) {
            const u64 depth = nodes[pattern.leaf_count + loop].depth + 1;
            for (const u32 item : pattern.loops[loop]) {
                nodes[item].depth = std::min(nodes[item].depth, depth);
            }
        }
    }

    /// Runs of equal items count as one: a rank at a border has fewer partners than others.
    void add_body(const std::vector<u32>& body, const std::vector<Node>& nodes, double iterations,
                  Node& whole) {
        u64 items = 0;
        u64 previous = kNoOperation;
        for (const u32 item : body) {
            const Node& node = nodes[item];
            if (node.shape == kNoOperation || node.shape == previous) continue;
            previous = node.shape;
            whole.shape = ++items == 1 ? node.shape : combine(whole.shape, node.shape);
            if (items == 1) {
                whole.first = node.first;
            } else {
                pairs_.add(combine(whole.last, node.first), iterations);
            }
            whole.last = node.last;
        }
        if (items > 1) bodies_.add(whole.shape, iterations * static_cast<double>(items));
    }

    /// The n-th nearest partner counts as such: on a grid, distances depend on the number of ranks.
    void add_transfers() {
        const DefinitionIndex& definitions = file_.definitions();
        const u32 locations = file_.location_count();
        const u32 every = std::max(1U, (locations + kMostLocations - 1) / kMostLocations);
        std::vector<bool> selected(locations);
        for (u32 location = 0; location < locations; location += every) selected[location] = true;
        std::map<u64, std::map<u64, double>> calls_at;  // by distance and operation
        visit_transfers(file_, counts_, selected, [&](const Transfer& transfer) {
            const u64 operation =
                combine(operation_[transfer.symbol], static_cast<u64>(transfer.kind));
            const auto calls = static_cast<double>(transfer.calls());
            const auto width = [](const ValueRun& sizes) -> u64 {
                return static_cast<u64>(std::bit_width(sizes.start));
            };
            sizes_.add(combine(combine(operation, width(transfer.sent)), width(transfer.received)),
                       calls);
            const auto own = definitions.process(definitions.locations()[transfer.location]);
            if (transfer.peer == kNone || !own) return;
            const u64 way = transfer.peer > *own ? transfer.peer - *own : *own - transfer.peer;
            const u64 back =
                definitions.process_count() - std::min<u64>(way, definitions.process_count());
            calls_at[std::min(way, back)][operation] += calls;
        });
        u64 order = 0;
        for (const auto& [away, calls] : calls_at) {
            for (const auto& [operation, number] : calls) {
                partners_.add(combine(operation, order), number);
            }
            order = std::min(order + 1, kFarthest);
        }
    }

    static constexpr u32 kMostLocations = 32;
    static constexpr u64 kDeepest = 3;
    static constexpr u64 kFarthest = 15;

    TraceFile& file_;
    const Structure& structure_;
    ExecutionCounts counts_;
    std::vector<u64> operation_;  ///< by symbol
    FeatureShares operations_;
    FeatureShares depths_;
    FeatureShares partners_;
    FeatureShares sizes_;
    FeatureShares bodies_;
    FeatureShares pairs_;
};

/// The weighted Jaccard index. Beyond the last feature of a full set, others are unknown.
double similarity(const std::vector<Feature>& a, const std::vector<Feature>& b) {
    u32 known = std::numeric_limits<u32>::max();
    for (const std::vector<Feature>* set : {&a, &b}) {
        if (set->size() == StructureSignature::kMostFeatures) {
            known = std::min(known, set->back().hash);
        }
    }
    u64 common = 0;
    u64 all = 0;
    for (auto left = a.begin(), right = b.begin(); left != a.end() || right != b.end();) {
        const bool has_left = left != a.end() && (right == b.end() || left->hash <= right->hash);
        const bool has_right = right != b.end() && (left == a.end() || right->hash <= left->hash);
        if ((has_left ? left->hash : right->hash) > known) break;
        const u8 weight_left = has_left ? left++->weight : u8{0};
        const u8 weight_right = has_right ? right++->weight : u8{0};
        common += std::min(weight_left, weight_right);
        all += std::max(weight_left, weight_right);
    }
    return all == 0 ? 1 : static_cast<double>(common) / static_cast<double>(all);
}

}  // namespace

StructureSignature structure_signature(TraceFile& file) { return SignatureBuilder(file).build(); }

double distance(const StructureSignature& a, const StructureSignature& b) {
    return 1 - (similarity(a.communication, b.communication) + similarity(a.loops, b.loops)) / 2;
}

}  // namespace tracefold
