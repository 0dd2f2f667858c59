// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "graph/flow_view.hpp"
#include "graph/write_dot.hpp"

#include <string>
#include <vector>

namespace tracefold {

/// What is drawn around nodes of a graph, as a tree.
class DotBoxes {
  public:
    struct Box {
        u32 parent = kNone;
        std::string name;
        std::string title;
        std::string colour;
        std::string fill;
        FlowVertex first = 0;  ///< of the nodes within, in the order of the program
    };

    /// `order`: of the program. Boxes with nothing in them are left out.
    DotBoxes(const FlowView& view, const GraphTexts& texts, DotClusters clusters,
             const std::vector<FlowVertex>& order);

    [[nodiscard]] const std::vector<Box>& boxes() const { return boxes_; }
    /// The innermost around a node; kNone: none.
    [[nodiscard]] u32 of(FlowVertex v) const { return innermost_[v]; }
    /// The innermost around both.
    [[nodiscard]] u32 around(FlowVertex a, FlowVertex b) const;

  private:
    template <class Outwards, class Make>
    void add(const std::vector<FlowVertex>& order, const Outwards& outwards, const Make& make);
    void add_loops(const FlowView& view, const GraphTexts& texts,
                   const std::vector<FlowVertex>& order);
    void add_paths(const FlowView& view, const std::vector<FlowVertex>& order);

    std::vector<Box> boxes_;
    std::vector<u32> innermost_;  ///< by vertex
};

}  // namespace tracefold
