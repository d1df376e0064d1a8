// An editor as Visual Studio Code is one: vscode-languageserver-protocol at the server's standard streams, and the guards of
// vscode-languageserver-types on all that comes. usage: node lsp.js SERVER FOLDER, where FOLDER has racy.cu, clean.cu, undecided.cu
// and scale.cu; prints what is wrong, status 1 if anything is. NODE_PATH has to name the folder that both were installed in.
// SPDX-License-Identifier: Apache-2.0
const fs = require("fs");
const path = require("path");
const assert = require("assert");
const { spawn } = require("child_process");
const { pathToFileURL } = require("url");
const lsp = require("vscode-languageserver-protocol/node");

const [program, folder] = process.argv.slice(2);
const uriOf = (name) => pathToFileURL(path.join(folder, name)).toString();
const textOf = (name) => fs.readFileSync(path.join(folder, name), "utf8");
const problems = [];
const expect = (holds, text) => holds || problems.push(text);

// Those that the protocol's own guards accept, or a complaint.
function judged(list, guard, what) {
  expect(Array.isArray(list), `${what}: no list`);
  for (const one of list || []) expect(guard.is(one), `${what}: not of the protocol: ${JSON.stringify(one)}`);
  return list || [];
}

class Editor {
  constructor(capabilities, options) {
    this.server = spawn(program, ["--lsp", "--stdio"], { stdio: ["pipe", "pipe", "pipe"] });
    this.ended = new Promise((done) => this.server.on("exit", (code, signal) => done(signal || code)));
    this.errors = "";
    this.server.stderr.on("data", (data) => (this.errors += data));
    this.connection = lsp.createProtocolConnection(
      new lsp.StreamMessageReader(this.server.stdout),
      new lsp.StreamMessageWriter(this.server.stdin),
    );
    this.published = [];
    this.waiting = [];
    this.progress = [];
    this.registered = [];
    this.versions = new Map();
    this.connection.onNotification(lsp.PublishDiagnosticsNotification.type, (params) => {
      judged(params.diagnostics, lsp.Diagnostic, "diagnostics");
      for (const diagnostic of params.diagnostics)
        judged(diagnostic.relatedInformation || [], lsp.DiagnosticRelatedInformation, "related information");
      this.published.push(params);
      this.waiting = this.waiting.filter((wait) => !(wait.fits(params) && (wait.done(params), true)));
    });
    this.connection.onRequest(lsp.ConfigurationRequest.type, () => [options || null]);
    this.connection.onRequest(lsp.RegistrationRequest.type, (params) => void this.registered.push(...params.registrations));
    this.connection.onRequest(lsp.CodeLensRefreshRequest.type, () => void (this.refreshed = true));
    this.connection.onRequest(lsp.WorkDoneProgressCreateRequest.type, (params) => {
      this.connection.onProgress(lsp.WorkDoneProgress.type, params.token, (value) => this.progress.push(value));
    });
    this.connection.onNotification(lsp.LogMessageNotification.type, () => {});
    this.connection.onNotification(lsp.ShowMessageNotification.type, (params) => (this.shown = params.message));
    this.connection.onUnhandledNotification((message) => expect(false, `not handled: ${message.method}`));
    this.connection.onError(([error]) => expect(false, `the connection: ${error.message}`));
    this.connection.listen();
    this.capabilities = capabilities;
  }
  async begin() {
    const params = { processId: process.pid, rootUri: pathToFileURL(folder).toString(), capabilities: this.capabilities };
    const result = await this.connection.sendRequest(lsp.InitializeRequest.type, params);
    await this.connection.sendNotification(lsp.InitializedNotification.type, {});
    return result;
  }
  next(name, fits = () => true) {
    const uri = uriOf(name);
    return new Promise((done) => this.waiting.push({ fits: (params) => params.uri === uri && fits(params), done }));
  }
  async open(name, text = textOf(name)) {
    this.versions.set(name, 1);
    const come = this.next(name, (params) => params.version === 1);
    await this.connection.sendNotification(lsp.DidOpenTextDocumentNotification.type, {
      textDocument: lsp.TextDocumentItem.create(uriOf(name), "cuda-cpp", 1, text),
    });
    return come;
  }
  async change(name, text) {
    const version = this.versions.get(name) + 1;
    this.versions.set(name, version);
    const come = this.next(name, (params) => params.version === version);
    await this.connection.sendNotification(lsp.DidChangeTextDocumentNotification.type, {
      textDocument: { uri: uriOf(name), version },
      contentChanges: [{ text }],
    });
    return come;
  }
  ask(type, name, line, character, more = {}, token = undefined) {
    return this.connection.sendRequest(
      type,
      { textDocument: { uri: uriOf(name) }, position: { line, character }, ...more },
      token,
    );
  }
  async end() {
    await this.connection.sendRequest(lsp.ShutdownRequest.type);
    await this.connection.sendNotification(lsp.ExitNotification.type);
    const status = await this.ended;
    expect(status === 0, `the server ended with ${status}`);
    expect(this.errors === "", `on standard error: ${this.errors}`);
    this.connection.dispose();
  }
}

