"""Runs every check of scim2-tester against a receiver and prints the outcomes as JSON lines.

Usage: check.py ADDRESS, with the bearer token in SCIM_TOKEN.
"""

import json
import os
import sys

import httpx2
from scim2_client.engines.httpx2 import SyncSCIMClient
from scim2_tester import check_server


def main() -> None:
    headers = {"Authorization": f"Bearer {os.environ['SCIM_TOKEN']}"}
    http = httpx2.Client(base_url=sys.argv[1], headers=headers, trust_env=False)
    for result in check_server(SyncSCIMClient(http)):
        outcome = {
            "check": result.title,
            "resource_type": result.resource_type,
            "status": result.status.name,
            "reason": result.reason,
        }
        print(json.dumps(outcome))


main()
