// The closed forms of the phis of one loop: of one phi (form.c), of several together (phi_groups.c).
// SPDX-License-Identifier: Apache-2.0
#ifndef HGRD_HOSTSCAN_VALUE_FORM_H
#define HGRD_HOSTSCAN_VALUE_FORM_H

#include "hostscan/value/value.h"

enum { HOST_LONGEST_PERIOD = 8 };

typedef struct HostFormer { // who looks for forms
  HostScan *scan;
  ExprPool *pool;
  HostFrame *frame;
  uint32_t loop;
  bool waits; // what hangs on a value that may still get a form has its turn later
} HostFormer;

// phi_groups.c
// The k-th value of a sequence that repeats.
ExprRef host_periodic(const HostFormer *f, uint32_t period, const ExprRef *values);
// Does the phi belong to such a group? Then the forms of all of its members are set.
bool host_classify_cycle(const HostFormer *f, HostLoop *state, HostPhi *first);
bool host_classify_shuffle(const HostFormer *f, HostLoop *state, HostPhi *first);
bool host_classify_twin(const HostFormer *f, HostLoop *state, HostPhi *phi);

// loop_facts.c
bool host_is_without_form(const HostFormer *f, const HostPhi *phi);
// The condition holds in each round of the loop; `about`: the value that it is said of, or 0.
void host_loop_side_fact(const HostFormer *f, ExprRef about, ExprRef condition);

#endif
