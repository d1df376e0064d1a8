// A page with Monaco (examples/monaco) in a browser without a screen: what a reader would see of it, and a fix by the menu.
// usage: node monaco.js SERVER FILE.cu, in a folder with reverse.cu; prints what is wrong, status 1 if anything is. NODE_PATH names the folder that
// monaco-editor was installed in.
// SPDX-License-Identifier: Apache-2.0
"use strict";
const fs = require("fs");
const path = require("path");
const { spawn } = require("child_process");
const example = path.join(__dirname, "..", "..", "examples", "monaco");
const { bridge } = require(path.join(example, "bridge.js"));

// Runs in the page, behind client.js.
async function inPage() {
  const problems = [];
  const expect = (holds, text) => holds || problems.push(text);
  const until = async (what, fits) => {
    for (let i = 0; i < 3000; i++) {
      const found = await fits();
      if (found) return found;
      await new Promise((done) => setTimeout(done, 100));
    }
    throw new Error(`did not come: ${what}`);
  };
  const withText = (selector, text) => [...document.querySelectorAll(selector)].find((node) => node.textContent.includes(text));
  try {
    const { editor, model, save } = await ready;
    const markers = () => monaco.editor.getModelMarkers({ owner: "hgrd" });
    const [first] = await until("markers", () => markers().length > 0 && markers());
    expect(first.startLineNumber === 4 && first.startColumn === 3, `the marker stands at ${first.startLineNumber}:${first.startColumn}`);
    expect(first.severity === monaco.MarkerSeverity.Warning, `the marker's severity is ${first.severity}`);
    expect(first.relatedInformation.some((more) => more.message.includes("the other access")), JSON.stringify(first.relatedInformation));
    await until("a wavy line", () => document.querySelector(".squiggly-warning"));
    await until("a lens", () => withText(".codelens-decoration", "racy under 1 launch"));
    editor.setPosition({ lineNumber: 1, column: 19 });
    editor.trigger("test", "editor.action.showHover", {});
    await until("what is hovered over", () => withText(".monaco-hover", "racy under 1 launch"));
    editor.setPosition({ lineNumber: 4, column: 4 });
    editor.trigger("test", "editor.action.revealDefinition", {});
    await until("the other access", () => editor.getPosition().lineNumber === 5);
    // As it is typed, and undone.
    editor.setPosition({ lineNumber: 4, column: model.getLineMaxColumn(4) });
    editor.trigger("keyboard", "type", { text: "\n__syncthreads();" });
    await until("the markers to go", () => markers().length === 0);
    for (let i = 0; i < 5 && model.getValue().includes("__sync"); i++) editor.trigger("keyboard", "undo", {});
    await until("the markers to come back", () => markers().length > 0);
    // The fix, by the menu.
    const row = await until("the fix in the menu", async () => {
      editor.focus();
      editor.setPosition({ lineNumber: 4, column: 4 });
      editor.trigger("test", "editor.action.quickFix", {});
      await new Promise((done) => setTimeout(done, 1000));
      return withText(".action-widget .monaco-list-row", "insert __syncthreads");
    });
    for (const kind of ["mousedown", "mouseup", "click"]) row.dispatchEvent(new MouseEvent(kind, { bubbles: true, button: 0, detail: 1 }));
    await until("the fix", () => model.getLineContent(5) === "  __syncthreads();");
    await until("no markers after the fix", () => markers().length === 0);
    await save();
  } catch (error) {
    problems.push(error.message);
  }
  await fetch(new URL("done", location.href), { method: "POST", body: problems.join("\n") });
}

const [program, file] = process.argv.slice(2);
const monaco = path.dirname(require.resolve("monaco-editor/package.json"));
let browser;
const end = (text) => {
  if (text) console.log(text);
  process.exitCode = text ? 1 : 0;
  browser.kill();
  made.end();
};
const page = fs.readFileSync(path.join(example, "page.html"), "utf8").replace("</body>", `<script>(${inPage})();</script></body>`);
const made = bridge(path.resolve(file), monaco, program, {
  "GET test.html": (request, answer) => answer.writeHead(200, { "Content-Type": "text/html" }).end(page),
  "POST done": (request, answer) => {
    let text = "";
    request.on("data", (part) => (text += part)).on("end", () => (answer.end(), end(text)));
  },
});
made.listener.on("listening", () => {
  const options = ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--window-size=1000,700", "--user-data-dir=" + path.resolve("profile")];
  browser = spawn("chromium", [...options, made.address().replace("page.html", "test.html")], { stdio: ["ignore", "ignore", "pipe"] });
  browser.stderr.on("data", (data) => process.env.HGRD_SEE && process.stderr.write(data));
  browser.on("exit", (code) => process.exitCode === undefined && end(`the browser ended with ${code}`));
});
