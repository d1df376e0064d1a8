# What an editor should not send, and what goes wrong around it: told, and the next message is served as if nothing had been.
# SPDX-License-Identifier: Apache-2.0
source "$HGRD_ROOT/tests/cli/lib.bash" || exit 1
source "$HGRD_ROOT/tests/cli/lsp.bash" || exit 1
write_samples
alive() { # alive ID FILE: the server still answers, with what it should
  request "$1" textDocument/codeLens "{$(named "$2")}"
  await "\"id\":$1," && has message '"title"'
}

# ---- before it is initialized, and after its end
serve
request 1 textDocument/hover '{}'
await '"id":1,' && has message '"code":-32002'
open_file racy.cu # is not heard
send 'no json'
await '"code":-32700' && has message '"id":null'
begin '{}'
request 2 initialize '{}'
await '"id":2,' && has message '"code":-32600'
request 3 shutdown null
await '"id":3,' && has message '"result":null'
request 4 textDocument/hover '{}'
await '"id":4,' && has message '"code":-32600'
notify exit null
hang_up
status_is 0
serve
begin '{}'
notify exit null # without shutdown
hang_up
status_is 1
serve
hang_up # the editor is gone
status_is 1
serve
begin '{}'
open_file racy.cu
hang_up # in the middle of a check
status_is 1

# ---- malformed messages
serve
begin '{}'
open_file racy.cu
await publishDiagnostics '"code":"inter-block-race"'
lens=100
for bad in '{"jsonrpc":"2.0"' '[]' '[{"jsonrpc":"2.0","id":9,"method":"shutdown"}]' '{}' '"text"' '12' '{"jsonrpc":"2.0","id":7}' \
  '{"jsonrpc":"2.0","id":{},"method":"shutdown"}' '{"jsonrpc":"2.0","id":8,"method":5}' \
  $'{"jsonrpc":"2.0","method":"\xff"}' "$(printf '[%.0s' {1..5000})"; do
  send "$bad"
  await '"error"' && has message '"code":-32(700|600)'
  alive $((++lens)) racy.cu
done
request 20 no/such '{}'
await '"id":20,' && has message '"code":-32601' && has message "no such request here: 'no/such'"
notify no/such '{}'
notify '$/setTrace' '{"value":"off"}'
for method in textDocument/hover textDocument/codeLens textDocument/definition textDocument/references textDocument/codeAction; do
  for params in null '[]' '{}' '{"textDocument":5}' '{"textDocument":{"uri":"file:///gone.cu"},"position":{"line":-5,"character":1e9}}' \
    "{$(named racy.cu),\"position\":{\"line\":99999999999,\"character\":99999999999},\"range\":[]}" \
    "{$(named racy.cu),\"position\":{\"line\":\"0\"},\"range\":{\"start\":{\"line\":9223372036854775807}}}"; do
    request $((++lens)) $method "$params"
    await "\"id\":$lens," && has message '"result":(null|\[\]|\[\{)'
  done
done
for params in null '{}' '{"textDocument":{"uri":5}}' "{$(named racy.cu)}" "{$(named racy.cu),\"contentChanges\":[]}" \
  "{$(named racy.cu),\"contentChanges\":[{\"range\":{},\"text\":\"\"}]}" "{$(named gone.cu),\"contentChanges\":[{\"text\":\"\"}]}"; do
  notify textDocument/didChange "$params"
  await window/logMessage 'textDocument/didChange'
done
for method in didOpen didSave didClose; do notify textDocument/$method '{"textDocument":{"uri":"file:///no/such.cu"}}'; done
request 30 workspace/executeCommand '{"command":"rm","arguments":["-rf"]}'
await '"id":30,' && has message '"code":-32602'
notify window/workDoneProgress/cancel '{"token":"none"}'
notify '$/cancelRequest' '{"id":"none"}'
send '{"jsonrpc":"2.0","id":"hgrd-77","result":null}' # an answer that nobody waits for
alive $((++lens)) racy.cu

# ---- what is no message, and one that is too long
printf 'GET / HTTP/1.1\r\nHost: here\r\n\r\n' >&"$to_server"
await '"error"' && has message 'this is no header'
alive $((++lens)) racy.cu
printf 'Content-Length: 70000000\r\n\r\n' >&"$to_server"
head -c 70000000 /dev/zero >&"$to_server"
await '"error"' && has message 'a message of 70000000 bytes was passed over'
await window/showMessage 'passed over'
alive $((++lens)) racy.cu

# ---- settings of the wrong kind are told once and change nothing
for settings in '{"delay":"soon"}' '{"delay":-1}' '{"delay":"soon"}' '{"checkOn":"never"}' '{"arguments":"--arch=sm_70"}' \
  '{"arguments":[1]}' '{"buildPath":5}' '{"undecided":true}' '{"codeLens":"no"}' '{"fixes":1}'; do
  notify workspace/didChangeConfiguration "{\"settings\":{\"hgrd\":$settings}}"
