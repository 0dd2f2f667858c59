// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/hash.hpp"
#include "graph/flow_signature.hpp"
#include "query/listing_source.hpp"

#include <map>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

namespace tracefold {

/// What the symbols of a file are in a graph. The listing must outlive this object; not for
/// concurrent use, but each thread may use a copy, which knows the same nodes by the same numbers.
class SignatureSource : public FlowAlphabet {
  public:
    SignatureSource(ListingSource& source, SignatureParts parts);

    struct Leaf {
        CallKind kind = CallKind::record;
        bool is_node = true;     ///< false: entering or leaving a region, which only moves the path
        std::string name;        ///< of the region or record
        bool overlaps = false;   ///< of a stream of an accelerator, whose regions call no others
        u64 region = 0;          ///< entered or left; those of one name are one
        bool is_mpi = false;     ///< a function of MPI
        u64 site = kNone;        ///< global id of the calling context, if there is one
        std::vector<u32> slots;  ///< those whose values make the signature
    };

    [[nodiscard]] const Leaf& leaf(u32 symbol) const { return leaves_[symbol]; }
    [[nodiscard]] const SignatureParts& parts() const { return parts_; }

    /// The position at which a location begins.
    FlowPosition start(u32 location);
    u32 step(u32 symbol, std::span<const u64> values, FlowPosition& position) override;

    SignatureTable& table() { return table_; }
    [[nodiscard]] const SignatureTable& table() const { return table_; }

  private:
    struct KeyHash {
        std::size_t operator()(const std::vector<u64>& key) const { return content_hash(key).low; }
    };

    [[nodiscard]] Leaf leaf_of(u32 symbol);
    [[nodiscard]] bool is_part(const Slot& slot) const;
    u32 node(u32 symbol, std::span<const u64> values, const FlowPosition& position);
    [[nodiscard]] Signature signature(u32 symbol, std::span<const u64> values) const;

    ListingSource& source_;
    SignatureParts parts_;
    SignatureTable table_;
    std::vector<Leaf> leaves_;
    std::map<std::string, u64> regions_;  ///< by name: the first one's id
    /// Per symbol: path, context and values -> node.
    std::vector<std::unordered_map<std::vector<u64>, u32, KeyHash>> known_;
    std::vector<u64> key_;
};

}  // namespace tracefold
