#!/bin/sh
set -eu
git tag --verify "$1"