done
notify workspace/didChangeConfiguration '{"settings":null}'
alive $((++lens)) racy.cu
[[ $(grep -c 'showMessage.*setting hgrd' messages) -eq 7 ]] || complain 'each wrong setting is told once'
has messages 'hgrd.delay is not understood; it has to be a number of milliseconds'
# An option that is none: said where it shows, until it is mended.
notify workspace/didChangeConfiguration '{"settings":{"hgrd":{"arguments":["--archh=sm_70"]}}}'
await publishDiagnostics 'not checked' && has message "unknown option '--archh=sm_70'; did you mean '--arch'"
notify workspace/didChangeConfiguration '{"settings":{"hgrd":{"arguments":[]}}}'
await publishDiagnostics '"code":"inter-block-race"'
say_goodbye
status_is 0 && is_empty server.err

# ---- files that are none, elsewhere, not there yet; names with everything in them
mkdir elsewhere project 'elsewhere/a b%#é'
cp racy.cu elsewhere/ && cp racy.cu 'elsewhere/a b%#é/x.cu'
work=$work/project serve
work=$work/project begin '{}'
open_file elsewhere/racy.cu
await publishDiagnostics 'elsewhere/racy.cu"' 'races with'
notify textDocument/didOpen '{"textDocument":{"uri":"untitled:Untitled-1","languageId":"cuda","version":1,"text":"__global__ void k() {}"}}'
await window/logMessage 'untitled:Untitled-1 is no file of this machine'
notify textDocument/didOpen '{"textDocument":{"uri":"file://'"$work"'/new.cu","languageId":"cuda","version":1,"text":'"$(quoted "$(cat racy.cu)")"'}}'
await window/logMessage 'new.cu is not on the disk: it is checked once it is saved'
request 2 textDocument/codeLens "{$(named new.cu)}"
await '"id":2,' && has message '"result":\[\]'
cp racy.cu new.cu && save_file new.cu
await publishDiagnostics 'new.cu"' 'races with'
notify textDocument/didOpen '{"textDocument":{"uri":"file://'"$work"'/elsewhere/a%20b%25%23%c3%a9/x.cu","languageId":"cuda","version":1,"text":'"$(quoted "$(cat racy.cu)")"'}}'
await publishDiagnostics 'a%20b%25%23%c3%a9/x.cu"' 'races with' # as the editor spells it
say_goodbye
status_is 0

# ---- a file that does not compile, and a text that is none
serve
begin '{}'
printf '__global__ void k(int *a) {\n  a[0] = nothing;\n}\n' >broken.cu
open_file broken.cu
await publishDiagnostics 'broken.cu"' && has message "use of undeclared identifier 'nothing'" && has message '"line":1,"character":9'
printf 'a\0b' >zero.cu
notify textDocument/didOpen '{"textDocument":{"uri":"'"$(uri_of zero.cu)"'","languageId":"cuda","version":1,"text":"a\u0000b"}}'
await publishDiagnostics 'zero.cu"' && has message '"severity":1'
sed 's/nothing/1/' broken.cu >mended
change_file broken.cu 2 mended
await publishDiagnostics 'broken.cu"' '"version":2' && has_not message undeclared

# ---- a check that crashes, and a clang that is not there
say_goodbye
printf '#!/bin/sh\nkill -SEGV $PPID\n' >crash && printf '#!/bin/sh\nkill -KILL $PPID\n' >killed && chmod +x crash killed
for how in crash killed; do
  HGRD_CLANG=$work/$how serve
  begin '{}'
  open_file racy.cu
  await publishDiagnostics 'racy.cu"' && has message 'not checked: the check (was ended by signal|ended with status (4|1 and no report))'
  request 2 textDocument/hover "$(at racy.cu 0 18)"
  await '"id":2,' && has message '"result":null'
  change_file racy.cu 2 clean.cu # the next check is tried all the same
  await publishDiagnostics '"version":2' 'not checked'
  say_goodbye
  status_is 0
done
HGRD_CLANG=$work/none serve
begin '{}'
open_file racy.cu
await publishDiagnostics 'racy.cu"' && has message 'none'
say_goodbye
status_is 0
# One that hangs is ended with the server, and by a newer text.
printf '#!/bin/sh\necho $$ >>started\nexec sleep 1000\n' >hangs && chmod +x hangs
HGRD_CLANG=$work/hangs serve
begin '{}' '{"delay":0}'
open_file racy.cu
until [[ -s started ]]; do sleep 0.05; done
request 2 textDocument/hover "$(at racy.cu 0 18)"
change_file racy.cu 2 clean.cu
await '"id":2,' && has message '"code":-32801'
until [[ $(wc -l <started) -ge 3 ]]; do sleep 0.05; done
say_goodbye
status_is 0
while read -r id; do
  until ! kill -0 "$id" 2>/dev/null; do sleep 0.05; done
done <started

# ---- on the command line
run "$HGRD_CHECK" --lsp racy.cu
status_is 2 && has err '--lsp takes no file'
run "$HGRD_CHECK" --lsp -o x
status_is 2 && has err '--lsp makes no report'
