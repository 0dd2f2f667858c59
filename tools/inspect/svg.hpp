// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <ostream>
#include <string>
#include <string_view>

namespace tracefold {

/// Position of text relative to its point.
enum class Anchor { start, middle, end };

/// Writes a small picture as SVG, element by element; lengths in pixels.
class SvgWriter {
  public:
    /// Opens a picture with a white background.
    SvgWriter(std::ostream& out, double width, double height);
    ~SvgWriter();
    SvgWriter(const SvgWriter&) = delete;
    SvgWriter& operator=(const SvgWriter&) = delete;

    /// `tip`: tooltip in browsers; empty: none.
    void rectangle(double x, double y, double width, double height, std::string_view fill,
                   std::string_view tip = {});
    void text(double x, double y, std::string_view content, double size = 11,
              Anchor anchor = Anchor::start);

  private:
    std::ostream& out_;
};

/// A colour from white (0) to dark blue (1).
std::string heat_color(double share);

}  // namespace tracefold
