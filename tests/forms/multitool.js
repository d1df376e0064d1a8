// What the SARIF multitool wrote: node multitool.js OUTPUT LOG FILES; prints errors of the files that it looked at, and
// its own complaints; status 1 if there are any, or if it did not look at that many files.
// SPDX-License-Identifier: Apache-2.0
const fs = require("fs");
const run = JSON.parse(fs.readFileSync(process.argv[2], "utf8")).runs[0];
const rules = run.tool.driver.rules || [];
let errors = 0;
for (const result of run.results || []) {
  const rule = rules[result.ruleIndex] || {};
  const level = result.level || (rule.defaultConfiguration || {}).level || "warning";
  if (level !== "error") continue;
  errors++;
  const place = (result.locations || [{}])[0].physicalLocation || {};
  const line = (place.region || {}).startLine;
  console.log(`${(place.artifactLocation || {}).uri}:${line}: ${result.ruleId} ${JSON.stringify(result.message)}`);
}
for (const invocation of run.invocations || [])
  for (const kind of ["toolExecutionNotifications", "toolConfigurationNotifications"])
    for (const notification of invocation[kind] || [])
      if (notification.level === "error") {
        errors++;
        console.log(JSON.stringify(notification.message));
      }
const seen = Number((/(\d+) files scanned/.exec(fs.readFileSync(process.argv[3], "utf8")) || [0, 0])[1]);
const wanted = Number(process.argv[4]);
if (seen !== wanted) console.log(`${seen} files were looked at instead of ${wanted}`);
process.exit(errors > 0 || seen !== wanted ? 1 : 0);
