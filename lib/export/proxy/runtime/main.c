/* SPDX-FileCopyrightText: 2026 The tracefold authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * What every proxy application ends with: repetitions, the report, options, and the choice of the part
 * by rank. */

//@ main
#ifdef __unix__
#include <unistd.h>
#endif
enum { WALL, COMMUNICATION, COMPUTATION, TIMES };
static const char *const time_names[TIMES] = {"wall", "communication", "computation"};
typedef struct rank_report {
    char host[MPI_MAX_PROCESSOR_NAME];
    long processors;
    double times[TIMES]; /* of a repetition */
    struct tally tallies[FUNCTIONS + 1];
} rank_report;

static double root_of(double x) { /* without the library of mathematics */
    double root = x > 1 ? x : 1;
    for (int i = 0; i < 100; i++) root = (root + x / root) / 2;
    return root;
}

static void put_spreads(FILE *out, const double (*of)[TIMES], int n) {
    for (int t = 0; t < TIMES; t++) {
        double min = of[0][t], max = min, mean = 0, squares = 0;
        for (int i = 0; i < n; i++) {
            if (of[i][t] < min) min = of[i][t];
            if (of[i][t] > max) max = of[i][t];
            mean += of[i][t] / n;
        }
        for (int i = 0; i < n; i++) squares += (of[i][t] - mean) * (of[i][t] - mean);
        fprintf(out, "%s\"%s\": {\"min\": %.9g, \"mean\": %.9g, \"max\": %.9g, \"std\": %.9g}", t ? ", " : "",
                time_names[t], min, mean, max, root_of(squares / n));
    }
}

static void put_functions(FILE *out, const struct tally *of) {
    fputs("\"calls_by_function\": [", out);
    for (int f = 0, any = 0; f < FUNCTIONS; f++)
        if (of[f].calls)
            fprintf(out, "%s{\"function\": \"%s\", \"calls\": %lld, \"sent_bytes\": %lld, "
                    "\"received_bytes\": %lld, \"replayed_seconds\": %.9g}", any++ ? ",\n  " : "",
                    functions[f].name, of[f].calls, of[f].sent, of[f].received, of[f].seconds);
    fputs("]", out);
}

static long processors_here(void) {
#if defined __unix__ && defined _SC_NPROCESSORS_ONLN
    return sysconf(_SC_NPROCESSORS_ONLN);
#else
    return 0;
#endif
}

/* Figures of one repetition, means where they are times; only this rank has them. */
static rank_report own_report(const double *times) {
    rank_report own;
    int length;
    memset(&own, 0, sizeof own);
    PMPI_Get_processor_name(own.host, &length);
    own.processors = processors_here();
    for (int t = 0; t < TIMES; t++) own.times[t] = times[t] / options.repeat;
    for (int f = 0; f < FUNCTIONS; f++) {
        own.tallies[f].calls = tallies[f].calls / options.repeat;
        own.tallies[f].sent = tallies[f].sent / options.repeat;
        own.tallies[f].received = tallies[f].received / options.repeat;
        own.tallies[f].seconds = tallies[f].seconds / options.repeat;
    }
    return own;
}

/* Calls of one function and size of all ranks in all repetitions; only rank 0 has them. */
static struct of_size {
    struct sized all;
    struct { double seconds, shortest, median; } *runs;
} of_sizes[SIZES];

static double median_of(const unsigned *durations, ll calls, double least) { /* those of a bucket are evenly spread */
    double before = 0;
    int i = 0;
    while (i < DURATIONS - 1 && (!durations[i] || before + durations[i] < calls / 2.0)) before += durations[i++];
    const int power = i < 2 * STEPS ? 0 : i / STEPS - 1;
    const double width = 1e-9 * (double)(1LL << power);
    const double median = (i - power * STEPS) * width + width * (calls / 2.0 - before) / (durations[i] ? durations[i] : 1);
    return median > least ? median : least;
}

static void forget_sizes(void) {
    for (int i = 0; i < SIZES; i++) {
        unsigned *durations = sized[i].durations;
        if (durations) memset(durations, 0, DURATIONS * sizeof *durations);
        sized[i] = (struct sized){.durations = durations};
    }
}

