// A page with Monaco, in which hgrd-check watches what is typed: node bridge.js FILE.cu [FOLDER_OF_MONACO [SERVER]]
//
// A page cannot start a program. So this does, and hands on what the two say to each other: what the language server writes goes to the page
// as events, what the page posts goes to the server. FOLDER_OF_MONACO is what `npm install monaco-editor` makes (node_modules/monaco-editor).
// It listens on this machine alone, at an address that nobody else knows: who knows it can write to FILE.
// SPDX-License-Identifier: Apache-2.0
"use strict";
const crypto = require("crypto");
const fs = require("fs");
const http = require("http");
const path = require("path");
const { spawn } = require("child_process");
const { pathToFileURL } = require("url");

const LARGEST_BYTES = 64 << 20;
const TYPES = { ".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".ttf": "font/ttf" };

// What stands between `Content-Length: N` and the next one.
function readMessages(stream, take) {
  let held = Buffer.alloc(0);
  stream.on("data", (data) => {
    held = Buffer.concat([held, data]);
    for (;;) {
      const end = held.indexOf("\r\n\r\n");
      if (end < 0) return;
      const length = Number(/content-length: *(\d+)/i.exec(held.toString("latin1", 0, end))[1]);
      if (held.length < end + 4 + length) return;
      take(held.toString("utf8", end + 4, end + 4 + length));
      held = held.subarray(end + 4 + length);
    }
  });
}

function readBody(request, take) {
  const parts = [];
  let length = 0;
  request.on("data", (part) => (length += part.length) <= LARGEST_BYTES && parts.push(part));
  request.on("end", () => take(Buffer.concat(parts).toString("utf8")));
}

function sendFile(answer, file) {
  fs.readFile(file, (error, content) => {
    answer.writeHead(error ? 404 : 200, { "Content-Type": TYPES[path.extname(file)] || "application/octet-stream" });
    answer.end(error ? String(error.code) : content);
  });
}

// A server for one page at a time: each that connects begins with a new language server. `extra`: more paths, for tests.
function bridge(file, monaco, program, extra = {}) {
  const secret = "/" + crypto.randomBytes(16).toString("hex") + "/";
  let server = null;

  const begin = (answer) => {
    if (server) server.kill();
    const mine = (server = spawn(program, ["--lsp"], { stdio: ["pipe", "pipe", "inherit"], cwd: path.dirname(file) }));
    answer.writeHead(200, { "Content-Type": "text/event-stream", "Cache-Control": "no-store" });
    answer.write("\n");
    readMessages(mine.stdout, (message) => answer.write(`data: ${message.replace(/\n/g, " ")}\n\n`));
    mine.on("error", (error) => answer.end(`event: ended\ndata: ${error.message}\n\n`));
    mine.on("exit", () => answer.end("event: ended\ndata: the language server ended\n\n"));
    answer.on("close", () => mine.kill());
  };
  const paths = {
    "GET events": (request, answer) => begin(answer),
    "POST message": (request, answer) => readBody(request, (text) => {
      if (server && server.exitCode === null) server.stdin.write(`Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`);
      answer.writeHead(204).end();
    }),
    "GET file": (request, answer) => {
      answer.writeHead(200, { "Content-Type": "application/json" });
      answer.end(JSON.stringify({ uri: pathToFileURL(file).toString(), text: fs.readFileSync(file, "utf8") }));
    },
    "PUT file": (request, answer) => readBody(request, (text) => fs.writeFile(file, text, (error) => answer.writeHead(error ? 500 : 204).end())),
    ...extra,
  };
  const listener = http.createServer((request, answer) => {
    const asked = new URL(request.url, "http://localhost").pathname;
    const inside = asked.startsWith(secret) ? path.posix.normalize(decodeURIComponent(asked.slice(secret.length))) : "..";
    const way = paths[`${request.method} ${inside}`];
    if (way) way(request, answer);
    else if (request.method !== "GET" || inside.startsWith("..")) answer.writeHead(404).end();
    else if (inside.startsWith("vs/")) sendFile(answer, path.join(monaco, "min", inside));
    else if (["page.html", "client.js"].includes(inside)) sendFile(answer, path.join(__dirname, inside));
    else answer.writeHead(404).end();
  });
  listener.listen(0, "127.0.0.1");
  const end = () => {
    if (server) server.kill();
    listener.close();
    listener.closeAllConnections();
  };
  return { listener, end, address: () => `http://127.0.0.1:${listener.address().port}${secret}page.html` };
}

if (require.main === module) {
  const [file, monaco = "node_modules/monaco-editor", program = process.env.HGRD_CHECK || "hgrd-check"] = process.argv.slice(2);
  if (!file) {
    console.error("usage: node bridge.js FILE.cu [FOLDER_OF_MONACO [SERVER]]");
    process.exit(2);
  }
  const made = bridge(path.resolve(file), path.resolve(monaco), program);
  made.listener.on("listening", () => console.log(made.address()));
}
module.exports = { bridge };
