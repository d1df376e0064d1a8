# Several reports in one run, and files that are whole or not there at all.
# SPDX-License-Identifier: Apache-2.0
source "$HGRD_ROOT/tests/cli/lib.bash" || exit 1
write_samples
run "$HGRD_CHECK" --format=json racy.cu && cp out alone.json
run "$HGRD_CHECK" racy.cu && cp out alone.txt
run "$HGRD_CHECK" --format=json -o a.json --format text --format=sarif --output=a.sarif --format=junit -o a.xml \
  --format=gitlab -o a.gl racy.cu
status_is 1
same out alone.txt
same a.json alone.json
has a.sarif '"version": "2.1.0"' && has a.xml '<testsuites ' && has a.gl '"check_name"'
run "$HGRD_CHECK" -o b.json --format=json racy.cu
status_is 1 && is_empty out && same b.json alone.json

run "$HGRD_CHECK" --format=json --format=text racy.cu
status_is 2 && has err 'two reports for standard output'
run "$HGRD_CHECK" -o one -o two racy.cu
status_is 2 && has err "'one' and 'two' for one report"
run "$HGRD_CHECK" --format=json -o same --format=text -o same racy.cu
status_is 2 && has err "two reports for one file, 'same'"
run "$HGRD_CHECK" --format=yaml racy.cu
status_is 2 && has err "'yaml' is none of text, json, sarif"
is_empty out
[[ ! -e one && ! -e two && ! -e same ]] || complain 'a file was written in spite of a wrong command line'

# One that cannot be written does not stop the others; what was there stays.
mkdir folder
for bad in /dev/full no/such/folder/x folder; do
  rm -f good.json
  run "$HGRD_CHECK" --format=sarif -o "$bad" --format=json -o good.json racy.cu
  status_is 2 && has err "error: cannot .*'$bad'" && same good.json alone.json
done
[[ -z $(ls -A folder) ]] || complain 'something was left in the folder'
# A disk that fills up while a large report is written: the old file stays, nothing half-written is left.
echo old >kept && ls -A >before
(
  ulimit -f 1 # 1 KiB
  trap '' XFSZ
  "$HGRD_CHECK" --format=sarif -o kept racy.cu >/dev/null 2>err
  echo $? >status
)
[[ $(cat status) == 2 && $(cat kept) == old ]] || complain 'a report that does not fit'
has err "cannot write 'kept': File too large"
ls -A | grep -vx -e status -e after >after
same before after
