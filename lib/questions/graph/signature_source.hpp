// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "base/hash.hpp"
#include "file/call_names.hpp"
#include "file/region_stack.hpp"
#include "model/record_fields.hpp"
#include "model/structure.hpp"

#include <map>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace tracefold {

/// What tells two events apart, besides the name of the call.
struct SignatureParts {
    bool peer = true;
    bool size = true;
    bool comm = true;
    bool tag = false;
    bool path = true;      ///< the regions around the call
    bool context = false;  ///< of an event without arguments: the last one with arguments
    bool regions = false;  ///< entering and leaving a region are events too
    bool site = false;     ///< the calling context, where the recorder unwound the stack
};

/// One argument of an event.
struct SignatureArgument {
    std::string_view name;  ///< as people read it: "to", "from", "bytes", ...
    FieldKind kind = FieldKind::value;
    PeerEncoding peers = PeerEncoding::relative;  ///< of a peer
    u64 value = 0;                                ///< of bytes: what the rank itself contributes

    bool operator==(const SignatureArgument&) const = default;
};

/// Call paths as a tree; path 0 is outside of all regions.
class CallPaths {
  public:
    struct Path {
        u32 parent = 0;
        std::string region;
    };

    /// The path one region further in.
    u32 inside(u32 path, const std::string& region);
    [[nodiscard]] u32 outside(u32 path) const { return paths_[path].parent; }
    [[nodiscard]] const Path& at(u32 path) const { return paths_[path]; }
    [[nodiscard]] std::size_t size() const { return paths_.size(); }
    /// Regions from the outermost inwards.
    [[nodiscard]] std::vector<std::string> regions(u32 path) const;

  private:
    std::vector<Path> paths_{1};
    std::unordered_map<std::string, u32> index_;  ///< by parent and region
};

/// An event: a node of an event flow graph.
struct Signature {
    std::string name;
    CallKind kind = CallKind::call;
    std::vector<SignatureArgument> arguments;
    u32 path = 0;
    u32 context = kNone;  ///< number of another signature
};

/// Where an execution stands, as far as the signatures of what follows depend on it.
struct FlowPosition {
    struct Open {
        u64 region;
        u32 path;  ///< around the region
    };

    u32 path = 0;
    u32 context = 0;         ///< the last event with arguments
    RegionStack<Open> open;  ///< the regions of the path
    LeaveRule rule = LeaveRule::name;
};

/// Tells which node of a graph an execution of a symbol is.
class FlowAlphabet {
  public:
    FlowAlphabet() = default;
    FlowAlphabet& operator=(const FlowAlphabet&) = delete;
    virtual ~FlowAlphabet() = default;

    /// The node, by the values that its program has for it, and moves the position. kNone for
    /// symbols that are no node.
    virtual u32 step(u32 symbol, std::span<const u64> values, FlowPosition& position) = 0;

  protected:
    FlowAlphabet(const FlowAlphabet&) = default;
};

/// Numbers the signatures by first appearance. Numbers 0 and 1 are the start and the end of the
/// execution.
class SignatureTable {
  public:
    static constexpr u32 kStart = 0;
    static constexpr u32 kEnd = 1;

    SignatureTable();
    u32 intern(Signature signature);
    [[nodiscard]] const Signature& at(u32 number) const { return signatures_[number]; }
    [[nodiscard]] std::size_t size() const { return signatures_.size(); }

    CallPaths& paths() { return paths_; }
    [[nodiscard]] const CallPaths& paths() const { return paths_; }

  private:
    std::vector<Signature> signatures_;
    std::unordered_map<std::string, u32> index_;
    CallPaths paths_;
};

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
