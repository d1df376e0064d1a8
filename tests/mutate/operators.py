"""The edits that mutate makes, one at a time. Each operator is a function of a Source that gives (begin, end, text): what is put in
the place of that stretch of the text. They look at the words alone, so some edits do not compile, and some change nothing."""
# SPDX-License-Identifier: Apache-2.0
import re

BARRIER = re.compile(r"(?:\b__sync(?:threads|warp)\s*|\b__threadfence(?:_block|_system)?\s*|\b__pipeline_wait_prior\s*|"
                     r"(?:\bcg::|\bcooperative_groups::)(?:sync|wait|wait_prior<\d+>)\s*|\b(?:cuda::(?:std::)?)?atomic_thread_fence\s*|"
                     r"\b\w+(?:\.|->)(?:sync|arrive_and_wait|wait|consumer_wait|consumer_release|producer_acquire|producer_commit)\s*|"
                     r"\b__pipeline_commit\s*|\basm\s+volatile\s*)(?=\()")
ATOMIC = re.compile(r"\batomic(Add|Sub|Exch|Min|Max|And|Or|Xor|CAS|Inc|Dec)(_block|_system)?(?=\s*\()")
SCOPES = [(r"\b__threadfence(?=\s*\()", "__threadfence_block"), (r"\b__threadfence_system(?=\s*\()", "__threadfence_block"),
          (r"\bthread_scope_(?:device|system)\b", "thread_scope_block"),
          (r"\bmemory_order_(?:acquire|release|acq_rel|seq_cst)\b", "memory_order_relaxed"), (r"\bvolatile\s+(?!\()", "")]
