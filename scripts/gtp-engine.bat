@echo off
rem Speaks GTP on stdin and stdout: scripts\gtp-engine [SUBCOMMAND] [OPTIONS]
rem The first start makes a private environment in the checkout, .venv; later ones only look whether it is up to date.
setlocal
set "root=%~dp0.."
set "is_new=import sys; sys.exit(sys.version_info < (3, 11))"
set "finder=py -3"
%finder% -c "%is_new%" >nul 2>nul && goto found
set "finder=python"
%finder% -c "%is_new%" >nul 2>nul && goto found
echo gtp_engine needs Python 3.11 or newer: neither "py -3" nor "python" starts one 1>&2
exit /b 1
:found
%finder% "%root%\scripts\set_up_environment.py" run || exit /b 1
"%root%\.venv\Scripts\python.exe" -P -m gtp_engine %*
