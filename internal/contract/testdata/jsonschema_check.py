"""Judges the documents of make validators with Python's jsonschema, and compares the verdicts.

Usage: python3 jsonschema_check.py FOLDER_OF_SCHEMAS FILE_OF_CASES
"""

import json
import sys
from importlib.metadata import version
from pathlib import Path

from jsonschema import Draft202012Validator


def load(folder):
    index = json.loads(Path(folder, "index.json").read_text())
    validators = {}
    for entry in index["schemas"]:
        schema = json.loads(Path(folder, entry["file"]).read_text())
        Draft202012Validator.check_schema(schema)
        validators[entry["$id"].split(":")[-1]] = Draft202012Validator(schema)
    return validators


def main(folder, cases):
    validators = load(folder)
    judged = {True: 0, False: 0}
    wrong = 0
    for line in Path(cases).read_text().splitlines():
        case = json.loads(line)
        if validators[case["schema"]].is_valid(case["document"]) != case["valid"]:
            wrong += 1
            verdict = "valid" if case["valid"] else "invalid"
            print(f'{case["name"]}: {verdict} by {case["schema"]}, but not here', file=sys.stderr)
        judged[case["valid"]] += 1
    print(
        f'jsonschema {version("jsonschema")} for Python: {len(validators)} schemas compiled; '
        f"{judged[True]} valid and {judged[False]} invalid documents, {wrong} judged otherwise"
    )
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
