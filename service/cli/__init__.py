"""The command ``mnemo``: one module for each family of commands, assembled in ``main``."""
