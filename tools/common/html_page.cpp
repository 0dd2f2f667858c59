// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "common/html_page.hpp"

#include "common/text.hpp"

#include <cctype>
#include <cstring>

namespace tracefold {

namespace {

constexpr std::string_view kStyle = R"(
:root { color-scheme: light dark; --ink: #1c2430; --soft: #5b6675; --paper: #ffffff;
  --panel: #f3f5f8; --line: #d5dbe3; --communication: #2f6fb5; --computation: #d98a1e;
  --collective: #8a4fb0; --bar: #4f7fb8; --good: #1d7f4e; --bad: #b3261e; }
@media (prefers-color-scheme: dark) { :root { --ink: #e4e9f0; --soft: #9aa6b6; --paper: #14181f;
  --panel: #1d232d; --line: #343d4b; --communication: #5b9de0; --computation: #e5a84b;
  --collective: #b98ae0; --bar: #6c9bd6; --good: #5cc08c; --bad: #f2857d; } }
@media print { :root { --ink: #000000; --soft: #444444; --paper: #ffffff; --panel: #ffffff;
  --line: #bbbbbb; --communication: #2f6fb5; --computation: #d98a1e; --collective: #8a4fb0;
  --bar: #4f7fb8;
  --good: #1d7f4e; --bad: #b3261e; }
  * { -webkit-print-color-adjust: exact; print-color-adjust: exact; }
  section { break-inside: avoid; } table { break-inside: auto; } tr { break-inside: avoid; } }
body { background: var(--paper); color: var(--ink); margin: 2rem auto; max-width: 62rem;
  padding: 0 1rem; font: 15px/1.5 system-ui, sans-serif; }
h1 { font-size: 1.5rem; margin: 0; overflow-wrap: anywhere; }
h2 { font-size: 1.1rem; margin: 2rem 0 .5rem; }
p { margin: .3rem 0; } .soft { color: var(--soft); }
.good { color: var(--good); font-weight: 600; } .bad { color: var(--bad); font-weight: 600; }
.panel { background: var(--panel); border: 1px solid var(--line); border-radius: 6px;
  padding: .6rem 1rem; margin: .8rem 0; }
table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; }
th, td { padding: .2rem .6rem; text-align: right; border-bottom: 1px solid var(--line); }
th { color: var(--soft); font-weight: 500; } th:first-child, td:first-child { text-align: left; }
svg { width: 100%; height: auto; display: block; } svg text { fill: var(--ink); font-size: 11px; }
svg .soft { fill: var(--soft); } svg .line { stroke: var(--line); }
.communication { fill: var(--communication); background: var(--communication); }
.computation { fill: var(--computation); background: var(--computation); }
.bar { fill: var(--bar); } .cell { fill: var(--communication); } .faint { opacity: .45; }
.picture { overflow-x: auto; margin: .6rem 0; } .picture svg { width: auto; max-width: 100%; }
.chart .point-to-point { fill: var(--communication); background: var(--communication); }
.chart .collective { fill: var(--collective); background: var(--collective); }
.chart .one-sided { fill: var(--good); background: var(--good); }
.chart .other-mpi { fill: var(--soft); background: var(--soft); }
pre { background: var(--panel); border: 1px solid var(--line); border-radius: 6px;
  padding: .6rem 1rem; overflow-x: auto; font: 12px/1.4 ui-monospace, monospace; }
dt { font-weight: 600; margin-top: .5rem; } dd { margin: 0 0 0 1.2rem; color: var(--soft); }
nav { margin: 1rem 0; } nav a { margin-right: .9rem; } a { color: var(--communication); }
a.download { font-size: 13px; } .facts { display: grid; gap: .2rem 1.5rem;
  grid-template-columns: repeat(auto-fill, minmax(14rem, 1fr)); }
.facts span { color: var(--soft); display: block; font-size: 12px; }
@media screen and (prefers-color-scheme: dark) {
  .picture svg { filter: invert(.91) hue-rotate(180deg); } }
@media print { nav, a.download { display: none; } pre { white-space: pre-wrap; } }
.key { display: inline-block; width: .8em; height: .8em; border-radius: 2px;
  margin: 0 .3em 0 .8em; }
)";

/// Percent-encoded for a data URL within an attribute.
void put_encoded(std::ostream& out, std::string_view text) {
    static constexpr char kHex[] = "0123456789ABCDEF";
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        const bool plain = std::isalnum(byte) != 0 || (c != 0 && std::strchr("-_.~,:;/()@+=", c));
        if (plain) {
            out << c;
        } else {
            out << '%' << kHex[byte >> 4U] << kHex[byte & 15U];
        }
    }
}

}  // namespace

void begin_page(std::ostream& out, std::string_view title) {
    out << "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
        << "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>"
        << markup_text(title) << "</title>\n<style>" << kStyle << "</style>\n</head>\n<body>\n";
}

void end_page(std::ostream& out) { out << "</body>\n</html>\n"; }

void begin_section(std::ostream& out, std::string_view title, std::string_view id) {
    out << "<section";
    if (!id.empty()) out << " id=\"" << id << '"';
    out << ">\n<h2>" << markup_text(title) << "</h2>\n";
}

void put_row(std::ostream& out, std::string_view tag, const std::vector<std::string>& cells) {
    out << "<tr>";
    for (const std::string& cell : cells) {
        out << '<' << tag << '>' << markup_text(cell) << "</" << tag << '>';
    }
    out << "</tr>\n";
}

void put_download(std::ostream& out, std::string_view name, std::string_view text) {
    out << "<a class=\"download\" download=\"" << markup_text(name)
        << "\" href=\"data:text/csv;charset=utf-8,";
    put_encoded(out, text);
    out << "\">" << markup_text(name) << "</a>\n";
}

}  // namespace tracefold
