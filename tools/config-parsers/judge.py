"""Reads files with entries of catalog's in them and says what is wrong with each.

Every line of the input is one JSON object: the format, the text, the text as it would be had catalog
never been there, and the entries that must be in it. Every line of the output is a complaint.
"""

import io
import json
import re
import sys
import tomllib

import yaml
from ruamel.yaml import YAML

BLOCK = re.compile(
    r"<!-- catalog:begin:(?P<id>\S+) -->(?P<inner>.*?)<!-- catalog:end:(?P=id) -->", re.DOTALL
)
JSON_TOKEN = re.compile(r'"(?:\\.|[^"\\])*"|//[^\n\r]*|/\*.*?\*/', re.DOTALL)
JSON_COMMA = re.compile(r'"(?:\\.|[^"\\])*"|,(?=\s*[}\]])', re.DOTALL)


def keep_strings(match):
    return match.group() if match.group().startswith('"') else " "


def refuse_repeated(pairs):
    names = [name for name, _ in pairs]
    if len(set(names)) != len(names):
        raise ValueError(f"a name stands twice among {names}")
    return dict(pairs)


def read_json(text):
    plain = JSON_COMMA.sub(keep_strings, JSON_TOKEN.sub(keep_strings, text))
    if not plain.strip():
        return None
    return json.loads(plain, object_pairs_hook=refuse_repeated)


def read_ruamel(text):
    return YAML(typ="safe", pure=True).load(io.StringIO(text))


READERS = {
    "json": [read_json],
    "toml": [tomllib.loads],
    "yaml": [read_ruamel, yaml.safe_load],
}


def at(value, path):
    for name in path:
        value = value.get(name) if isinstance(value, dict) else None
    return value


def missing_entries(value, wanted):
    for entry in wanted:
        parent = at(value, entry["container"])
        if entry["shape"] == "array":
            found = isinstance(parent, list) and entry["value"] in parent
        else:
            found = isinstance(parent, dict) and entry["key"] in parent
            found = found and (entry.get("if_absent") or parent[entry["key"]] == entry["value"])
        if not found:
            yield f"{entry['container']} {entry['key']} is not there as it was written"


def without(value, wanted, path=()):
    """The value without our entries, and without what holds nothing."""
    here = [entry for entry in wanted if tuple(entry["container"]) == path]
    if isinstance(value, dict):
        ours = {entry["key"] for entry in here if entry["shape"] == "map"}
        rest = {
            key: without(member, wanted, (*path, key) if isinstance(path, tuple) else None)
            for key, member in value.items()
            if key not in ours and not (path == () and key == "x-catalog")
        }
        return {key: member for key, member in rest.items() if member is not None} or None
    if isinstance(value, list):
        ours = [entry["value"] for entry in here if entry["shape"] == "array"]
        return [without(item, wanted, None) for item in value if item not in ours] or None
    return value


def judge_data(case):
    for read in READERS[case["format"]]:
        text, mine = (case[name].removeprefix("\ufeff") for name in ("text", "mine"))
        value = read(text)
        yield from missing_entries(value, case["wanted"])
        if without(value, case["wanted"]) != without(read(mine), case["wanted"]):
            yield f"{read.__name__} reads other values of the person's"


def judge_markdown(case):
    blocks = {match["id"]: match["inner"] for match in BLOCK.finditer(case["text"])}
    for entry in case["wanted"]:
        inner = blocks.get(entry["key"])
        if inner is None or inner.split() != entry["value"].split():
            yield f"the block of {entry['key']} is not there as it was written"
    ours = {entry["key"] for entry in case["wanted"]}
    rest = BLOCK.sub(lambda match: "" if match["id"] in ours else match.group(), case["text"])
    if rest.split() != case["mine"].split():
        yield "other words are left of the person's"


def judge(case):
    try:
        yield from (judge_markdown if case["format"] == "markdown" else judge_data)(case)
    except Exception as error:  # Whatever a parser says is the complaint.
        yield f"cannot be parsed: {type(error).__name__}: {error}"


for number, line in enumerate(open(sys.argv[1], encoding="utf-8")):
    for problem in judge(json.loads(line)):
        print(json.dumps({"number": number, "problem": problem}))