COMPARISONS = {"<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "=="}
THREAD = re.compile(r"threadIdx|blockIdx|\blane|\bwarp|\btid\b|\bt\b|rank\(|meta_group")
PLAIN = """
template <class T> struct mutant_same { using type = T; };
template <class T> __device__ T mutant_atomicAdd(T *at, typename mutant_same<T>::type by) { T old = *at; *at = old + by; return old; }
template <class T> __device__ T mutant_atomicSub(T *at, typename mutant_same<T>::type by) { T old = *at; *at = old - by; return old; }
template <class T> __device__ T mutant_atomicExch(T *at, typename mutant_same<T>::type by) { T old = *at; *at = by; return old; }
template <class T> __device__ T mutant_atomicMin(T *at, typename mutant_same<T>::type by) { T old = *at; *at = by < old ? by : old; return old; }
template <class T> __device__ T mutant_atomicMax(T *at, typename mutant_same<T>::type by) { T old = *at; *at = by > old ? by : old; return old; }
template <class T> __device__ T mutant_atomicAnd(T *at, typename mutant_same<T>::type by) { T old = *at; *at = old & by; return old; }
template <class T> __device__ T mutant_atomicOr(T *at, typename mutant_same<T>::type by) { T old = *at; *at = old | by; return old; }
template <class T> __device__ T mutant_atomicXor(T *at, typename mutant_same<T>::type by) { T old = *at; *at = old ^ by; return old; }
template <class T> __device__ T mutant_atomicInc(T *at, T most) { T old = *at; *at = old >= most ? 0 : old + 1; return old; }
template <class T> __device__ T mutant_atomicDec(T *at, T most) { T old = *at; *at = !old || old > most ? most : old - 1; return old; }
template <class T> __device__ T mutant_atomicCAS(T *at, typename mutant_same<T>::type was, typename mutant_same<T>::type by) {
  T old = *at; if (old == was) *at = by; return old; }
"""


def inside(source, pattern):
    """Matches in the bodies of functions of the device."""
    for found in re.finditer(pattern, source.code):
        if source.function_at(found.start()):
            yield found


def statement(source, found):
    """(begin, end) of the call at the match if it is a whole statement, behind its semicolon."""
    before = source.code[:found.start()].rstrip()
    closes = source.closing(found.end())
    if closes is None or before[-1:] not in ";{})" and not before.endswith("else"):
        return None
    behind = re.compile(r"\s*;").match(source.code, closes + 1)
    return (found.start(), behind.end()) if behind else None


def barriers(source):
    for found in inside(source, BARRIER):
        whole = statement(source, found)
        if whole:
            yield (*whole, ";")


def waits(source):
    """Waits that are not made, or made once."""
    for found in inside(source, r"\bwhile\s*(?=\()"):
        closes = source.closing(found.end())
        empty = closes and re.compile(r"\s*(?:;|\{\s*\})").match(source.code, closes + 1)
        if empty and not source.code[:found.start()].rstrip().endswith("}"):
            yield found.start(), empty.end(), ";"
            yield found.start(), empty.end(), f"if {source.text[found.end():closes + 1]} {{}}"


def scopes(source):
    for pattern, narrower in SCOPES:
        for found in inside(source, pattern):
            yield found.start(), found.end(), narrower
    for found in inside(source, ATOMIC):
        if found.group(2) != "_block":
            yield found.start(), found.end(), f"atomic{found.group(1)}_block"
    for found in re.finditer(r"\bvolatile\s+(?=[\w\s]*\*)", source.code):  # parameters
        if not source.function_at(found.start()):
            yield found.start(), found.end(), ""


def atomics(source):
    for found in inside(source, ATOMIC):
        yield found.start(), found.end(), f"mutant_atomic{found.group(1)}"


def swaps(source):
    """A barrier, fence or commit behind or before the simple statement beside it."""
    for found in inside(source, BARRIER):
        whole = statement(source, found)
        if not whole:
            continue
        begin, end = whole
        behind = re.compile(r"(\s*)([^;{}]*;)").match(source.code, end)
        if behind and not re.match(r"(for|while|if|do|return|break|continue|else|\w+\s+\w+\s*[=;\[(])\b", behind.group(2)) and "(" not in \
                source.code[:begin].rstrip()[-1:]:
            first, second = source.text[begin:end], source.text[behind.start(2):behind.end(2)]
            yield begin, behind.end(), second + behind.group(1) + first
        before = re.compile(r"[;{}]\s*([^;{}()]*(?:\([^;{}]*\))?[^;{}()]*;)(\s*)$").search(source.code, max(0, begin - 400), begin)
        if before and not re.match(r"(for|while|if|return|break|continue|else|__shared__|\w+\s+\w+\s*[=;\[(])\b", before.group(1)):
            first, second = source.text[before.start(1):before.end(1)], source.text[begin:end]
            yield before.start(1), end, second + before.group(2) + first


def comparisons(source):
    for found in inside(source, r"(?<![<>=!\-+*/&|^%])(<=|>=|==|!=|<|>)(?![<>=])(?=[^;{}]*[;{)])"):
        if source.code[found.start() - 1] == " " and source.code[found.end():found.end() + 1] == " ":
            yield found.start(), found.end(), COMPARISONS[found.group()]


def is_leader(source, at):
    return bool(THREAD.search(source.code[max(0, at - 24):at])) and source.code[max(0, at - 4):at].rstrip()[-2:] in ("==", "!=")


def numbers(source, leaders):
    for found in inside(source, r"(?<![\w.\]])(?:0x[0-9a-fA-F]+|\d+)[uU]?(?![\w.])"):
        line = source.code[source.starts[source.line_of(found.start()) - 1]:found.start()]
        stored = re.search(r"\]\s*=\s*$", line) and source.code[found.end():found.end() + 1] == ";"
        if "__shared__" in line or stored or is_leader(source, found.start()) != leaders:
            continue
        suffix = "u" if found.group()[-1] in "uU" else ""
        digits = found.group().rstrip("uU")
        is_octal = re.fullmatch(r"0[0-7]+", digits)
        value = int(digits, 8 if is_octal else 16 if digits[:2].lower() == "0x" else 10)
        if value >= 0xffffffff:
            yield found.start(), found.end(), "0x7fffffff" + suffix
        else:
            yield found.start(), found.end(), str(value + 1) + suffix


def places(source):
    """(begin, end, is stored) of what stands between brackets behind a name, but for declarations."""
    for found in inside(source, r"(?<=[\w\]\)])\["):
        closes = source.closing(found.start())
        before = source.code[:found.start()]
        declares = re.search(r"(?:\b(?:int|float|double|char|unsigned|short|long|bool|T|\w+_t|\w+\d)\s+|,\s*)\w+(?:\[[^\]]*\])*$", before[-80:])
        if closes is None or (declares and "(" not in declares.group() and not declares.group().startswith(",")):
            continue
        stored = re.compile(r"(?:\[[^\]]*\])*(?:\.\w+)*\s*(?:(?:[-+*/&|^]|<<|>>)?=(?!=)|\+\+|--)").match(source.code, closes + 1)
        yield found.end(), closes, bool(stored)


def indices(source):
    for begin, end, _ in places(source):
        yield begin, end, f"({source.text[begin:end]}) + 1"


def halves(source):
    for begin, end, stored in places(source):
        if stored and source.code[begin:end].strip() != "0":
            yield begin, end, f"({source.text[begin:end]}) / 2"


def guards(source):
    for found in inside(source, r"\bif\s*(?=\()"):
        closes = source.closing(found.end())
        if closes:
            leaves = re.compile(r"\s*\{?\s*(?:return|break|continue)\b").match(source.code, closes + 1)
            yield found.end() + 1, closes, "false" if leaves else "true"


def strides(source):
    for found in inside(source, r"(/=|\*=|>>=|<<=)\s*(\w+)(?=\s*\))"):
        yield found.start(2), found.end(2), f"({found.group(2)} * 2)"
    for found in inside(source, r"\b(?:blockDim|gridDim)\.[xyz]\b"):
        yield found.start(), found.end(), f"({found.group()} / 2)"


def copies(source):
    for found in inside(source, r"(?:\b__pipeline_wait_prior\s*\(\s*|\bwait_prior<\s*)(\d+)"):
        yield found.start(1), found.end(1), str(int(found.group(1)) + 1)


def resets(source):
    """Calls of the host that give memory its contents."""
    for found in re.finditer(r"\bcudaMem(?:set|cpy)\w*\s*(?=\()", source.code):
        whole = None if source.function_at(found.start()) else statement(source, found)
        if whole:
            yield (*whole, ";")


OPERATORS = {
    "barrier": barriers,
    "wait": waits,
    "scope": scopes,
    "atomic": atomics,
    "swap": swaps,
    "comparison": comparisons,
    "number": lambda source: numbers(source, False),
    "leader": lambda source: numbers(source, True),
    "index": indices,
    "half": halves,
    "guard": guards,
    "stride": strides,
    "copies": copies,
    "reset": resets,
}
MEANINGS = {
    "barrier": "a barrier, fence or wait of copies deleted",
    "wait": "a wait removed, or made once",
    "scope": "scope narrowed, order weakened, volatile removed",
    "atomic": "an atomic operation made plain",
    "swap": "synchronisation swapped with its neighbour",
    "comparison": "another comparison",
    "number": "a number more by one",
    "leader": "another leader, block or lane",
    "index": "an index more by one",
    "half": "the place of a store halved",
    "guard": "a condition dropped",
    "stride": "another stride",
    "copies": "a group of copies more left under way",
    "reset": "memory not set by the host",
}
