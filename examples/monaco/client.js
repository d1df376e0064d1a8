// The language client of page.html: what Monaco asks becomes requests of the Language Server Protocol, what the server tells becomes markers.
// Control-S saves. Monaco counts lines and columns from 1, the protocol from 0.
// SPDX-License-Identifier: Apache-2.0
"use strict";

const here = (name) => new URL(name, location.href);

class Client {
  constructor() {
    this.waiting = new Map();
    this.next = 1;
    this.on = {};
  }
  connect() {
    this.events = new EventSource(here("events"));
    this.events.onmessage = (event) => this.take(JSON.parse(event.data));
    this.events.addEventListener("ended", (event) => {
      this.events.close();
      document.title = `hgrd: ${(this.ended = event.data)}`;
      for (const wait of this.waiting.values()) wait.failed(new Error(this.ended));
    });
    return new Promise((done) => (this.events.onopen = done));
  }
  // One after the other: messages of a page may overtake each other otherwise.
  post(message) {
    const body = JSON.stringify({ jsonrpc: "2.0", ...message });
    this.last = (this.last || Promise.resolve()).then(() => fetch(here("message"), { method: "POST", body }));
    return this.last;
  }
  notify(method, params) {
    return this.post({ method, params });
  }
  ask(method, params) {
    const id = this.next++;
    if (this.ended) return Promise.reject(new Error(this.ended));
    this.post({ id, method, params });
    return new Promise((done, failed) => this.waiting.set(id, { done, failed }));
  }
  take(message) {
    if (message.method) {
      const result = (this.on[message.method] || (() => null))(message.params);
      if (message.id !== undefined) this.post({ id: message.id, result: result ?? null });
      return;
    }
    const wait = this.waiting.get(message.id);
    this.waiting.delete(message.id);
    if (wait) message.error ? wait.failed(new Error(message.error.message)) : wait.done(message.result);
  }
}

const rangeOf = (r) => ({
  startLineNumber: r.start.line + 1, startColumn: r.start.character + 1, endLineNumber: r.end.line + 1, endColumn: r.end.character + 1,
});
const positionTo = (p) => ({ line: p.lineNumber - 1, character: p.column - 1 });
const rangeTo = (r) => ({
  start: { line: r.startLineNumber - 1, character: r.startColumn - 1 }, end: { line: r.endLineNumber - 1, character: r.endColumn - 1 },
});
const touches = (a, b) => a.startLineNumber <= b.endLineNumber && b.startLineNumber <= a.endLineNumber;

function markerOf(diagnostic) {
  const { MarkerSeverity, Uri } = monaco;
  return {
    ...rangeOf(diagnostic.range),
    severity: [MarkerSeverity.Error, MarkerSeverity.Error, MarkerSeverity.Warning, MarkerSeverity.Info, MarkerSeverity.Hint][diagnostic.severity || 1],
    message: diagnostic.message, code: String(diagnostic.code ?? ""), source: diagnostic.source,
    relatedInformation: (diagnostic.relatedInformation || []).map((more) => ({
      resource: Uri.parse(more.location.uri), message: more.message, ...rangeOf(more.location.range),
    })),
  };
}

function editOf(edit) {
  const changes = edit.documentChanges
    ? edit.documentChanges.map((change) => [change.textDocument.uri, change.edits])
    : Object.entries(edit.changes || {});
  return {
    edits: changes.flatMap(([uri, edits]) => edits.map((one) => ({
      resource: monaco.Uri.parse(uri), versionId: undefined, textEdit: { range: rangeOf(one.range), text: one.newText },
    }))),
  };
}

