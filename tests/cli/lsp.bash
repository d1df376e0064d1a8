# For scripts that are an editor: a server of the Language Server Protocol at two pipes, messages out and in. Sourced after
# lib.bash, not run.
# SPDX-License-Identifier: Apache-2.0
export LC_ALL=C # lengths are of bytes
trap '' PIPE    # a server that has ended is complained of

# serve OPTION...: starts the server; its messages go, one a line, to `messages`, the last awaited one to `message`.
serve() {
  : >messages
  coproc server { trap - PIPE; exec "$HGRD_ROOT/tests/limit" 300 "$HGRD_CHECK" --lsp "$@" 2>server.err; }
  exec {to_server}>&"${server[1]}" {from_server}<&"${server[0]}"
  eval "exec ${server[0]}<&- ${server[1]}>&-"
  server_id=$server_PID
}
send() { # send JSON
  printf 'Content-Length: %d\r\n\r\n%s' "${#1}" "$1" >&"$to_server"
}
notify() { send '{"jsonrpc":"2.0","method":"'"$1"'","params":'"$2"'}'; }
request() { send '{"jsonrpc":"2.0","id":'"$1"',"method":"'"$2"'","params":'"$3"'}'; } # request ID METHOD PARAMS
receive() { # receive: the next message in $message; false at the end of the stream
  local line length=0
  while IFS= read -r line <&"$from_server"; do
    line=${line%$'\r'}
    case $line in
    Content-Length:*) length=${line#*: } ;;
    '')
      IFS= read -r -N "$length" message <&"$from_server" || return 1
      printf '%s\n' "$message" >>messages
      return 0
      ;;
    *) complain "no header: '$line'" ;;
    esac
  done
  return 1
}
# await ERE...: the next message that all of them match.
await() {
  local pattern fits
  while receive; do
    fits=true
    for pattern in "$@"; do [[ $message =~ $pattern ]] || fits=false; done
    [[ $fits == false ]] || { printf '%s\n' "$message" >message; return 0; }
  done
  complain "the server ended before a message came that matches: $*"
  tail -n 5 messages server.err
  return 1
}
hang_up() { # hang_up: closes both pipes; $status of the server
  exec {to_server}>&- {from_server}<&-
  status=0
  wait "$server_id" || status=$?
}
say_goodbye() {
  request '"bye"' shutdown null && await '"id":"bye","result":null' && notify exit null
  hang_up
}
# A text as a JSON string.
quoted() {
  local text=${1//\\/\\\\}
  text=${text//\"/\\\"} text=${text//$'\n'/\\n} text=${text//$'\t'/\\t}
  printf '"%s"' "$text"
}
uri_of() { printf 'file://%s/%s' "$work" "$1"; }
named() { printf '"textDocument":{"uri":"%s"}' "$(uri_of "$1")"; } # named FILE
open_file() {                                                         # open_file FILE [VERSION]
  notify textDocument/didOpen '{"textDocument":{"uri":"'"$(uri_of "$1")"'","languageId":"cuda","version":'"${2:-1}"',"text":'"$(quoted "$(cat "$1"; echo x)" | sed 's/\(\\n\)\{0,1\}x"$/\\n"/')"'}}'
}
change_file() { # change_file FILE VERSION TEXT_FILE
  notify textDocument/didChange '{"textDocument":{"uri":"'"$(uri_of "$1")"'","version":'"$2"'},"contentChanges":[{"text":'"$(quoted "$(cat "$3")")"'}]}'
}
save_file() { notify textDocument/didSave "{$(named "$1")}"; }
# begin CAPABILITIES [SETTINGS]
begin() {
  request 1 initialize '{"processId":null,"rootUri":"file://'"$work"'","capabilities":'"${1:-{\}}"',"initializationOptions":'"${2:-null}"'}'
  await '"id":1,"result"' && notify initialized '{}'
}
at() { printf '{%s,"position":{"line":%d,"character":%d}}' "$(named "$1")" "$2" "$3"; } # at FILE LINE CHARACTER, from 0
