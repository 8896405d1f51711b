// Written by catalog from hooks/pre-tool-use; a change here is lost with the next sync.
import { hook } from "../../../.catalog/hooks/kilo.mjs";

export default hook({
  "id": "hooks/pre-tool-use",
  "harness": "kilo",
  "event": "pre_tool_use",
  "on": "tool.execute.before",
  "command": "echo pre-tool-use",
  "timeout": 60
});