const whole = {
  general: { positionEncodings: ["utf-16"] },
  window: { workDoneProgress: true },
  workspace: {
    configuration: true,
    workspaceEdit: { documentChanges: true },
    didChangeWatchedFiles: { dynamicRegistration: true },
    codeLens: { refreshSupport: true },
  },
  textDocument: {
    publishDiagnostics: { relatedInformation: true, versionSupport: true, tagSupport: { valueSet: [1] } },
    codeAction: { codeActionLiteralSupport: { codeActionKind: { valueSet: ["quickfix"] } }, isPreferredSupport: true },
  },
};

function applied(text, edits) {
  const lines = text.split("\n");
  const offset = (at) => lines.slice(0, at.line).reduce((sum, line) => sum + line.length + 1, 0) + at.character;
  const sorted = [...edits].sort((a, b) => offset(b.range.start) - offset(a.range.start));
  for (const edit of sorted)
    text = text.slice(0, offset(edit.range.start)) + edit.newText + text.slice(offset(edit.range.end));
  return text;
}

async function everyFeature() {
  const editor = new Editor(whole, { delay: 10 });
  const { capabilities, serverInfo } = await editor.begin();
  expect(serverInfo.name === "hgrd-check", "the server's name");
  expect(capabilities.textDocumentSync.change === lsp.TextDocumentSyncKind.Full, "whole texts");

  const racy = await editor.open("racy.cu");
  expect(racy.diagnostics.length === 1, `one finding in racy.cu, not ${racy.diagnostics.length}`);
  const related = racy.diagnostics[0].relatedInformation.map((one) => one.message);
  for (const word of ["the other access", "launched here", "witness"])
    expect(related.some((text) => text.startsWith(word)), `no '${word}' in ${JSON.stringify(related)}`);
  const undecided = await editor.open("undecided.cu");
  expect(undecided.diagnostics[0].severity === lsp.DiagnosticSeverity.Information, "undecided is information");

  const hover = await editor.ask(lsp.HoverRequest.type, "racy.cu", 0, 18);
  expect(lsp.Hover.is(hover) && hover.contents.value.includes("racy under 1 launch"), "hover on the kernel");
  expect((await editor.ask(lsp.HoverRequest.type, "racy.cu", 8, 60)) === null, "hover where nothing is");
  const lenses = judged(
    await editor.connection.sendRequest(lsp.CodeLensRequest.type, { textDocument: { uri: uriOf("undecided.cu") } }),
    lsp.CodeLens,
    "code lenses",
  );
  expect(lenses.length === 1 && lenses[0].command.title.startsWith("undecided: "), "the lens of undecided.cu");
  await editor.connection.sendRequest(lsp.ExecuteCommandRequest.type, lenses[0].command);
  expect((editor.shown || "").includes("odd"), "what the lens tells");
  const other = judged(await editor.ask(lsp.DefinitionRequest.type, "racy.cu", 3, 5), lsp.Location, "definition");
  expect(other.length === 1 && other[0].range.start.character === 11, "from the write to the read");
  judged(
    await editor.ask(lsp.ReferencesRequest.type, "racy.cu", 3, 5, { context: { includeDeclaration: true } }),
    lsp.Location,
    "references",
  );
  expect(editor.registered.some((one) => one.method === "workspace/didChangeWatchedFiles"), "files are watched");
  expect(editor.refreshed, "lenses are refreshed");

  // Each action, made, leaves nothing to say.
  const scale = await editor.open("scale.cu");
  expect(scale.diagnostics.length > 0, "a finding in scale.cu");
  const actions = judged(
    await editor.connection.sendRequest(lsp.CodeActionRequest.type, {
      textDocument: { uri: uriOf("scale.cu") },
      range: scale.diagnostics[0].range,
      context: { diagnostics: scale.diagnostics },
    }),
    lsp.CodeAction,
    "code actions",
  );
  expect(actions.length >= 3, `actions for scale.cu: ${actions.map((one) => one.title)}`);
  for (const action of actions) {
    expect(lsp.WorkspaceEdit.is(action.edit), `'${action.title}': no edit`);
    const [change] = action.edit.documentChanges;
    expect(change.textDocument.version === editor.versions.get("scale.cu"), `'${action.title}': of another version`);
    const after = await editor.change("scale.cu", applied(textOf("scale.cu"), change.edits));
    expect(after.diagnostics.length === 0, `'${action.title}' leaves ${JSON.stringify(after.diagnostics)}`);
    const again = await editor.change("scale.cu", textOf("scale.cu"));
    expect(again.diagnostics.length > 0, "the finding is back");
    for (const one of actions) one.edit.documentChanges[0].textDocument.version = editor.versions.get("scale.cu");
  }

  // Many changes: only the newest text's result is shown, whatever was asked meanwhile is answered or cancelled.
  const source = new lsp.CancellationTokenSource();
  const before = editor.published.length;
  let last;
  for (let i = 0; i < 20; i++) last = editor.change("racy.cu", (i % 2 ? textOf("racy.cu") : textOf("clean.cu")) + `// ${i}\n`);
  const cancelled = editor.ask(lsp.HoverRequest.type, "racy.cu", 0, 18, {}, source.token).then(
    () => "answered",
    (error) => error.code,
  );
  source.cancel();
  expect((await cancelled) === lsp.LSPErrorCodes.RequestCancelled, "a request that is cancelled");
  const hovered = editor.ask(lsp.HoverRequest.type, "racy.cu", 0, 18);
  expect((await last).diagnostics.length === 1, "the last text is racy");
  expect((await hovered).contents.value.includes("racy"), "hover waits for the newest text");
  const versions = editor.published.slice(before).filter((params) => params.uri === uriOf("racy.cu")).map((params) => params.version);
  expect(versions.length === 1, `results of older texts were shown: ${versions}`);
  await editor.end();
}

