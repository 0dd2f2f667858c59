// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "common/table.hpp"
#include "common/text.hpp"
#include "common/units.hpp"
#include "inspect/stats/classes.hpp"

#include <fmt/core.h>

namespace tracefold {

namespace {

constexpr std::size_t kLongestParticipants = 60;

std::string shortened(const std::string& text) {
    if (text.size() <= kLongestParticipants) return text;
    return text.substr(0, kLongestParticipants - 3) + "...";
}

class ClassesPrinter {
  public:
    ClassesPrinter(const ClassesView& view, Console& console) : view_(view), console_(console) {}

    void run() {
        const RankClasses& classes = view_.classes;
        console_.out() << console_.paint(Style::bold, view_.file) << "  by " << printable(view_.by)
                       << ": " << classes.classes.size() << " classes of " << classes.locations
                       << " locations, " << fmt::format("{:.1f}", classes.reduction())
                       << " locations a class\n";
        print_table();
        if (view_.distribution) {
            print_distribution(*view_.distribution, {view_.file, view_.what}, console_);
        }
        if (!classes.columns.empty()) print_iterations();
    }

  private:
    void print_table() {
        console_.out() << "  " << printable(view_.what) << " of each, over ranks\n";
        Table table({{"class"},
                     {"locations", kRight},
                     {"who"},
                     {"calls", kRight},
                     {"sent", kRight},
                     {"received", kRight},
                     {"time", kRight},
                     {"mean", kRight},
                     {"deviation", kRight},
                     {"min", kRight},
                     {"max", kRight}});
        for (std::size_t i = 0; i < view_.classes.classes.size(); ++i) {
            std::vector<std::string> cells = {std::to_string(i),
                                              format_count(view_.classes.classes[i].size()),
                                              shortened(view_.participants[i])};
            for (std::string& text : figures(i)) cells.push_back(std::move(text));
            table.add_row(std::move(cells));
        }
        table.print(console_.out(), 2);
    }

    [[nodiscard]] std::vector<std::string> figures(std::size_t number) const {
        const Statistics::Row* row = view_.statistics_of(number);
        if (row == nullptr) return std::vector<std::string>(8, "-");
        const auto text = [&](Quantity quantity, double value) {
            return quantity_text(quantity, value, view_.statistics.rate);
        };
        const auto sum = [&](Quantity quantity) {
            const Moments& moments = row->figures.of(Over::ranks, quantity);
            return moments.empty() ? std::string("-") : text(quantity, moments.real_sum());
        };
        std::vector<std::string> cells = {format_count(row->figures.calls()), sum(Quantity::sent),
                                          sum(Quantity::received), sum(Quantity::time)};
        const Moments& times = row->figures.of(Over::ranks, Quantity::time);
        for (const double value :
             {times.mean(), times.deviation(), static_cast<double>(times.min()),
              static_cast<double>(times.max())}) {
            cells.push_back(times.empty() ? "-" : text(Quantity::time, value));
        }
        return cells;
    }

    /// Columns in which nobody moves and nothing else differs are one line.
    void print_iterations() {
        const RankClasses& classes = view_.classes;
        Table table({{"iterations"},
                     {"locations", kRight},
                     {"classes", kRight},
                     {"largest", kRight},
                     {"changed", kRight},
                     {"moved", kRight}});
        for (std::size_t begin = 0; begin < classes.columns.size();) {
            const RankClasses::Column& column = classes.columns[begin];
            std::size_t end = begin + 1;
            while (end < classes.columns.size() && classes.columns[end] == column) ++end;
            const u64 first = begin * classes.per_column;
            const u64 last = std::min(classes.iterations, end * classes.per_column) - 1;
            const std::string which =
                std::to_string(first) + (first == last ? "" : "-" + std::to_string(last));
            table.add_row({which, format_count(column.locations), format_count(column.classes),
                           format_count(column.largest), format_count(column.changed),
                           format_count(column.moved)});
            begin = end;
        }
        if (classes.per_column > 1) {
            console_.out() << "  " << classes.per_column << " iterations are taken together\n";
        }
        table.print(console_.out(), 2);
    }

    const ClassesView& view_;
    Console& console_;
};

}  // namespace

void print_classes(const ClassesView& view, Console& console) {
    ClassesPrinter(view, console).run();
}

}  // namespace tracefold
