// Contexts of Z3 that serve one question after the other. Only for the files of the solver that talk to Z3.
// SPDX-License-Identifier: Apache-2.0
#ifndef HGRD_SOLVER_CONTEXT_H
#define HGRD_SOLVER_CONTEXT_H

#include "solver/internal.h"

#include <z3.h>

// A context in the state of a new one, whatever was asked before. With NULL, or when the store's only context
// is out already, one of its own. Never NULL.
Z3_context context_take(SmtStore *store);
// Back to where it came from. All references to what was made in it must have been given back.
void context_give(SmtStore *store, Z3_context context);

#endif
