// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "graph/flow_signature.hpp"

#include <algorithm>
#include <utility>

namespace tracefold {

namespace {

void append_number(std::string& key, u64 value) {
    key.append(reinterpret_cast<const char*>(&value), sizeof value);
}

/// Equal for equal signatures and only for them.
std::string key_of(const Signature& signature) {
    std::string key;
    append_number(key, signature.path);
    append_number(key, signature.context);
    append_number(key, static_cast<u64>(signature.kind));
    for (const SignatureArgument& argument : signature.arguments) {
        append_number(key, argument.name.size());
        key += argument.name;
        append_number(key, static_cast<u64>(argument.kind));
        append_number(key, static_cast<u64>(argument.peers));
        append_number(key, argument.value);
    }
    append_number(key, 0);
    return key += signature.name;
}

}  // namespace

u32 CallPaths::inside(u32 path, const std::string& region) {
    std::string key;
    append_number(key, path);
    const auto [found, fresh] = index_.emplace(key.append(region), static_cast<u32>(paths_.size()));
    if (fresh) paths_.push_back({path, region});
    return found->second;
}

std::vector<std::string> CallPaths::regions(u32 path) const {
    std::vector<std::string> regions;
    for (; path != 0; path = paths_[path].parent) regions.push_back(paths_[path].region);
    std::reverse(regions.begin(), regions.end());
    return regions;
}

SignatureTable::SignatureTable() {
    intern({"start", CallKind::record, {}, 0, kNone});
    intern({"end", CallKind::record, {}, 0, kNone});
}

u32 SignatureTable::intern(Signature signature) {
    // No record type has the name of one of the first two.
    const auto [found, fresh] =
        index_.emplace(key_of(signature), static_cast<u32>(signatures_.size()));
    if (fresh) signatures_.push_back(std::move(signature));
    return found->second;
}

}  // namespace tracefold
