// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "inspect/accelerators.hpp"

#include "base/csv_table.hpp"
#include "common/output_format.hpp"
#include "common/table.hpp"
#include "common/text.hpp"
#include "inspect/command.hpp"
#include "model/participant_names.hpp"

#include <memory>

namespace tracefold {

namespace {

struct AcceleratorsArguments {
    TraceInput input;
    OutputFormat format;
};

ExitCode run_accelerators(const AcceleratorsArguments& arguments, Console& console) {
    arguments.format.check(console);
    const std::unique_ptr<FoldedInput> input = arguments.input.open(console);
    const AcceleratorsView view = naming_file(arguments.input.path, [&] {
        return accelerators_view(input->file(), arguments.input.path);
    });
    arguments.format.show(view, console, write_accelerators_json, write_accelerators_csv,
                          print_accelerators);
    return exit_ok;
}

}  // namespace

AcceleratorsView accelerators_view(TraceFile& file, const std::string& name) {
    if (!keeps_every_time(file.summary().timing)) {
        throw Error(ErrorKind::unsupported,
                    "the file does not keep the time of every event; fold with exact or quantized "
                    "times");
    }
    AcceleratorsView view;
    view.file = name;
    view.rate = file.definitions().tick_rate();
    view.data = accelerator_activity(file);
    const ParticipantNames names(file.definitions());
    for (const auto& stream : view.data.streams) {
        view.streams.push_back(names.label(stream.location));
    }
    for (const auto& thread : view.data.threads) {
        view.threads.push_back(names.label(thread.location));
    }
    return view;
}

InspectCommand add_accelerators_command(CLI::App& app) {
    auto arguments = std::make_shared<AcceleratorsArguments>();
    CLI::App* accelerators = app.add_subcommand(
        "accelerators", "Kernels, copies and idle time of GPU streams, and host waits");
    arguments->input.add_options(*accelerators);
    arguments->format.add_options(*accelerators, false);
    return {accelerators, on_rank_zero([arguments](Console& console) {
                return run_accelerators(*arguments, console);
            }),
            &arguments->input};
}

namespace {

constexpr AcceleratorUse kShownUses[] = {AcceleratorUse::kernel, AcceleratorUse::copy,
                                         AcceleratorUse::wait, AcceleratorUse::call};

void write_location(const AcceleratorsView& view, const AcceleratorActivity::Location& it,
                    const std::string& name, bool is_stream, JsonWriter& json) {
    json.begin_object().member("location", name);
    json.key("uses").begin_array();
    for (const AcceleratorUse use : kShownUses) {
        if (it.calls_of(use) == 0) continue;
        json.begin_object()
            .member("use", accelerator_use_name(use))
            .member("calls", it.calls_of(use))
            .member("seconds", view.seconds(it.ticks_of(use)))
            .member("share", view.share(it.ticks_of(use)))
            .end_object();
    }
    json.end_array();
    if (is_stream) json.member("busy", view.share(it.busy));
    json.member("bytes", it.bytes).end_object();
}

void write_call(const AcceleratorsView& view, const AcceleratorActivity::Call& call,
                JsonWriter& json) {
    json.begin_object()
        .member("name", call.name)
        .member("use", accelerator_use_name(call.use))
        .member("on_stream", call.on_stream)
        .member("calls", call.calls)
        .member("seconds", view.seconds(call.ticks))
        .member("shortest", view.seconds(call.shortest))
        .member("longest", view.seconds(call.longest))
        .member("bytes", call.bytes)
        .member("locations", call.locations)
        .end_object();
}

/// One line per use.
void write_lines(const AcceleratorsView& view, std::string_view kind, const std::string& name,
                 const AcceleratorActivity::Location& it, std::ostream& out) {
    for (const AcceleratorUse use : kShownUses) {
        if (it.calls_of(use) == 0) continue;
        out << kind << ',' << csv_field(name) << ',' << accelerator_use_name(use) << ','
            << it.calls_of(use) << ',' << csv_number(view.seconds(it.ticks_of(use))) << ",,,"
            << (use == AcceleratorUse::copy ? it.bytes : 0) << ",1\n";
    }
}

}  // namespace

void write_streams(const AcceleratorsView& view, JsonWriter& json) {
    json.key("streams").begin_array();
    for (std::size_t i = 0; i < view.streams.size(); ++i) {
        write_location(view, view.data.streams[i], view.streams[i], true, json);
    }
    json.end_array();
}

void write_accelerators_csv(const AcceleratorsView& view, std::ostream& out) {
    out << "kind,name,use,calls,seconds,shortest,longest,bytes,locations\n";
    for (std::size_t i = 0; i < view.streams.size(); ++i) {
        write_lines(view, "stream", view.streams[i], view.data.streams[i], out);
    }
    for (std::size_t i = 0; i < view.threads.size(); ++i) {
        write_lines(view, "thread", view.threads[i], view.data.threads[i], out);
    }
    for (const AcceleratorActivity::Call& call : view.data.calls) {
        out << (call.on_stream ? "on streams," : "on threads,") << csv_field(call.name) << ','
            << accelerator_use_name(call.use) << ',' << call.calls << ','
            << csv_number(view.seconds(call.ticks)) << ','
            << csv_number(view.seconds(call.shortest)) << ','
            << csv_number(view.seconds(call.longest)) << ',' << call.bytes << ',' << call.locations
            << '\n';
    }
}

void write_accelerators_json(const AcceleratorsView& view, Console& console) {
    JsonWriter json = begin_document(console, "accelerators");
    json.member("file", view.file).member("seconds", view.seconds(view.data.length));
    write_streams(view, json);
    json.key("threads").begin_array();
    for (std::size_t i = 0; i < view.threads.size(); ++i) {
        write_location(view, view.data.threads[i], view.threads[i], false, json);
    }
    json.end_array().key("calls").begin_array();
    for (const AcceleratorActivity::Call& call : view.data.calls) write_call(view, call, json);
    json.end_array().end_object();
}

namespace {

class AcceleratorsPrinter {
    using Use = AcceleratorUse;

