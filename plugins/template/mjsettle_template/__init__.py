"""A house fan for an existing mjsettle rule set: the plugin to copy."""
