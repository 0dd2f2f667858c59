/* SPDX-FileCopyrightText: 2026 The tracefold authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * What every proxy application ends with: the report, options, and the choice of the part by rank. */

//@ main
static void report(int rank) {
    char text[16384] = "", other[16384];
    for (int i = 0, at = 0; tallies[i].name; i++)
        at += snprintf(text + at, sizeof text - at, "rank %d %s calls %lld sent %lld received %lld\n",
                       rank, tallies[i].name, tallies[i].calls, tallies[i].sent, tallies[i].received);
    if (rank != 0) PMPI_Send(text, sizeof text, MPI_CHAR, 0, 0, MPI_COMM_WORLD);
    for (int r = 0; rank == 0 && r < RANKS; r++) {
        if (r > 0) PMPI_Recv(other, sizeof other, MPI_CHAR, r, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        fputs(r > 0 ? other : text, stdout);
    }
}

static void open_argument(cursor *x, const char *text, int place) {
    char *columns = strchr(text, ':');
    ll chosen = 0;
    open_column(x, atoi(text));
    if (!columns) return;
    for (int i = 0; i <= place; i++) chosen = next(x);
    if (!*++columns) *x = (cursor){.value = chosen, .left = FOR_EVER};
    for (ll i = 0; *columns && i <= chosen; i++) open_column(x, (int)strtol(columns, &columns, 10));
}

int main(int argc, char **argv) {
    int counts = 0, rank, size, bad = 0;
    for (int i = 1; i < argc; i++) {
        if (!strcmp(argv[i], "--counts")) counts = 1;
        else if (!strcmp(argv[i], "--no-compute")) scale = 0;
        else if (!strcmp(argv[i], "--scale") && i + 1 < argc) scale = atof(argv[++i]);
        else bad = 1;
    }
    START;
    PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
    PMPI_Comm_size(MPI_COMM_WORLD, &size);
    if (bad || size != RANKS) {
        if (rank == 0) fprintf(stderr, "usage: mpirun -n %d %s [--counts] [--no-compute] [--scale X]\n",
                               RANKS, argv[0]);
        MPI_Finalize();
        return 2;
    }
    keep(WORLD, MPI_COMM_WORLD);
    keep(SELF, MPI_COMM_SELF);
    for (const part *p = parts; p->run; p++) {
        int before = 0, mine = -1; /* ranks of the part below this one, its place among them */
        for (const int *r = p->ranks; r[2]; r += 3)
            for (int i = 0; i < r[2]; i++) {
                before += r[0] + i * r[1] < rank;
                if (r[0] + i * r[1] == rank) mine = 0;
            }
        if (mine < 0) continue;
        arguments = calloc(p->n + 1, sizeof *arguments);
        for (int i = 0; i < p->n; i++) open_argument(&arguments[i], p->arguments[i], before);
        p->run();
    }
    FINISH;
    PMPI_Barrier(MPI_COMM_WORLD);
    if (counts) report(rank);
    MPI_Finalize();
    return 0;
}