  public:
    AcceleratorsPrinter(const AcceleratorsView& view, Console& console)
        : view_(view), data_(view.data), console_(console) {}

    void run() {
        console_.text() << console_.paint(Style::bold, view_.file) << "  " << data_.streams.size()
                        << (data_.streams.size() == 1 ? " stream, " : " streams, ")
                        << data_.threads.size() << " host threads, " << time(data_.length) << '\n';
        if (data_.empty()) {
            console_.text() << "  the trace has no streams and no calls of an accelerator\n";
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
                     {"bytes", kRight, 1},
                     {"busy", kRight}});
        for (std::size_t i = 0; i < data_.streams.size(); ++i) {
            const AcceleratorActivity::Location& it = data_.streams[i];
            table.add_row({printable(view_.streams[i]), format_count(it.calls_of(Use::kernel)),
                           time(it.ticks_of(Use::kernel)), format_count(it.calls_of(Use::copy)),
                           time(it.ticks_of(Use::copy)), bytes_text(it.bytes),
                           format_percent(view_.share(it.busy))});
        }
        table.print(console_, 2);
    }

  private:
    [[nodiscard]] std::string time(u64 ticks) const { return format_time(view_.seconds(ticks)); }

    void print_threads() {
        if (data_.threads.empty()) return;
        Table table({{"host thread"},
                     {"waits", kRight},
                     {"time", kRight},
                     {"of the run", kRight},
                     {"copies", kRight},
                     {"other calls", kRight}});
        for (std::size_t i = 0; i < data_.threads.size(); ++i) {
            const AcceleratorActivity::Location& it = data_.threads[i];
            table.add_row({printable(view_.threads[i]), format_count(it.calls_of(Use::wait)),
                           time(it.ticks_of(Use::wait)),
                           format_percent(view_.share(it.ticks_of(Use::wait))),
                           time(it.ticks_of(Use::copy)), time(it.ticks_of(Use::call))});
        }
        table.print(console_, 2);
    }

    /// Nothing without calls.
    void print_calls(const std::string& title, bool on_stream, Use use) {
        const bool with_bytes = on_stream && use == Use::copy;
        Table table = head_of_calls(title, on_stream, with_bytes);
        bool any = false;
        for (const AcceleratorActivity::Call& call : data_.calls) {
            if (call.on_stream != on_stream || call.use != use || call.calls == 0) continue;
            any = true;
            table.add_row(row_of(call, with_bytes));
        }
        if (any) table.print(console_, 2);
    }

    static Table head_of_calls(const std::string& title, bool on_stream, bool with_bytes) {
        std::vector<Table::Column> columns = {{"calls", kRight},
                                              {"time", kRight},
                                              {"mean", kRight},
                                              {"min", kRight, 2},
                                              {"max", kRight}};
        if (with_bytes) {
            columns.push_back({"bytes", kRight});
            columns.push_back({"a second", kRight, 1});
        }
        columns.push_back({on_stream ? "streams" : "threads", kRight, 3});
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
