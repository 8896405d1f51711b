#!/bin/sh
cat >> .stopped
