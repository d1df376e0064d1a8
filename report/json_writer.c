// How are the members written that stand in many places of the JSON document: texts, places, facts, assumptions?
// Text is what stands in the source, with bytes that are no UTF-8 replaced.
// SPDX-License-Identifier: Apache-2.0
#include "report/json_writer.h"
#include "core/bug.h"

json_t *writer_text(const JsonWriter *w, const char *value) {
  return json_text(value, w->arena);
}

void writer_put_text(const JsonWriter *w, json_t *object, const char *key, const char *value) {
  ASSERT(key);
  json_put(object, key, writer_text(w, value));
}

void json_put_number(json_t *object, const char *key, int64_t value) {
  ASSERT(json_is_object(object));
  json_put(object, key, json_integer((json_int_t)value));
}

void writer_put_loc(const JsonWriter *w, json_t *object, const SrcLoc *loc) {
  if (!loc_known(loc)) return;
  writer_put_text(w, object, "file", loc->file);
  if (loc->line) json_put_number(object, "line", loc->line);
  if (loc->line && loc->column) json_put_number(object, "column", loc->column);
}

json_t *json_triple(const int64_t values[3]) {
  json_t *array = json_need(json_array());
  for (int i = 0; i < 3; i++)
    json_push(array, json_integer((json_int_t)values[i]));
  return array;
}

static json_t *make_fact(const JsonWriter *w, const Fact *fact) {
  json_t *object = json_need(json_object());
  StrBuf printed = {.arena = w->arena};
  if (!(fact->text && fact->text[0]) && fact->condition && w->input->pool)
    expr_print(w->input->pool, fact->condition, true, &printed);
  writer_put_text(w, object, "text", fact->text && fact->text[0] ? fact->text : strbuf_text(&printed));
  writer_put_text(w, object, "class", fact_word(fact->class));
  writer_put_loc(w, object, &fact->loc);
  return object;
}

json_t *writer_facts(const JsonWriter *w, uint32_t count, const Fact *const *items) {
  ASSERT(items || !count);
  json_t *array = json_need(json_array());
  for (uint32_t i = 0; i < count; i++)
    json_push(array, make_fact(w, items[i]));
  return array;
}

json_t *json_assumption_ids(unsigned assumptions) {
  json_t *array = json_need(json_array());
#define X(bit, id, telling, words)                                                                           \
  if (assumptions >> (bit)&1) json_push(array, json_string(id));
  ASSUMPTIONS(X)
#undef X
  return array;
}
