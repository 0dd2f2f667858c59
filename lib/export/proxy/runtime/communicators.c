/* SPDX-FileCopyrightText: 2026 The tracefold authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Calls that make and free communicators. A split stands for those whose arguments traces do not hold. */

//@ Comm_dup
static void Comm_dup(int parent, int c) {
    begin();
    MPI_Comm handle;
    MPI_Comm_dup(comm[parent].handle, &handle);
    made("MPI_Comm_dup", c, handle, 1);
}

//@ Comm_dup_with_info
static void Comm_dup_with_info(int parent, int c) {
    begin();
    MPI_Comm handle;
    MPI_Comm_dup_with_info(comm[parent].handle, MPI_INFO_NULL, &handle);
    made("MPI_Comm_dup_with_info", c, handle, 1);
}

//@ Comm_split
static void Comm_split(int parent, int c, ll colour, int key) { /* -1: in none */
    begin();
    MPI_Comm handle;
    MPI_Comm_split(comm[parent].handle, colour < 0 ? MPI_UNDEFINED : (int)colour, key, &handle);
    made("MPI_Comm_split", c, handle, 1);
}

//@ Comm_split_type Graph_create Dist_graph_create Dist_graph_create_adjacent Cart_sub
static void Comm_split_type(int parent, int c, ll colour, int key) { /* -1: in none */
    begin();
    MPI_Comm handle;
    MPI_Comm_split(comm[parent].handle, colour < 0 ? MPI_UNDEFINED : (int)colour, key, &handle);
    made("MPI_Comm_split_type", c, handle, 1);
}

//@ Cart_as_split
static void Cart_as_split(int parent, int c, ll colour, int key) { /* -1: in none */
    begin();
    MPI_Comm handle;
    MPI_Comm_split(comm[parent].handle, colour < 0 ? MPI_UNDEFINED : (int)colour, key, &handle);
    made("MPI_Cart_create", c, handle, 1);
}

//@ Cart_create: lists
static void Cart_create(int parent, int c, ll n, cursor *sizes, ll m, cursor *periodic) {
    begin();
    MPI_Comm handle;
    int *size = ints(n, sizes), *period = ints(m, periodic);
    MPI_Cart_create(comm[parent].handle, (int)n, size, period, 0, &handle);
    made("MPI_Cart_create", c, handle, 1);
    free(size), free(period);
}

//@ Comm_create: lists groups
static void Comm_create(int parent, int c, ll n, cursor *ranks) {
    begin();
    MPI_Comm handle;
    MPI_Group group = group_of(n, ranks);
    MPI_Comm_create(comm[parent].handle, group, &handle);
    made("MPI_Comm_create", c, handle, 1);
    if (n > 0) PMPI_Group_free(&group);
}

//@ Comm_create_group: lists groups
static void Comm_create_group(int parent, int c, int tag, ll n, cursor *ranks) {
    begin();
    MPI_Comm handle;
    MPI_Group group = group_of(n, ranks);
    MPI_Comm_create_group(comm[parent].handle, group, tag, &handle);
    made("MPI_Comm_create_group", c, handle, 0);
    PMPI_Group_free(&group);
}

//@ make_communicator: lists groups
static void make_communicator(int c, int tag, ll n, cursor *ranks) { /* no call of the trace does */
    MPI_Comm handle;
    MPI_Group group = group_of(n, ranks);
    PMPI_Comm_create_group(MPI_COMM_WORLD, group, tag, &handle);
    keep(c, handle);
    PMPI_Group_free(&group);
    started_at = PMPI_Wtime(); /* before the program */
}

//@ Comm_free Comm_disconnect
static void Comm_free(int c) {
    begin();
    MPI_Comm_free(&comm[c].handle);
    tally("MPI_Comm_free", 0, 0);
    comm[c].order = 0;
    note(COLLECTIVE);
}
