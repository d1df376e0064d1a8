# The pages of the rules, docs/rules/*.md, as rows of a table in C (report/explain.c): their one source is what is read on the web.
# cmake -DPAGES=DIR -DOUT=FILE -P RulePages.cmake. SPDX-License-Identifier: Apache-2.0
file(GLOB pages "${PAGES}/*.md")
list(SORT pages)
set(rows "")
foreach(page IN LISTS pages)
  get_filename_component(rule "${page}" NAME_WE)
  file(READ "${page}" text)
  string(REPLACE "\\" "\\\\" text "${text}")
  string(REPLACE "\"" "\\\"" text "${text}")
  string(REPLACE "\n" "\\n\"\n \"" text "${text}")
  string(APPEND rows "{\"${rule}\",\n \"${text}\"},\n")
endforeach()
file(WRITE "${OUT}" "${rows}")
