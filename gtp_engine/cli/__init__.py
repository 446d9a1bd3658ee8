"""The command line: one small file per subcommand, options in, objects of the lower rooms called."""
