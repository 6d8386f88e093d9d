#!/bin/sh
exec npx email-analytics tap "$@"
