"""The sentence gate for other programs: over HTTP (``server``) and as MCP tools (``stdio``).

Both ask one ``desk.Desk``, and say the same in the same JSON as the command line.
"""
