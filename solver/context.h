// Contexts of Z3 that serve one question after the other. Only for the files of the solver that talk to Z3.
// SPDX-License-Identifier: Apache-2.0
#ifndef HGRD_SOLVER_CONTEXT_H
#define HGRD_SOLVER_CONTEXT_H

#include "solver/internal.h"

#include <z3.h>

// A context with references counted by hand and errors that are asked for. Never NULL.
Z3_context context_new(void);
// What the solver has done since its context was opened, in units: what Z3 counts, in 32 bits, and its branches.
uint32_t context_units(Z3_context context, Z3_solver solver);
// One parameter of the solver, which from then on leaves signals alone.
void context_set(Z3_context context, Z3_solver solver, const char *name, unsigned value);
// A context in the state of a new one, whatever was asked before. With NULL, or when the store's only context
// is out already, one of its own. Never NULL.
Z3_context context_take(SmtStore *store);
// Back to where it came from. All references to what was made in it must have been given back.
void context_give(SmtStore *store, Z3_context context);

#endif
