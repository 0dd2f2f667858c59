// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "inspect/page/page_documents.hpp"

#include "base/communicator.hpp"
#include "base/text_stream.hpp"
#include "common/output_format.hpp"
#include "file/program_names.hpp"
#include "inspect/command.hpp"
#include "inspect/explain/explain.hpp"
#include "inspect/info/info.hpp"
#include "inspect/profile/efficiency.hpp"
#include "inspect/profile/profile.hpp"
#include "inspect/stats/classes.hpp"
#include "inspect/stats/stats.hpp"
#include "model/participant_names.hpp"
#include "model/record_kinds.hpp"
#include "questions/calls/tick_window.hpp"
#include "questions/metrics/metric_series.hpp"
#include "questions/stats/row_tree.hpp"

#include <algorithm>
#include <array>
#include <new>
#include <unordered_set>
#include <utility>

namespace tracefold {

namespace {

/// Columns of maps over steps and of metrics over time.
constexpr u32 kMostStepColumns = 100;
constexpr std::size_t kSeriesColumns = 400;
/// Memory for decoded times, which most documents read.
constexpr u64 kKeptTickBytes = u64{192} << 20U;

struct DocumentCommand {
    std::string_view document;
    std::vector<std::string> arguments;
    bool timed = false;  ///< takes --times, if there are any
};

const std::vector<DocumentCommand>& document_commands() {
    static const std::vector<DocumentCommand> commands = {
        {"info", {"info"}},
        {"structure", {"structure", "--lines"}, true},
        {"findings", {"structure", "--lines", "--top", "1"}},
        {"visits", {"profile", "--no-times"}},
        {"matrix-rank", {"matrix", "--by", "rank"}},
        {"matrix-node", {"matrix", "--by", "node"}},
        {"matrix-class", {"matrix", "--by", "class"}},
        {"collective-rank", {"matrix", "--by", "rank", "--kind", "collective"}},
        {"rma-rank", {"matrix", "--by", "rank", "--kind", "rma"}},
        {"graph", {"graph", "--signature", "call,path", "--top", "80"}, true},
        {"graph-variants", {"graph", "--top", "300"}, true},
        {"sizes", {"sizes"}},
        {"metrics", {"metrics"}},
        {"metrics-path", {"metrics", "--by", "path"}},
        {"accelerators", {"accelerators"}},
        {"io", {"io"}},
    };
    return commands;
}

constexpr std::array<std::string_view, 8> kOwnDocuments = {
    "profile", "stats", "spreads", "classes", "efficiency", "explain", "waits", "metric-series"};

const DocumentCommand* find_command(std::string_view document) {
    const auto& commands = document_commands();
    const auto found =
        std::find_if(commands.begin(), commands.end(),
                     [&](const DocumentCommand& c) { return c.document == document; });
    return found == commands.end() ? nullptr : &*found;
}

/// Adds the commands that produce documents.
std::vector<InspectCommand> add_document_commands(CLI::App& app) {
    app.require_subcommand(1);
    return {add_info_command(app),         add_structure_command(app), add_matrix_command(app),
            add_sizes_command(app),        add_graph_command(app),     add_profile_command(app),
            add_accelerators_command(app), add_metrics_command(app),   add_io_command(app)};
}

std::string unavailable(const std::string& sentence) {
    TextStream out;
    JsonWriter json(out);
    json.begin_object().member("unavailable", sentence).end_object();
    return std::move(out).str();
}

/// Bins as bucket, count, bucket, count (base/log_histogram.hpp).
void put_buckets(JsonWriter& json, const LogHistogram& histogram) {
    json.begin_array();
    for (u32 bucket = 0; bucket < histogram.buckets().size(); ++bucket) {
        if (histogram.buckets()[bucket] == 0) continue;
        json.value(bucket).value(histogram.buckets()[bucket]);
    }
    json.end_array();
}

void put_series(JsonWriter& json, const MetricSeries& series, const MetricMember& member) {
    const double scale = member.scale();
    json.begin_object().member("metric", member.name).member("unit", member.unit);
    json.member("mode", metric_mode_name(member.mode)).member("locations", series.locations);
    json.key("columns").begin_array();
    for (const MetricSeries::Column& column : series.columns) {
        if (column.locations == 0) {
            json.null();
            continue;
        }
        json.begin_array()
            .value(column.least * scale)
            .value(column.mean * scale)
            .value(column.most * scale)
            .end_array();
    }
    json.end_array().end_object();
}

/// Turns errors into an unavailable document, except lack of memory or files, which is temporary.
template <class Make>
std::string made_or_unavailable(const Make& make) {
    try {
        return make();
    } catch (const std::bad_alloc&) {
        throw;
    } catch (const Error& error) {
        if (error.kind() == ErrorKind::io) throw;
        return unavailable(error.what());
    } catch (const std::exception& error) {
        return unavailable(error.what());
    }
}

/// Thrown when a document exceeds its size limit.
struct TextIsFull {};

/// Collects text. Throws TextIsFull once it is longer than `most` bytes.
class BoundedText : public std::streambuf {
  public:
    explicit BoundedText(std::size_t most) : most_(most) {}
    std::string take() { return std::move(text_); }

