// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "inspect/messages.hpp"

#include "common/output_format.hpp"
#include "common/table.hpp"
#include "common/text.hpp"
#include "inspect/calls/calls.hpp"
#include "inspect/command.hpp"
#include "mpi/unrecorded_calls.hpp"

#include <memory>
#include <string>
#include <vector>

namespace tracefold {

namespace {

struct MessagesArguments {
    TraceInput input;
    PartArguments part;
    std::size_t top = 0;
    OutputFormat format;
};

struct MessagesView {
    const std::string& file_name;
    TraceFile& file;
    Messages data;
};

void write_call(std::string_view key, const MessageCall& call, const ParticipantNames& names,
                const TickRate* rate, JsonWriter& json) {
    json.key(key).begin_object().member("location", names.label(call.location));
    json.member("call", call.call).member("name", call.name);
    if (rate != nullptr) {
        json.member("begin", rate->seconds(call.time.begin));
        json.member("duration", rate->seconds(call.time.length()));
    }
    json.end_object();
}

void print_messages(const MessagesView& view, Console& console) {
    const Messages& data = view.data;
    const TickRate rate = view.file.definitions().tick_rate();
    const ParticipantNames names(view.file.definitions());
    Table table({{"sender", kRight},
                 {"receiver", kRight},
                 {"tag", kRight, 2},
                 {"size", kRight},
                 {"sent at", kRight},
                 {"received", kRight, 1},
                 {"step", kRight, 1},
                 {"late", kRight},
                 {"receiving call", Table::Align::left, 3},
                 {"communicator", Table::Align::left, 4}});
    for (const Message& message : data.list) {
        const bool arrives = message.received.location != kNone;
        const auto moment = [&](u64 ticks, bool known) {
            return known ? rate.seconds_text(ticks) : "-";
        };
        table.add_row({names.label(message.sent.location),
                       arrives ? names.label(message.received.location) : "-",
                       std::to_string(message.tag), format_size(message.bytes),
                       moment(message.sent.time.begin, data.has_times),
                       moment(message.received.time.end, data.has_times && arrives),
                       message.step ? std::to_string(*message.step) : "-",
                       data.has_times && arrives ? format_time(rate.seconds(message.late)) : "-",
                       arrives ? printable(message.received.name) : "-",
                       printable(view.file.definitions().communicator_name(message.communicator))});
    }
    console.text() << console.paint(Style::bold, view.file_name) << "  "
                   << format_count(data.list.size())
                   << (data.list.size() == 1 ? " message" : " messages")
                   << "; times in s; late: the wait for a send that had not begun\n";
    table.print(console, 2);
}

void write_messages_json(const MessagesView& view, Console& console) {
    JsonWriter json(console.out(), JsonLayout::one_line);
    begin_document(json, "messages").member("file", view.file_name);
    write_messages(view.file, view.data, json);
    json.end_object();
}

void warn(MessagesArguments& arguments, const MessagesView& view, Console& console) {
    const Messages& data = view.data;
    if (data.unreceived != 0) {
        console.warning(format_count(data.unreceived) +
                        (data.unreceived == 1 ? " message is" : " messages are") +
                        " sent and never received");
    }
    const std::string unrecorded = unrecorded_sentence(find_unrecorded_calls(view.file));
    if (!unrecorded.empty()) console.warning(unrecorded);
    if (!data.has_times) console.warning("the file does not keep every time: no times, no waits");
    if (data.list.empty())
        arguments.part.explain_nothing("message", view.file, data.most_steps, console);
}

ExitCode run_messages(MessagesArguments& arguments, Console& console) {
    arguments.format.check(console);
    const std::unique_ptr<FoldedInput> input = arguments.input.open(console);
    TraceFile& file = input->file();
    naming_file(arguments.input.path, [&] {
        MessageRequest request;
        request.part = arguments.part.selection(file);
        request.top = arguments.top;
        FoundSteps steps(file, StepLevels::one, arguments.input.threads);
        const MessagesView view{arguments.input.path, file,
                                find_messages(file, request, steps, arguments.input.threads)};
        warn(arguments, view, console);
        arguments.format.show(
            view, console, write_messages_json,
            [](const MessagesView& it, std::ostream& out) {
                CsvTable table(out);
                put_messages(it.file, it.data, table);
            },
            print_messages);
    });
    return exit_ok;
}

}  // namespace

void write_messages(TraceFile& file, const Messages& messages, JsonWriter& json) {
    const DefinitionIndex& definitions = file.definitions();
    const ParticipantNames names(definitions);
    const TickRate rate = definitions.tick_rate();
    const TickRate* const known = messages.has_times ? &rate : nullptr;
    write_objects("messages", messages.list, json, [&](const Message& message) {
        const bool arrives = message.received.location != kNone;
        json.member("sender", names.place(message.sent.location).rank);
        if (arrives) json.member("receiver", names.place(message.received.location).rank);
        json.member("tag", message.tag).member("bytes", message.bytes);
        json.member("communicator", definitions.communicator_name(message.communicator));
        if (message.step) json.member("step", *message.step);
        if (arrives && known != nullptr) json.member("late", rate.seconds(message.late));
        write_call("sent", message.sent, names, known, json);
        if (arrives) write_call("received", message.received, names, known, json);
    });
}

InspectCommand add_messages_command(CLI::App& app) {
    auto arguments = std::make_shared<MessagesArguments>();
    CLI::App* messages =
        app.add_subcommand("messages", "List the messages with both calls and how late they were");
    arguments->input.add_options(*messages);
    arguments->part.add_options(*messages, "messages", "on their way in this window");
    messages
        ->add_option("--top", arguments->top,
                     "Only the N messages with the longest waits, these first; 0: all")
        ->type_name("N")
        ->capture_default_str();
    arguments->input.add_threads(*messages, "read the calls of ranks");
    arguments->format.add_options(*messages, false);
    return {messages, on_rank_zero([arguments](Console& console) {
                return run_messages(*arguments, console);
            })};
}

}  // namespace tracefold
