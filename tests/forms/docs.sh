# The documentation as pages: mkdocs makes them without a warning, each link on them leads somewhere, SARIF's help of each rule is
# one of them, each cause has one, nothing is loaded from elsewhere, and a browser shows them, light and dark, without complaint.
# SPDX-License-Identifier: Apache-2.0
source "$HGRD_ROOT/tests/forms/forms.bash" || exit 1
need_judge /usr/bin/python3 && need_judge mkdocs
need_judge /usr/share/mkdocs/themes/material/base.html
write_samples
run "$HGRD_ROOT/docs/site/stage" "$HGRD_CHECK" "$work/pages"
status_is 0
cp "$HGRD_ROOT/docs/site/mkdocs.yml" .
run mkdocs build --quiet
status_is 0 && is_empty out

# check SITE: what is wrong with links and with what is loaded.
cat >check.py <<'PY'
import html.parser, pathlib, sys, urllib.parse
site = pathlib.Path(sys.argv[1])
class Page(html.parser.HTMLParser):
    def __init__(self):
        super().__init__(); self.links, self.ids, self.loads = [], set(), []
    def handle_starttag(self, tag, attributes):
        a = dict(attributes)
        if a.get("id"): self.ids.add(a["id"])
        if tag == "a" and a.get("href") is not None: self.links.append(a["href"])
        source = a.get("src") or (a.get("href") if tag == "link" and a.get("rel") != "canonical" else None)
        if source: self.loads.append(source)
pages = {}
for path in site.rglob("*.html"):
    pages[path.resolve()] = page = Page()
    page.feed(path.read_text())
bad, count = [], 0
for path, page in pages.items():
    for link in page.links + page.loads:
        parts = urllib.parse.urlsplit(link)
        if parts.scheme or parts.netloc:
            if link in page.loads and parts.scheme != "data": bad.append(f"{path.name}: loads {link}")
            continue
        count += 1
        if path.name == "404.html": continue # its links begin at the site's root
        target = (path.parent / urllib.parse.unquote(parts.path)).resolve() if parts.path else path
        if target.is_dir(): target = target / "index.html"
        if not target.exists(): bad.append(f"{path.relative_to(site.resolve())}: no {link}")
        elif parts.fragment and target in pages and urllib.parse.unquote(parts.fragment) not in pages[target].ids:
            bad.append(f"{path.relative_to(site.resolve())}: no place {link}")
print("\n".join(sorted(set(bad))))
print(f"{len(pages)} pages, {count} links")
sys.exit(bool(bad))
PY
run python3 check.py site
status_is 0 && has out '^[6-9][0-9] pages|^[0-9]{3} pages'
# It can refuse.
cp -r site spoilt
sed -i 's|</body>|<a href="nowhere.html">x</a><a href="index.html#nothing">x</a><script src="https://example.org/x.js"></script></body>|' spoilt/method.html
run python3 check.py spoilt
status_is 1 && has out 'no nowhere\.html' && has out 'no place index\.html#nothing' && has out 'loads https://example\.org'

# Where SARIF says that the help of a rule is; and the causes.
run "$HGRD_CHECK" --format=sarif --docs-url="file://$work/site" clean.cu
grep -o '"helpUri": "[^"]*"' out | sed 's/.*"file:\/\/\(.*\)"/\1/' | sort -u >helps
[[ $(wc -l <helps) -ge 9 ]] || complain "SARIF names $(wc -l <helps) pages"
while read -r page; do has "$page" '<h1 '; done <helps
"$HGRD_CHECK" --explain=list | sed -n 's/^cause *\([a-z-]*\):.*/\1/p' >causes
[[ $(wc -l <causes) -gt 20 ]] || complain 'no causes'
while read -r cause; do has "site/causes/$cause.html" "<h1 id=\"$cause"; done <causes
for program in "$HGRD_CHECK" "$HGRD_BUILD/hgrd-run"; do "$program" --help; done | grep -oE '^  --[a-z-]+' | tr -d ' ' >options
# Every page of docs/ is in the navigation.
(cd "$HGRD_ROOT/docs" && find . -name '*.md' ! -path './rules/*' | sed 's|^\./||' | sort) >written
while read -r page; do has "$HGRD_ROOT/docs/site/mkdocs.yml" ": $page\$"; done <written
while read -r option; do grep -qF -- "$option" site/reference/options.html || complain "$option is not among the options"; done <options

# In a browser, from a server of this machine's own: the search asks for its index.
need_judge chromium && need_judge node
: >served
/usr/bin/python3 -u -m http.server --bind 127.0.0.1 --directory site 0 >served 2>log &
server=$!
trap 'kill "$server" 2>/dev/null; finish' EXIT
until port=$(sed -n 's/.*port \([0-9]*\).*/\1/p' served) && [[ -n $port ]]; do
  kill -0 "$server" || { complain "no server: $(cat log)"; exit 1; }
  sleep 0.1
done
for page in index tutorial howto/run reference/json causes/missing-fence; do
  for theme in light dark; do
    options=()
    [[ $theme == light ]] || options=(--blink-settings=preferredColorScheme=0)
    run chromium --headless=new --no-sandbox --disable-gpu --hide-scrollbars --window-size=1200,1200 \
      --user-data-dir="$work/profile-$theme" --enable-logging=stderr --disable-dev-shm-usage "${options[@]}" \
      --screenshot="$work/$theme.png" "http://127.0.0.1:$port/$page.html"
    status_is 0
    grep CONSOLE err >complaints
    : >err
    [[ ! -s complaints ]] || complain "$page: $(cat complaints)"
    read -r width height colours brightness < <(node "$forms/picture.js" $theme.png)
    [[ $width -eq 1200 && $height -ge 1000 && $colours -gt 60 ]] || complain "$page, $theme: $width x $height, $colours colours"
    [[ ($theme == light && $brightness -gt 180) || ($theme == dark && $brightness -lt 110) ]] || complain "$page, $theme: brightness $brightness"
    [[ -z ${KEEP:-} ]] || cp $theme.png "$KEEP/${page//\//-}-$theme.png"
  done
done