  protected:
    int_type overflow(int_type c) override {
        const char byte = traits_type::to_char_type(c);
        xsputn(&byte, 1);
        return c;
    }
    std::streamsize xsputn(const char* bytes, std::streamsize count) override {
        text_.append(bytes, static_cast<std::size_t>(count));
        if (text_.size() > most_) throw TextIsFull{};
        return count;
    }

  private:
    std::size_t most_;
    std::string text_;
};

}  // namespace

std::string document_of(const std::function<void(Console&)>& write, std::size_t most) {
    BoundedText text(most);
    std::ostream out(&text);
    out.exceptions(std::ios::badbit);
    std::ostream silent(nullptr);
    ConsoleSettings settings;
    settings.json = true;
    Console console(out, silent, Terminal{}, settings);
    try {
        write(console);
    } catch (const TextIsFull&) {
    }
    return text.take();
}

PageDocuments::PageDocuments(std::shared_ptr<const InputFile> input, std::string name)
    : input_(std::move(input)), name_(std::move(name)) {}

PageDocuments::~PageDocuments() = default;

bool PageDocuments::is_known(std::string_view document) {
    return find_command(document) != nullptr ||
           std::find(kOwnDocuments.begin(), kOwnDocuments.end(), document) != kOwnDocuments.end();
}

const OpenTrace& PageDocuments::open(u32 threads) {
    if (!opened_) {
        file_ = std::make_shared<TraceFile>(input_, name_);
        file_->keep_decoded_ticks(kKeptTickBytes);
        own_steps_.emplace(*file_, StepLevels::two, threads);
        opened_.emplace(OpenTrace{file_, *own_steps_});
    }
    return *opened_;
}

std::unique_ptr<PageDocuments> PageDocuments::clone() const {
    auto other = std::make_unique<PageDocuments>(input_, name_);
    other->clocks_ = clocks_;
    other->threads_ = threads_;
    other->most_bytes_ = most_bytes_;
    other->file_ = file_;
    other->opened_.emplace(*opened_);
    return other;
}

void PageDocuments::prepare(Communicator& comm, int fanout, u32 threads) {
    threads_ = comm.size() == 1 ? threads : 1;
    agree(comm, [&] { open(threads_); });
    if (!is_too_long("profile")) prepare_profile(comm, threads);
    if (!is_too_long("stats")) prepare_statistics(comm, fanout, threads);
}

void PageDocuments::release() {
    efficiency_.reset();
    profile_.reset();
    statistics_.reset();
}

bool PageDocuments::is_too_long(std::string_view document) {
    // Bytes that the entry of a function takes at least.
    constexpr std::pair<std::string_view, std::size_t> kEntries[] = {
        {"profile", 150}, {"stats", 100}, {"spreads", 30}};
    const auto* entry =
        std::ranges::find(kEntries, document, &std::pair<std::string_view, std::size_t>::first);
    if (most_bytes_ == kAnySize || entry == std::end(kEntries)) return false;
    return functions() > most_bytes_ / entry->second;
}

u64 PageDocuments::functions() {
    if (functions_) return *functions_;
    std::unordered_set<ReferenceCode> entered;
    for (const Symbol& symbol : file().structure().symbols) {
        for (const Element& element : symbol.elements) {
            // Even codes are global ids.
            if (is_enter(element.type) && element.context % 2 == 0) {
                entered.insert(element.context);
            }
        }
    }
    functions_ = entered.size();
    return *functions_;
}

void PageDocuments::prepare_profile(Communicator& comm, u32 threads) {
    ProfileRequest request;
    request.selected.assign(file().location_count(), true);
    if (file().definitions().world_size() <= kMostProfileRanks) request.by = ProfileGroups::rank;
    profile_ = over_threads(comm, file(), threads, [&](Communicator& team) {
        return trace_profile(team, file(), request);
    });
}

void PageDocuments::prepare_statistics(Communicator& comm, int fanout, u32 threads) {
    SampleRequest request;
    request.steps = &opened_->steps;
    request.iterations = keeps_every_time(file().summary().timing);
    statistics_ = over_threads(comm, file(), threads, [&](Communicator& team) {
        return collect_spreads(team, file(), request, kMostStepColumns, fanout);
    });
}

const TraceProfile& PageDocuments::profile() {
    SerialCommunicator alone;
    if (!profile_) prepare_profile(alone, 0);
    return *profile_;
}

const SpreadStatistics& PageDocuments::statistics() {
    SerialCommunicator alone;
    if (!statistics_) prepare_statistics(alone, 2, 0);
    return *statistics_;
}

std::string PageDocuments::text(const std::string& document) {
    return made_or_unavailable([&] {
        open();
        SerialCommunicator alone;
        return shared_text(document, alone);
    });
}

std::string PageDocuments::shared_text(const std::string& document, Communicator& comm) {
    return made_or_unavailable([&] {
        const DocumentCommand* command = find_command(document);
        if (command == nullptr) return own_text(document, comm);
        std::vector<std::string> arguments = command->arguments;
        if (command->timed && takes_times(document)) arguments.emplace_back("--times");
        return of_command(std::move(arguments), comm);
    });
}

std::string PageDocuments::short_profile() {
    return made_or_unavailable([this] { return profile_text(false); });
}

/// Times of a large trace's flow graph are not worth another walk.
bool PageDocuments::takes_times(std::string_view document) {
    if (file().summary().timing == TimingLevel::none) return false;
    return document == "structure" || file_overview(file()).events <= kMostWaitEvents;
}

std::string PageDocuments::own_text(const std::string& document, Communicator& comm) {
    if (document == "profile") return profile_text(true);
    if (document == "stats") return statistics_text();
    if (document == "spreads") return spreads_text();
    if (document == "classes") return classes_text();
    if (document == "metric-series") return series_text();
    if (document == "explain") return explanation_text();
    const bool waits = document == "waits" || file_overview(file()).events <= kMostWaitEvents;
    return efficiency_text(waits, comm);
}

std::string PageDocuments::of_command(std::vector<std::string> arguments, Communicator& comm) {
    CLI::App app("A document of a page.", "trace_inspect");
    const std::vector<InspectCommand> commands = add_document_commands(app);
    // CLI11 consumes arguments from the end.
    arguments.insert(arguments.end(), {"--", name_});
    std::reverse(arguments.begin(), arguments.end());
    return document_of(
        [&](Console& console) {
            try {
                app.parse(std::move(arguments));
            } catch (const CLI::ParseError& error) {
                throw Error(ErrorKind::usage, error.what());
            }
            for (const InspectCommand& command : commands) {
                if (!command.app->parsed()) continue;
                command.input->opened = &*opened_;
                command.input->threads = threads_;
                command.run(console, comm);
            }
        },
        comm.size() == 1 ? most_bytes_ : kAnySize);
}

std::string PageDocuments::profile_text(bool by_rank) {
    profile();
    ProfileView view;
    view.file = name_;
    view.gaps = recording_gaps(file());
    if (by_rank && !profile_->groups.empty()) view.by = "rank";
    // Moves the profile into the view temporarily.
    view.data = std::move(*profile_);
    std::string text =
        document_of([&](Console& console) { write_profile_json(view, console); }, most_bytes_);
    profile_ = std::move(view.data);
    return text;
}

std::string PageDocuments::statistics_text() {
    const StatisticsView view = {name_,          "call", SampleScope::calls,
                                 Quantity::time, {},     recording_gaps(file())};
    return document_of(
        [&](Console& console) { write_statistics_json(statistics(), view, console); }, most_bytes_);
}

std::string PageDocuments::spreads_text() {
    return document_of(
        [&](Console& console) {
            const SpreadStatistics& all = statistics();
            JsonWriter json(console.out());
            json.begin_object().member("iterations", all.iterations);
            json.member("per_column", all.per_column).key("rows").begin_array();
            for (std::size_t i = 0; i < all.rows.size(); ++i) {
                const bool timed = all.rows[i].durations.count() == 0;
                put_buckets(json.begin_object().member("name", all.rows[i].name()).key("calls"),
                            timed ? all.spreads[i].calls : all.rows[i].durations);
                if (all.spreads[i].has_steps) {
                    json.key("steps").begin_array();
                    for (const LogHistogram& step : all.spreads[i].steps) put_buckets(json, step);
                    json.end_array();
                }
                json.end_object();
            }
            json.end_array().end_object();
        },
        most_bytes_);
}

std::string PageDocuments::classes_text() {
    SerialCommunicator alone;
    ClassRequest request;
    request.signature.kind = SignatureKind::calls;
    ClassesView view;
    view.file = name_;
    view.by = "calls";
    view.what = "MPI calls";
    view.classes = collect_classes(alone, file(), request);
    const ParticipantNames names(file().definitions());
    for (const ParticipantList& members : view.classes.classes) {
        view.participants.push_back(names.text(members));
    }
    return document_of([&](Console& console) { write_classes_json(view, console); }, most_bytes_);
}

std::string PageDocuments::explanation_text() {
    if (!finds_causes()) {
        throw Error(ErrorKind::unsupported,
                    "causes of lost time are not searched here in more than {} M events; see "
                    "trace_inspect explain",
                    kMostWaitEvents / 1'000'000);
    }
    SerialCommunicator alone;
    ExplainView view{name_, program_name(file()),
                     explain(file(), efficiency_with_waits(alone), open(threads_).steps, threads_)};
    return document_of([&](Console& console) { write_explanation_json(view, console); },
                       most_bytes_);
}

const Efficiency& PageDocuments::efficiency_with_waits(Communicator& comm) {
    if (!efficiency_) {
        efficiency_ =
            trace_efficiency(comm, file(), WaitSearch::all, threads_, &open(threads_).steps);
    }
    return *efficiency_;
}

std::string PageDocuments::efficiency_text(bool waits, Communicator& comm) {
    EfficiencyView view;
    view.file = name_;
    view.data =
        waits ? efficiency_with_waits(comm)
              : trace_efficiency(comm, file(), WaitSearch::none, threads_, &open(threads_).steps);
    if (comm.rank() != 0) return {};
    view.labels = location_labels(file());
    view.accelerators = accelerator_activity(file());
    if (clocks_ != nullptr) view.clocks = *clocks_;
    return document_of([&](Console& console) { write_efficiency_json(view, console); },
                       most_bytes_);
}

std::string PageDocuments::series_text() {
    TraceFile& file = this->file();
    const MetricCatalogue catalogue(file);
    TextStream out;
    JsonWriter json(out);
    json.begin_object();
    std::vector<u32> locations;
    for (u32 location = 0; location < file.location_count(); ++location) {
        if (file.index().script(Stream::events, location) != kNone) locations.push_back(location);
    }
    std::vector<MetricSeries> all;
    if (!catalogue.empty() && !locations.empty() && keeps_every_time(file.summary().timing)) {
        const CommonClock clock = common_clock(file);
        const TickWindow window = recorded_window(file, clock, locations);
        json.member("from", window.begin).member("to", window.end);
        if (window.length() != 0) all = metric_series(file, clock, window, kSeriesColumns);
    }
    json.key("series").begin_array();
    for (const MetricSeries& series : all) {
        put_series(json, series, catalogue.members()[series.member]);
    }
    json.end_array().end_object();
    return std::move(out).str();
}

}  // namespace tracefold
