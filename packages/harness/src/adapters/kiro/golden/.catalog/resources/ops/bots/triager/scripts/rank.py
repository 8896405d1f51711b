#!/usr/bin/env python3
import sys

print(*sorted(sys.stdin), sep="")
