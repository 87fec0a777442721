"""The skill ``verify-claims``, and the measurement of when an agent takes it up.

The file follows the Agent Skills format (https://agentskills.io/specification): of it an agent
first sees name and description alone, and from these decides whether to read the rest. So these
are what ``triggers`` measures.
"""