// A check that takes long has a bar that can be stopped: here it is clang that takes long. The editor says nothing more until the bar
// is there: the clock alone has to wake the server.
async function progressOfLongChecks() {
  const slow = path.join(folder, "slow");
  fs.writeFileSync(slow, "#!/bin/sh\nexec sleep 1000\n", { mode: 0o755 });
  process.env.HGRD_CLANG = slow;
  const editor = new Editor({ window: whole.window });
  delete process.env.HGRD_CLANG;
  const begun = new Promise((done) => {
    editor.connection.onRequest(lsp.WorkDoneProgressCreateRequest.type, (params) => {
      editor.connection.onProgress(lsp.WorkDoneProgress.type, params.token, (value) => {
        editor.progress.push(value);
        if (value.kind === "begin") done(params.token);
        if (value.kind === "end") editor.stopped();
      });
    });
  });
  const stopped = new Promise((done) => (editor.stopped = done));
  await editor.begin();
  editor.open("racy.cu");
  const token = await begun;
  const hover = editor.ask(lsp.HoverRequest.type, "racy.cu", 0, 18).then(
    () => "answered",
    (error) => error.code,
  );
  expect(editor.progress[0].cancellable && editor.progress[0].message === "racy.cu", JSON.stringify(editor.progress));
  await editor.connection.sendNotification(lsp.WorkDoneProgressCancelNotification.type, { token });
  await stopped;
  expect((await hover) === lsp.LSPErrorCodes.RequestCancelled, "what waits for a check that is stopped");
  await editor.end();
}

// If the server ends before it has answered, nothing is waited for any more and node would end, too, with status 0.
process.on("beforeExit", () => {
  console.log("the server is gone, and its answer never came");
  process.exit(1);
});
(async () => {
  await everyFeature();
  await progressOfLongChecks();
  assert(folder);
  for (const problem of problems) console.log(problem);
  process.exit(problems.length > 0 ? 1 : 0);
})().catch((error) => {
  console.log(error.stack);
  process.exit(1);
});
