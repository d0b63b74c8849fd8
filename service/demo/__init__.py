"""``mnemo demo``: the main job in about a minute, with an invented owner and the real components.

``story.py`` tells it, in order; ``stage.py`` sets the real processes up and takes them down; ``assistants.py``
speaks MCP as assistants do. Everything the owner does goes through the command line that a person would use.
"""
