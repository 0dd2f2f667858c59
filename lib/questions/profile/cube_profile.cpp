// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "questions/profile/cube_profile.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>

namespace tracefold {

std::vector<u32> CubeProfile::locations() const {
    std::vector<u32> found;
    for (u32 place = 0; place < places.size(); ++place) {
        const u32 number = places[place].location;
        if (number == kNone) continue;
        if (found.size() <= number) found.resize(number + 1, kNone);
        found[number] = place;
    }
    return found;
}

std::string CubeProfile::node_name(u32 node) const {
    std::string name = regions[nodes[node].region].name;
    std::string_view before = " (";
    for (const Parameter& it : nodes[node].parameters) {
        name.append(before).append(it.key).append("=").append(it.value);
        before = ", ";
    }
    return nodes[node].parameters.empty() ? name : name + ")";
}

u32 CubeProfile::find_metric(std::string_view name) const {
    const auto found = std::ranges::find(metrics, name, &Metric::name);
    return found == metrics.end() ? kNone : static_cast<u32>(found - metrics.begin());
}

std::vector<u32> CubeProfile::row_nodes(bool inclusive) const {
    std::vector<u32> order(nodes.size());
    std::iota(order.begin(), order.end(), 0U);
    if (!inclusive) return order;
    std::vector<std::vector<u32>> children(nodes.size());
    for (const u32 node : order) {
        if (nodes[node].parent != kNone) children[nodes[node].parent].push_back(node);
    }
    std::vector<u32> wide;
    for (const u32 node : order) {
        if (nodes[node].parent == kNone) wide.push_back(node);
        wide.insert(wide.end(), children[node].begin(), children[node].end());
    }
    return wide;
}

double CubeValueType::add(std::size_t part, double a, double b) const {
    if (sum(part) == '<') return std::min(a, b);
    return sum(part) == '>' ? std::max(a, b) : a + b;
}

double CubeValueType::neutral(std::size_t part) const {
    constexpr double kInfinite = std::numeric_limits<double>::infinity();
    if (sum(part) == '<') return kInfinite;
    return sum(part) == '>' ? -kInfinite : 0;
}

double CubeValueType::shown(std::span<const double> parts) const {
    if (name == "TAU_ATOMIC") return parts[0] == 0 ? 0 : parts[3] / parts[0];
    if (name == "COMPLEX") return std::hypot(parts[0], parts[1]);
    return std::isinf(parts[0]) && sum(0) != '+' ? 0 : parts[0];
}

u64 CubeValueType::bytes() const {
    u64 sum = 0;
    for (const char letter : layout) {
        const char small = static_cast<char>(letter | 0x20);
        sum += small == 'b' ? 1 : small == 'h' ? 2 : small == 'i' ? 4 : 8;
    }
    return sum;
}

const CubeValueType* cube_value_type(std::string_view name) {
    static constexpr auto kTypes = std::to_array<CubeValueType>({
        {"DOUBLE", "d"},
        {"UINT64", "Q"},
        {"INT64", "q"},
        {"FLOAT", "d"},
        {"INTEGER", "q"},
        {"SIGNED INTEGER", "q"},
        {"UNSIGNED INTEGER", "Q"},
        {"UINT32", "I"},
        {"UNSIGNED INT", "I"},
        {"INT32", "i"},
        {"SIGNED INT", "i"},
        {"INT", "i"},
        {"UINT16", "H"},
        {"UNSIGNED SHORT INT", "H"},
        {"INT16", "h"},
        {"SIGNED SHORT INT", "h"},
        {"SHORT INT", "h"},
        {"UINT8", "B"},
        {"INT8", "b"},
        {"CHAR", "B"},
        {"MINDOUBLE", "d", "<"},
        {"MAXDOUBLE", "d", ">"},
        {"COMPLEX", "dd"},
        {"TAU_ATOMIC", "Idddd", "+<>++"},
    });
    const auto found = std::ranges::find(kTypes, name, &CubeValueType::name);
    return found == kTypes.end() ? nullptr : found;
}

}  // namespace tracefold
