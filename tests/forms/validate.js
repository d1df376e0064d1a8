// Checks JSON documents against a schema: node validate.js SCHEMA DOCUMENT...; prints what is wrong, status 1 if
// anything is. NODE_PATH has to name the folder that `ajv` was installed in.
// SPDX-License-Identifier: Apache-2.0
const fs = require("fs");
const formats = require("ajv-formats");

const [schemaPath, ...documents] = process.argv.slice(2);
const schema = JSON.parse(fs.readFileSync(schemaPath, "utf8"));
const Ajv = require(schema.$schema.includes("2020-12") ? "ajv/dist/2020" : "ajv").default;
const ajv = new Ajv({ allErrors: true, strict: false });
formats(ajv);
const validate = ajv.compile(schema);
let status = documents.length > 0 ? 0 : 2;
for (const path of documents) {
  if (validate(JSON.parse(fs.readFileSync(path, "utf8")))) continue;
  status = 1;
  for (const error of validate.errors.slice(0, 10))
    console.log(`${path}: ${error.instancePath || "/"} ${error.message} ${JSON.stringify(error.params)}`);
}
process.exit(status);