/* Adds the calls of a repetition, this one of all ranks. */
static void add_sizes(int run, int rank) {
    static ll own[SIZES], calls[SIZES];
    static unsigned durations[DURATIONS], none[DURATIONS];
    for (int i = 0; i < SIZES; i++) own[i] = sized[i].calls;
    PMPI_Allreduce(own, calls, SIZES, MPI_LONG_LONG, MPI_SUM, MPI_COMM_WORLD);
    for (int i = 0; i < SIZES; i++) {
        struct sized sum;
        if (!calls[i]) continue;
        if (!sized[i].calls) sized[i].shortest = 1e30;
        PMPI_Reduce(&sized[i].bytes, &sum.bytes, 1, MPI_LONG_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
        PMPI_Reduce(&sized[i].seconds, &sum.seconds, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
        PMPI_Reduce(&sized[i].shortest, &sum.shortest, 1, MPI_DOUBLE, MPI_MIN, 0, MPI_COMM_WORLD);
        PMPI_Reduce(sized[i].calls ? sized[i].durations : none, durations, DURATIONS, MPI_UNSIGNED, MPI_SUM, 0,
                    MPI_COMM_WORLD);
        if (rank != 0) continue;
        struct of_size *to = &of_sizes[i];
        if (!to->runs) {
            to->runs = calloc(options.repeat, sizeof *to->runs);
            to->all.durations = calloc(DURATIONS, sizeof durations[0]);
            to->all.shortest = sum.shortest;
        }
        to->all.calls += calls[i], to->all.bytes += sum.bytes, to->all.seconds += sum.seconds;
        if (sum.shortest < to->all.shortest) to->all.shortest = sum.shortest;
        for (int d = 0; d < DURATIONS; d++) to->all.durations[d] += durations[d];
        to->runs[run].seconds = sum.seconds, to->runs[run].shortest = sum.shortest;
        to->runs[run].median = median_of(durations, calls[i], sum.shortest);
    }
}

static void put_sizes(FILE *out) {
    fputs("\"calls_by_size\": [", out);
    for (int i = 0, any = 0; i < SIZES; i++) {
        const struct sized *all = &of_sizes[i].all;
        if (!all->calls) continue;
        fprintf(out, "%s{\"function\": \"%s\", \"from_bytes\": %lld, \"calls\": %lld, \"bytes\": %lld, "
                "\"replayed_seconds\": %.9g, \"shortest_seconds\": %.9g, \"median_seconds\": %.9g, \"repetitions\": [",
                any++ ? ",\n  " : "", functions[i / 64].name, i % 64 ? 1LL << (i % 64 - 1) : 0,
                all->calls / options.repeat, all->bytes / options.repeat, all->seconds / options.repeat,
                all->shortest, median_of(all->durations, all->calls, all->shortest));
        for (int run = 0; run < options.repeat; run++)
            fprintf(out, "%s{\"seconds\": %.9g, \"shortest\": %.9g, \"median\": %.9g}", run ? ", " : "",
                    of_sizes[i].runs[run].seconds, of_sizes[i].runs[run].shortest, of_sizes[i].runs[run].median);
        fputs("]}", out);
    }
    fputs("]", out);
}

/* Seconds in which this process was ready and had no processor; 0 where the system does not say. */
static double waited_for_processor(void) {
    double ran = 0, waited = 0;
    FILE *file = fopen("/proc/self/schedstat", "r");
    if (!file) return 0;
    if (fscanf(file, "%lf %lf", &ran, &waited) != 2) waited = 0;
    fclose(file);
    return 1e-9 * waited;
}

static void put_environment(FILE *out, const char *const *hosts, const long *processors, int nodes) {
    char library[MPI_MAX_LIBRARY_VERSION_STRING];
    int length;
    PMPI_Get_library_version(library, &length);
    library[strcspn(library, "\r\n")] = 0;
    for (char *c = library; *c; c++)
        if (*c == '"' || *c == '\\' || (*c > 0 && *c < ' ')) *c = ' ';
    fprintf(out, "\"environment\": {\"tracefold\": \"proxy program\", \"mpi\": \"%s\", \"date\": \"%s\", \"nodes\": [",
            library, options.date);
    for (int i = 0; i < nodes; i++)
        fprintf(out, "%s{\"host\": \"%s\", \"processors\": %ld}", i ? ", " : "", hosts[i], processors[i]);
    fputs("]},\n", out);
}

static void put_runs(FILE *out, const double (*runs)[TIMES], const double *waited) {
    fputs(", \"list\": [", out);
    for (int i = 0; i < options.repeat; i++)
        fprintf(out, "%s{\"wall\": %.9g, \"communication\": %.9g, \"computation\": %.9g, \"waited_for_processor\": %.9g}",
                i ? ", " : "", runs[i][WALL], runs[i][COMMUNICATION], runs[i][COMPUTATION], waited[i]);
    fputs("]", out);
}

static void put_oversubscription(FILE *out, int ranks) { /* of the node with the most ranks */
    const long processors = processors_here();
    if (processors > 0 && ranks > processors)
        fprintf(out, "\"oversubscription\": {\"ranks\": %d, \"threads\": %d, \"processors\": %ld},\n", ranks, ranks,
                processors);
}

static const char *verdict(ull fingerprint) {
    if (fingerprint != FINGERPRINT) return "differs";
    return FINGERPRINT == TRACE_FINGERPRINT ? "that of the trace" : "as expected";
}

static int ranks_of_a_node(void) {
    MPI_Comm node;
    int size, most;
    PMPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node);
    PMPI_Comm_size(node, &size);
    PMPI_Comm_free(&node);
    PMPI_Allreduce(&size, &most, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    return most;
}

/* Rank 0 writes the report (json) and prints counts; returns the number of issued calls. */
static ll report(int rank, FILE *json, const double (*runs)[TIMES], const double *waited,
                 const double *times, ull fingerprint) {
    static struct tally totals[FUNCTIONS + 1];
    static double of_ranks[RANKS][TIMES];
    rank_report own = own_report(times), other;
    ll calls = 0, left = 0;
    const int crowd = ranks_of_a_node();
    const int no_times = scale == 0 || !HAS_TIMES;
    char **hosts = NULL;
    long *processors = NULL;
    int nodes = 0;
    if (rank != 0) PMPI_Send(&own, sizeof own, MPI_BYTE, 0, 0, MPI_COMM_WORLD);
    if (rank != 0) return 0;
    for (int i = 0; left_out[i].name; i++) left += left_out[i].calls;
    if (json) fputs("{\"schema\": {\"name\": \"tracefold.replay\", \"version\": 1}, \"program\": \"proxy\",\n\"ranks_in_detail\": [", json);
    for (int r = 0; r < RANKS; r++) {
        if (r > 0) PMPI_Recv(&other, sizeof other, MPI_BYTE, r, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        else other = own;
        memcpy(of_ranks[r], other.times, sizeof other.times);
        int node = nodes; /* often that of the rank before */
        while (node > 0 && strcmp(hosts[node - 1], other.host)) node--;
        if (node == 0) {
            hosts = realloc(hosts, (nodes + 1) * sizeof *hosts);
            processors = realloc(processors, (nodes + 1) * sizeof *processors);
            hosts[nodes] = strcpy(malloc(sizeof other.host), other.host);
            processors[nodes++] = other.processors;
        }
        for (int f = 0; f < FUNCTIONS; f++) {
            const struct tally *of = &other.tallies[f];
            totals[f].calls += of->calls, totals[f].seconds += of->seconds;
            totals[f].sent += of->sent, totals[f].received += of->received;
            calls += of->calls;
            if (options.counts && of->calls)
                printf("rank %d %s calls %lld sent %lld received %lld\n", r, functions[f].name, of->calls, of->sent,
                       of->received);
        }
        if (!json) continue;
        fprintf(json, "%s{\"rank\": %d, \"host\": \"%s\", \"threads\": 1, \"replayed\": {", r ? ",\n" : "", r, other.host);
        for (int t = 0; t < TIMES; t++)
            fprintf(json, "%s\"%s\": %.9g", t ? ", " : "", time_names[t], other.times[t]);
        fputs("}, ", json);
        put_functions(json, other.tallies);
        fputs("}", json);
    }
    if (!json) return calls;
    fprintf(json, "],\n\"input\": \"%s\", \"trace\": \"%s\", \"ranks\": %d, \"threads\": %d,\n", TRACE_NAME, TRACE, RANKS, RANKS);
    fprintf(json, "\"deltas\": \"%s\", \"seed\": 0, \"compute_scale\": %.9g, \"bytes_scale\": 1,\n",
            no_times ? "none" : "mean", no_times ? 1 : scale);
    fprintf(json, "\"options\": {\"sleep\": false, \"wildcards\": \"none\", \"verify\": false, \"unsupported\": \"%s\"},\n",
            left ? "skip" : "error");
    fprintf(json, "\"calls\": %lld, \"calls_left_out\": %lld,\n\"left_out\": [", calls, left);
    for (int i = 0; left_out[i].name; i++)
        fprintf(json, "%s{\"function\": \"%s\", \"calls\": %lld}", i ? ", " : "", left_out[i].name, left_out[i].calls);
    fprintf(json, "],\n\"fidelity\": {\"met\": %s, \"trace_calls\": %lld, \"issued_calls\": %lld},\n",
            fingerprint == FINGERPRINT && (!left || options.allow_left_out) ? "true" : "false",
            (calls + left) * options.repeat, calls * options.repeat);
    fprintf(json, "\"fingerprint\": {\"issued\": \"%016llx\", \"expected\": \"%016llx\", \"trace\": \"%016llx\"},\n",
            fingerprint, (ull)FINGERPRINT, (ull)TRACE_FINGERPRINT);
    put_oversubscription(json, crowd);
    put_environment(json, (const char *const *)hosts, processors, nodes);
    fputs("\"wall_seconds\": [", json);
    for (int i = 0; i < options.repeat; i++) fprintf(json, "%s%.9g", i ? ", " : "", runs[i][WALL]);
    fprintf(json, "],\n\"warmup\": %d, \"repetitions\": {\"count\": %d, ", options.warmup, options.repeat);
    put_spreads(json, runs, options.repeat);
    put_runs(json, runs, waited);
    fputs("},\n\"replayed\": {", json);
    put_spreads(json, (const double (*)[TIMES])of_ranks, RANKS);
    fputs("},\n", json);
    put_functions(json, totals);
    fputs(",\n", json);
    put_sizes(json);
    fputs("}\n", json);
    return calls;
}

static void open_argument(cursor *x, const char *text, int place) {
    char *columns = strchr(text, ':');
    ll chosen = 0;
    open_column(x, atoi(text));
    if (!columns) return;
    for (int i = 0; i <= place; i++) chosen = next(x);
    close_column(x);
    if (!*++columns) *x = (cursor){.value = chosen, .left = FOR_EVER};
    for (ll i = 0; *columns && i <= chosen; i++) open_column(x, (int)strtol(columns, &columns, 10));
}

/* The part of a rank, and the number of ranks of the part below it. */
static const part *part_of(int rank, int *before) {
    for (const part *p = parts; p->run; p++) {
        int mine = 0;
        *before = 0;
        for (const int *r = p->ranks; r[2]; r += 3)
            for (int i = 0; i < r[2]; i++) {
                *before += r[0] + i * r[1] < rank;
                mine |= r[0] + i * r[1] == rank;
            }
        if (mine) return p;
    }
    return NULL;
}

/* Runs the part once from a barrier on; adds the times of this rank, and returns its fingerprint. */
static ull repeat_once(const part *p, int rank, int before, double *times) {
    double in_calls;
    int n = p ? p->n : 0;
    arguments = calloc(n + 1, sizeof *arguments);
    for (int i = 0; i < n; i++) open_argument(&arguments[i], p->arguments[i], before);
    hash = 0, due = 0;
    in_calls = communication;
    PMPI_Barrier(MPI_COMM_WORLD);
    started_at = PMPI_Wtime();
    if (p) p->run();
    times[WALL] = PMPI_Wtime() - started_at;
    times[COMMUNICATION] = communication - in_calls;
    times[COMPUTATION] = times[WALL] - times[COMMUNICATION];
    FINISH;
    for (int i = 0; i < n; i++) close_column(&arguments[i]);
    free(arguments);
    return mix(mix(((ull)rank << 32) + 1) ^ hash);
}

static const char usage[] =
    "usage: mpirun -n %d %s [OPTIONS]\n"
    "Makes the MPI calls of %s.\n\n"
    "  --repeat N        Run N times (default: 1)\n"
    "  --warmup N        Run N times before, without measuring (default: 0)\n"
    "  --no-compute      Leave out the computation between the calls\n"
    "  --scale X         Factor for the computation (default: 1)\n"
    "  --counts          Print calls and bytes of each rank and function, of one repetition\n"
    "  --json FILE       Write a report, readable by trace_replay --compare\n"
    "  --scratch DIR     Folder on all nodes for the files of the program (default: .)\n"
    "  --allow-left-out  Calls of the trace that the program lacks do not make it fail\n"
    "  --help            Print this text\n\n"
    "Exit codes: 0 success, 1 the report cannot be written, 2 wrong usage,\n"
    "3 calls of the trace are left out, or the calls are not those of the trace.\n";

static int read_number_option(const char *text, int least, int *number) {
    char *end = NULL;
    long value = text ? strtol(text, &end, 10) : -1;
    *number = (int)value;
    return text && *text && !*end && value >= least && value <= 1000000;
}

/* 0: run; 1: print the usage; 2: wrong. */
static int read_options(int argc, char **argv) {
    for (int i = 1; i < argc; i++) {
        const char *value = i + 1 < argc ? argv[i + 1] : NULL;
        char *end = NULL;
        if (!strcmp(argv[i], "--counts")) options.counts = 1;
        else if (!strcmp(argv[i], "--no-compute")) scale = 0;
        else if (!strcmp(argv[i], "--allow-left-out")) options.allow_left_out = 1;
        else if (!strcmp(argv[i], "--help") || !strcmp(argv[i], "-h")) return 1;
        else if (!value) return 2;
        else if (!strcmp(argv[i++], "--json")) options.json = value;
        else if (!strcmp(argv[i - 1], "--scratch")) options.scratch = value;
        else if (!strcmp(argv[i - 1], "--scale") && (scale = strtod(value, &end), end != value && !*end && scale >= 0)) continue;
        else if (!strcmp(argv[i - 1], "--repeat") && read_number_option(value, 1, &options.repeat)) continue;
        else if (!strcmp(argv[i - 1], "--warmup") && read_number_option(value, 0, &options.warmup)) continue;
        else return 2;
    }
    return 0;
}

int main(int argc, char **argv) {
    int rank, size, before = 0, code = 0;
    double times[TIMES] = {0};
    ull fingerprint = 0, all;
    FILE *json = NULL;
    START;
    PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
    PMPI_Comm_size(MPI_COMM_WORLD, &size);
    const int asked = read_options(argc, argv);
    if (asked || size != RANKS) {
        if (rank == 0 && !asked) fprintf(stderr, "%s needs %d ranks, not %d\n", argv[0], RANKS, size);
        else if (rank == 0) fprintf(asked == 1 ? stdout : stderr, usage, RANKS, argv[0], TRACE_NAME);
        MPI_Finalize();
        return asked == 1 || rank != 0 ? 0 : 2; /* a launcher ends the others where one fails: rank 0 alone does */
    }
    if (rank == 0 && options.json && !(json = fopen(options.json, "w"))) {
        fprintf(stderr, "cannot write %s\n", options.json);
        code = 1;
    }
    options.run = (ll)time(NULL) * 1000003 + (ll)(1e6 * PMPI_Wtime()) % 1000003;
    PMPI_Bcast(&options.run, 1, MPI_LONG_LONG, 0, MPI_COMM_WORLD);
    PMPI_Bcast(&code, 1, MPI_INT, 0, MPI_COMM_WORLD);
    if (code) return MPI_Finalize(), rank == 0 ? code : 0;
    double (*runs)[TIMES] = calloc(options.repeat, sizeof *runs), *waited = calloc(options.repeat, sizeof *waited);
    const part *p = part_of(rank, &before);
    for (int i = -options.warmup; i < options.repeat; i++) {
        double own[TIMES], sum[TIMES], longest;
        if (i == 0) {
            const time_t now = time(NULL);
            memset(tallies, 0, sizeof tallies);
            strftime(options.date, sizeof options.date, "%Y-%m-%dT%H:%M:%SZ", gmtime(&now));
        }
        forget_sizes();
        keep(WORLD, MPI_COMM_WORLD);
        keep(SELF, MPI_COMM_SELF);
        double delayed = waited_for_processor();
        const ull issued = repeat_once(p, rank, before, own);
        delayed = waited_for_processor() - delayed;
        PMPI_Allreduce(&issued, &all, 1, MPI_UNSIGNED_LONG_LONG, MPI_SUM, MPI_COMM_WORLD);
        PMPI_Allreduce(own, sum, TIMES, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
        PMPI_Allreduce(&own[WALL], &longest, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
        if (fingerprint == 0 || all != FINGERPRINT) fingerprint = all; /* one that differs stays */
        if (i < 0) continue;
        add_sizes(i, rank);
        PMPI_Allreduce(&delayed, &waited[i], 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
        waited[i] /= RANKS;
        for (int t = 0; t < TIMES; t++) times[t] += own[t], runs[i][t] = sum[t] / RANKS;
        runs[i][WALL] = longest;
        if (rank == 0)
            printf("repetition %d: %.6f s, communication %.6f s, computation %.6f s\n", i + 1, longest,
                   runs[i][COMMUNICATION], runs[i][COMPUTATION]);
    }
    const ll calls = report(rank, json, (const double (*)[TIMES])runs, waited, times, fingerprint);
    if (rank == 0) {
        printf("%lld calls, fingerprint %016llx (%s)\n", calls, fingerprint, verdict(fingerprint));
        for (int i = 0; left_out[i].name; i++)
            printf("left out: %lld %s\n", left_out[i].calls, left_out[i].name);
        int failed = json ? ferror(json) : 0;
        if (json && fclose(json)) failed = 1;
        if (failed) {
            fprintf(stderr, "cannot write %s\n", options.json);
            code = 1;
        }
    }
    PMPI_Bcast(&code, 1, MPI_INT, 0, MPI_COMM_WORLD);
    if (!code && (fingerprint != FINGERPRINT || (left_out[0].name && !options.allow_left_out))) code = 3;
    MPI_Finalize();
    return rank == 0 ? code : 0;
}
