@echo off
rem Speaks GTP on stdin and stdout: scripts\gtp-engine [SUBCOMMAND] [OPTIONS]
rem The first start makes a private environment in the checkout, .venv; later ones only look whether it is up to date.
setlocal
set "root=%~dp0.."
set "finder=py -3"
where py >nul 2>nul || set "finder=python"
%finder% "%root%\scripts\set_up_environment.py" run
if errorlevel 1 exit /b 1
"%root%\.venv\Scripts\python.exe" -P -m gtp_engine %*
