# Read by the scripts beside it (POSIX sh).

# ensure_environment ROOT EXTRA: make sure that ROOT/.venv holds what pyproject.toml asks for with EXTRA (run, test or dev).
# The stamp that set_up_environment.py writes last is the checkout's path and pyproject.toml as they were then.
ensure_environment() {
    if [ -x "$1/.venv/bin/python" ] && { printf '%s\n' "$1" && cat "$1/pyproject.toml"; } | cmp -s - "$1/.venv/stamp-$2"; then
        return
    fi
    python=$(find_python) || return
    "$python" "$1/scripts/set_up_environment.py" "$2" >&2
}

# find_python: print the first Python that is new enough, or say what is missing and fail.
find_python() {
    for python in python3 python3.14 python3.13 python3.12 python3.11; do
        if "$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
            echo "$python"
            return
        fi
    done
    echo "gtp_engine needs Python 3.11 or newer: none of python3, python3.14, python3.13, python3.12, python3.11 on the PATH is" >&2
    return 1
}
