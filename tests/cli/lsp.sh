# The language server as an editor sees it: what is published when, and what is told of a place.
# SPDX-License-Identifier: Apache-2.0
source "$HGRD_ROOT/tests/cli/lib.bash" || exit 1
source "$HGRD_ROOT/tests/cli/lsp.bash" || exit 1
write_samples
related='{"textDocument":{"publishDiagnostics":{"relatedInformation":true,"versionSupport":true}}}'

# Open: a race with where the other access, the launch and the witness are.
serve
begin "$related"
has message '"serverInfo":\{"name":"hgrd-check","version":"[0-9.]+"\}' && has message '"positionEncoding":"utf-16"'
open_file racy.cu
await publishDiagnostics '/racy.cu"' 'races with'
has message '"version":1' && has message '"code":"inter-block-race"' && has message '"severity":2'
has message '"range":\{"start":\{"line":3,"character":4\},"end":\{"line":3,"character":10\}\}'
has message '"message":"the other access: read"' && has message '"message":"launched here: shift<<<4, 256>>>'
has message '"message":"witness: grid \(4,1,1\), block \(256,1,1\); thread'
open_file clean.cu
await publishDiagnostics '/clean.cu"' '"diagnostics":\[\]'

# A place: the kernel's name, a launch, an access and from there to the other one; elsewhere nothing.
request 2 textDocument/hover "$(at racy.cu 0 18)"
await '"id":2,' && has message 'hgrd.*`shift`: racy under 1 launch' && has message 'Taken for granted'
request 3 textDocument/hover "$(at racy.cu 8 3)"
await '"id":3,' && has message 'racy under 1 launch'
request 4 textDocument/hover "$(at clean.cu 0 18)"
await '"id":4,' && has message 'race-free under 1 launch'
request 5 textDocument/hover "$(at racy.cu 3 5)"
await '"id":5,' && has message 'races with' && has message 'witness'
request 6 textDocument/hover "$(at racy.cu 9 3)"
await '"id":6,' && has message '"result":null'
request 7 textDocument/definition "$(at racy.cu 3 5)"
await '"id":7,' && has message '"start":\{"line":3,"character":11\}' && has_not message '"character":4'
request 8 textDocument/definition "$(at racy.cu 3 13)"
await '"id":8,' && has message '"start":\{"line":3,"character":4\}'
request 9 textDocument/definition "$(at racy.cu 1 5)"
await '"id":9,' && has message '"result":\[\]'
request 10 textDocument/references "{$(named racy.cu),\"position\":{\"line\":3,\"character\":5},\"context\":{\"includeDeclaration\":true}}"
await '"id":10,' && has message '"character":11' && has message '"character":4'
request 11 textDocument/codeLens "{$(named racy.cu)}"
await '"id":11,' && has message '"title":"racy under 1 launch"' && has message '"line":0,"character":16'
request 12 textDocument/codeLens "{$(named clean.cu)}"
await '"id":12,' && has message '"title":"race-free under 1 launch"'

# The unsaved text counts, and only the newest one: what is asked meanwhile waits for its check.
change_file racy.cu 2 clean.cu
change_file racy.cu 3 racy.cu
sed 's/a\[i + 1\]/a[i + 2]/' racy.cu >newer
change_file racy.cu 4 newer
request 13 textDocument/codeLens "{$(named racy.cu)}"
await publishDiagnostics '/racy.cu"'
has message '"version":4' && has message races
await '"id":13,' && has message 'racy'
change_file racy.cu 5 clean.cu
await publishDiagnostics '/racy.cu"' && has message '"version":5' && has message '"diagnostics":\[\]'
[[ $(grep -c '"version":[23]' messages) -eq 0 ]] || complain 'a result of an older text was shown'

# A newer text ends what waits for the older one; the editor may end it, too.
change_file racy.cu 6 newer
request 14 textDocument/hover "$(at racy.cu 0 18)"
change_file racy.cu 7 clean.cu
await '"id":14,' && has message '"code":-32801'
request 15 textDocument/hover "$(at racy.cu 0 18)"
# shellcheck disable=SC2016
notify '$/cancelRequest' '{"id":15}'
await '"id":15,' && has message '"code":-32800'

# Closed: nothing is left.
open_file racy.cu 20
await publishDiagnostics '/racy.cu"' '"version":20' && has message races
notify textDocument/didClose "{$(named racy.cu)}"
await publishDiagnostics '/racy.cu"' && has message '"diagnostics":\[\]'
say_goodbye
status_is 0 && is_empty server.err

# An editor that shows no related information gets it as lines of the message.
serve
begin '{}'
open_file racy.cu
await publishDiagnostics && has message 'the other access: read \(' && has_not message relatedInformation
say_goodbye
status_is 0
