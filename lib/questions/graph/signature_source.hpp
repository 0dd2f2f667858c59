// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "base/hash.hpp"
#include "file/call_names.hpp"
#include "file/call_reader.hpp"
#include "file/region_stack.hpp"
#include "model/record_fields.hpp"
#include "model/structure.hpp"

#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace tracefold {

/// Properties that distinguish events besides the call name.
struct SignatureParts {
    bool peer = true;
    bool size = true;
    bool comm = true;
    bool tag = false;
    bool path = true;      ///< enclosing regions
    bool context = false;  ///< for events without arguments: the last event with arguments
    bool regions = false;  ///< region enter and leave are events
    bool site = false;     ///< calling context, if the recorder unwound the stack
};

struct SignatureArgument {
    std::string_view name;  ///< display name: "to", "from", "bytes", ...
    FieldKind kind = FieldKind::value;
    PeerEncoding peers = PeerEncoding::relative;  ///< of a peer
    u64 value = 0;                                ///< of bytes: the rank's own contribution

    bool operator==(const SignatureArgument&) const = default;
};

/// Call paths as a tree; path 0 is outside of all regions.
class CallPaths {
  public:
    struct Path {
        u32 parent = 0;
        std::string region;
    };

    /// The path of a region called from `path`.
    u32 inside(u32 path, const std::string& region);
    [[nodiscard]] u32 outside(u32 path) const { return paths_[path].parent; }
    [[nodiscard]] const Path& at(u32 path) const { return paths_[path]; }
    [[nodiscard]] std::size_t size() const { return paths_.size(); }
    /// Regions, outermost first.
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

/// The execution state on which the signatures of later events depend.
struct FlowPosition {
    struct Open {
        u64 region;
        u32 path;
    };

    u32 context = 0;         ///< last event with arguments
    RegionStack<Open> open;  ///< regions of the path
    /// Read along where regions do not simply nest or tasks change; else null.
    std::unique_ptr<CallReader> calls;

    [[nodiscard]] u32 path() const { return open.empty() ? 0 : open.back().path; }
};

/// Maps executions of symbols to graph nodes.
class FlowAlphabet {
  public:
    FlowAlphabet() = default;
    FlowAlphabet& operator=(const FlowAlphabet&) = delete;
    virtual ~FlowAlphabet() = default;

    /// Returns the node for a symbol with its values in the program and advances the position.
    /// kNone for symbols without a node.
    virtual u32 step(u32 symbol, std::span<const u64> values, FlowPosition& position) = 0;

  protected:
    FlowAlphabet(const FlowAlphabet&) = default;
};

/// Numbers signatures by first appearance. Numbers 0 and 1 are start and end.
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

/// Maps the symbols of a file to signatures. The listing must outlive this object. Not thread-safe;
/// each thread may use a copy, which keeps the node numbers.
class SignatureSource : public FlowAlphabet {
  public:
    SignatureSource(ListingSource& source, SignatureParts parts);

    struct Leaf {
        CallKind kind = CallKind::record;
        bool is_node = true;     ///< false: enters or leaves a region, which only changes the path
        std::string name;        ///< of the region or record
        bool overlaps = false;   ///< of an accelerator stream, whose regions do not nest
        u64 region = 0;          ///< entered or left; regions of the same name share an id
        bool is_mpi = false;     ///< a function of MPI
        u64 site = kNone;        ///< global id of the calling context, if any
        std::vector<u32> slots;  ///< slots whose values are part of the signature
    };

    [[nodiscard]] const Leaf& leaf(u32 symbol) const { return leaves_[symbol]; }
    [[nodiscard]] const SignatureParts& parts() const { return parts_; }

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
    void move(const Leaf& leaf, FlowPosition& position);
    void enter(u64 region, bool is_mpi, const std::string& name, FlowPosition& position);
    u32 node(u32 symbol, std::span<const u64> values, const FlowPosition& position);
    [[nodiscard]] Signature signature(u32 symbol, std::span<const u64> values) const;

    ListingSource& source_;
    SignatureParts parts_;
    SignatureTable table_;
    std::vector<Leaf> leaves_;
    std::map<std::string, u64> regions_;  ///< by name: id of the first region
    /// Per symbol: path, context and values -> node.
    std::vector<std::unordered_map<std::vector<u64>, u32, KeyHash>> known_;
    std::vector<u64> key_;
};

}  // namespace tracefold