function register(client, diagnostics) {
  const { languages, Emitter, Uri } = monaco;
  const at = (model, position) => ({ textDocument: { uri: model.uri.toString() }, position: positionTo(position) });
  const refreshed = new Emitter();
  const placesOf = (found) => (found ? [found].flat() : []).map((place) => ({ uri: Uri.parse(place.uri), range: rangeOf(place.range) }));
  client.on["workspace/codeLens/refresh"] = () => void refreshed.fire();
  languages.registerHoverProvider("cpp", {
    provideHover: async (model, position) => {
      const hover = await client.ask("textDocument/hover", at(model, position));
      return hover && { contents: [{ value: hover.contents.value ?? String(hover.contents) }], range: hover.range && rangeOf(hover.range) };
    },
  });
  languages.registerDefinitionProvider("cpp", {
    provideDefinition: async (model, position) => placesOf(await client.ask("textDocument/definition", at(model, position))),
  });
  languages.registerReferenceProvider("cpp", {
    provideReferences: async (model, position) =>
      placesOf(await client.ask("textDocument/references", { ...at(model, position), context: { includeDeclaration: true } })),
  });
  languages.registerCodeLensProvider("cpp", {
    onDidChange: refreshed.event,
    provideCodeLenses: async (model) => {
      const lenses = (await client.ask("textDocument/codeLens", { textDocument: { uri: model.uri.toString() } })) || [];
      return { lenses: lenses.map((lens) => ({ range: rangeOf(lens.range), command: { id: "", title: lens.command.title } })), dispose() {} };
    },
  });
  languages.registerCodeActionProvider("cpp", {
    provideCodeActions: async (model, range) => {
      const context = { diagnostics: diagnostics.filter((one) => touches(rangeOf(one.range), range)) };
      const params = { textDocument: { uri: model.uri.toString() }, range: rangeTo(range), context };
      const found = ((await client.ask("textDocument/codeAction", params)) || []).filter((action) => action.edit);
      const actions = found.map((action) => ({
        title: action.title, kind: action.kind, isPreferred: action.isPreferred, edit: editOf(action.edit),
        diagnostics: (action.diagnostics || []).map(markerOf),
      }));
      return { actions, dispose() {} };
    },
  });
}

async function main() {
  const file = await (await fetch(here("file"))).json();
  const model = monaco.editor.createModel(file.text, "cpp", monaco.Uri.parse(file.uri));
  const editor = monaco.editor.create(document.getElementById("editor"), { model, automaticLayout: true, glyphMargin: true });
  const client = new Client(), diagnostics = [];
  const textDocument = { uri: file.uri };
  await client.connect();
  client.on["textDocument/publishDiagnostics"] = (params) => {
    if (params.uri !== file.uri || (params.version ?? model.getVersionId()) !== model.getVersionId()) return; // of another text
    diagnostics.splice(0, diagnostics.length, ...params.diagnostics);
    monaco.editor.setModelMarkers(model, "hgrd", params.diagnostics.map(markerOf));
  };
  client.on["workspace/configuration"] = (params) => params.items.map(() => null);
  await client.ask("initialize", {
    processId: null, rootUri: file.uri.replace(/\/[^/]*$/, ""),
    capabilities: {
      textDocument: {
        publishDiagnostics: { relatedInformation: true, versionSupport: true }, hover: { contentFormat: ["markdown"] },
        codeAction: { codeActionLiteralSupport: { codeActionKind: { valueSet: ["quickfix"] } }, isPreferredSupport: true },
      },
      workspace: { codeLens: { refreshSupport: true }, workspaceEdit: { documentChanges: true } },
    },
  });
  client.notify("initialized", {});
  client.notify("textDocument/didOpen", { textDocument: { ...textDocument, languageId: "cuda-cpp", version: model.getVersionId(), text: model.getValue() } });
  register(client, diagnostics);
  model.onDidChangeContent(() => client.notify("textDocument/didChange", {
    textDocument: { ...textDocument, version: model.getVersionId() }, contentChanges: [{ text: model.getValue() }],
  }));
  const save = async () => {
    await fetch(here("file"), { method: "PUT", body: model.getValue() });
    return client.notify("textDocument/didSave", { textDocument });
  };
  editor.addCommand(monaco.KeyMod.CtrlCmd | monaco.KeyCode.KeyS, save);
  return { editor, model, save };
}

require.config({ paths: { vs: here("vs").href } });
window.MonacoEnvironment = { getWorkerUrl: () => here("vs/base/worker/workerMain.js").href };
const ready = new Promise((done, failed) => require(["vs/editor/editor.main"], () => main().then(done, failed)));
