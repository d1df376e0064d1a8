# The HTML page in a browser: something is drawn, light and dark; the text is there and nothing of it became markup; the
# browser has nothing to complain about; and axe finds it accessible, contrast included.
# SPDX-License-Identifier: Apache-2.0
source "$HGRD_ROOT/tests/forms/forms.bash" || exit 1
need_judge node && need_judge chromium && need_judge "$judges/axe-core/axe.min.js"
write_programs
hostile=${programs[-1]}
run "$HGRD_CHECK" --format=html -o page.html ./*.cu # the broken one keeps the others from being checked
has page.html 'this is no program|broken.cu'
rm broken.cu
run "$HGRD_CHECK" --format=html -o page.html ./*.cu
status_is 1

browse() { # browse light|dark OPTION... PAGE
  local theme=$1
  shift
  [[ $theme == light ]] || set -- --blink-settings=preferredColorScheme=0 "$@"
  run chromium --headless=new --no-sandbox --disable-gpu --hide-scrollbars --window-size=1100,1400 \
    --user-data-dir="$work/profile" --enable-logging=stderr --disable-dev-shm-usage "$@"
}
complaints() { grep -E 'CONSOLE' err; }

# What the picture holds: it is no empty sheet, and the theme is the reader's.
for theme in light dark; do
  browse $theme --screenshot="$work/$theme.png" "file://$work/page.html"
  status_is 0
  ! complaints || complain 'the browser complains'
  read -r width height colours brightness < <(node "$forms/picture.js" $theme.png)
  [[ $width -eq 1100 && $height -ge 1000 && $colours -gt 100 ]] || complain "$theme: $width x $height, $colours colours"
  [[ ($theme == light && $brightness -gt 180) || ($theme == dark && $brightness -lt 80) ]] ||
    complain "$theme: brightness $brightness"
done

browse light --dump-dom "file://$work/page.html"
cp out dom
has dom '<h1>Data races in CUDA kernels</h1>' && has dom "write to 'a' by thread" && has dom 'HGRD2001 barrier-divergence'
has dom '<svg role="img"' && has dom 'Thread A is thread ' && has dom '<mark class="a">' && has dom '<mark class="b">'
has dom 'kernel.*undecided|Undecided kernels'
has_not dom '<script|<svg onload|tile <b>'
has dom '&lt;script&gt;console.error\(1\)&lt;/script&gt;'
[[ $(grep -c '<svg role' dom) -ge 3 ]] || complain 'pictures are missing'
has_not page.html '(src|href)="(http|//)|@import|url\('

# Accessibility, by a copy of the page with the checker in it.
cat >run_axe.js <<'JS'
axe.run(document).then((found) => {
  const list = document.createElement("pre");
  list.id = "found";
  list.textContent = "axe: " + found.passes.length + " passed\n" + found.violations
    .map((v) => "violation " + v.id + ": " + v.nodes.map((n) => n.target + " " + n.failureSummary).join(" | ")).join("\n");
  document.body.append(list);
});
JS
ask_axe() { # ask_axe PAGE THEME
  {
    sed 's/<meta http-equiv[^>]*>//; s|</body>||; s|</html>||' "$1"
    printf '<script>'
    cat "$judges/axe-core/axe.min.js" run_axe.js
    printf '</script></body></html>\n'
  } >with_axe.html
  browse "$2" --virtual-time-budget=20000 --dump-dom "file://$work/with_axe.html"
  sed -n '/<pre id="found">/,/<\/pre>/p' out >found
}
for theme in light dark; do
  ask_axe page.html $theme
  has found 'axe: [1-9][0-9]* passed' && has_not found 'violation'
done

# The judges can refuse: a message on the console, text that is too pale.
sed 's/<meta http-equiv[^>]*>//; s|</body>|<script>console.error("spoilt")</script></body>|' page.html >spoilt.html
browse light --screenshot="$work/spoilt.png" "file://$work/spoilt.html"
complaints >/dev/null || complain 'a message on the console is not seen'
sed 's/--soft:#57606a/--soft:#d0d0d0/' page.html >pale.html
ask_axe pale.html light
has found 'violation color-contrast'
