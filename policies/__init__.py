"""Every rule of Mnemo as pure code: no clock, file, network or log is touched from here.

Importing a module reads its data files (TOML) once; nothing else is read, ever.
"""
