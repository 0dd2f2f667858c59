// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "common/table.hpp"
#include "common/text.hpp"
#include "common/units.hpp"
#include "inspect/accelerators/accelerators.hpp"

namespace tracefold {

namespace {

class AcceleratorsPrinter {
    using Use = AcceleratorUse;

  public:
    AcceleratorsPrinter(const AcceleratorsView& view, Console& console)
        : view_(view), data_(view.data), console_(console) {}

    void run() {
        console_.out() << console_.paint(Style::bold, view_.file) << "  " << data_.streams.size()
                       << (data_.streams.size() == 1 ? " stream, " : " streams, ")
                       << data_.threads.size() << " host threads, " << time(data_.length) << '\n';
        if (data_.empty()) {
            console_.out() << "  the trace has no streams and no calls of an accelerator\n";
            return;
        }
        print_streams();
        print_calls("kernel", true, Use::kernel);
        print_calls("copy", true, Use::copy);
        print_calls("memory management", true, Use::call);
        print_threads();
        for (const Use use : {Use::wait, Use::copy, Use::call}) {
            const std::string name(accelerator_use_name(use));
            print_calls("host " + name, false, use);
        }
    }

    void print_streams() {
        if (data_.streams.empty()) return;
        Table table({{"stream"},
                     {"kernels", kRight},
                     {"time", kRight},
                     {"copies", kRight},
                     {"time", kRight},
                     {"bytes", kRight},
                     {"busy", kRight}});
        for (std::size_t i = 0; i < data_.streams.size(); ++i) {
            const AcceleratorActivity::Location& it = data_.streams[i];
            table.add_row({printable(view_.streams[i]), format_count(it.calls_of(Use::kernel)),
                           time(it.ticks_of(Use::kernel)), format_count(it.calls_of(Use::copy)),
                           time(it.ticks_of(Use::copy)), bytes_text(it.bytes),
                           format_percent(view_.share(it.busy))});
        }
        table.print(console_.out(), 2);
    }

  private:
    [[nodiscard]] std::string time(u64 ticks) const { return format_time(view_.seconds(ticks)); }

    void print_threads() {
        if (data_.threads.empty()) return;
        Table table({{"host thread"},
                     {"waits", kRight},
                     {"time", kRight},
                     {"of the run", kRight},
                     {"in copies", kRight},
                     {"in other calls", kRight}});
        for (std::size_t i = 0; i < data_.threads.size(); ++i) {
            const AcceleratorActivity::Location& it = data_.threads[i];
            table.add_row({printable(view_.threads[i]), format_count(it.calls_of(Use::wait)),
                           time(it.ticks_of(Use::wait)),
                           format_percent(view_.share(it.ticks_of(Use::wait))),
                           time(it.ticks_of(Use::copy)), time(it.ticks_of(Use::call))});
        }
        table.print(console_.out(), 2);
    }

    /// Nothing if there are none.
    void print_calls(const std::string& title, bool on_stream, Use use) {
        const bool with_bytes = on_stream && use == Use::copy;
        Table table = head_of_calls(title, on_stream, with_bytes);
        bool any = false;
        for (const AcceleratorActivity::Call& call : data_.calls) {
            if (call.on_stream != on_stream || call.use != use || call.calls == 0) continue;
            any = true;
            table.add_row(row_of(call, with_bytes));
        }
        if (any) table.print(console_.out(), 2);
    }

    static Table head_of_calls(const std::string& title, bool on_stream, bool with_bytes) {
        std::vector<Table::Column> columns = {{"calls", kRight},
                                              {"time", kRight},
                                              {"mean", kRight},
                                              {"min", kRight},
                                              {"max", kRight}};
        if (with_bytes) {
            columns.push_back({"bytes", kRight});
            columns.push_back({"a second", kRight});
        }
        columns.push_back({on_stream ? "streams" : "threads", kRight});
        columns.push_back({title});
        return Table(columns);
    }

    [[nodiscard]] std::vector<std::string> row_of(const AcceleratorActivity::Call& call,
                                                  bool with_bytes) const {
        const double mean = view_.seconds(call.ticks) / static_cast<double>(call.calls);
        std::vector<std::string> cells = {format_count(call.calls), time(call.ticks),
                                          format_time(mean), time(call.shortest),
                                          time(call.longest)};
        if (with_bytes) {
            const bool known = call.bytes != 0 && call.ticks != 0;
            const double rate = static_cast<double>(call.bytes) / view_.seconds(call.ticks);
            cells.push_back(bytes_text(call.bytes));
            cells.push_back(known ? format_size(static_cast<u64>(rate)) : "-");
        }
        cells.push_back(std::to_string(call.locations));
        cells.push_back(printable(call.name));
        return cells;
    }

    static std::string bytes_text(u64 bytes) { return bytes == 0 ? "-" : format_size(bytes); }

    const AcceleratorsView& view_;
    const AcceleratorActivity& data_;
    Console& console_;
};

}  // namespace

void print_accelerators(const AcceleratorsView& view, Console& console) {
    AcceleratorsPrinter(view, console).run();
}

void print_streams(const AcceleratorsView& view, Console& console) {
    AcceleratorsPrinter(view, console).print_streams();
}

}  // namespace tracefold
