// Written by catalog from hooks/pre-tool-use; a change here is lost with the next sync.
import { hook } from "../../.catalog/hooks/pi.mjs";

export default hook({
  "id": "hooks/pre-tool-use",
  "harness": "pi",
  "event": "pre_tool_use",
  "on": "tool_call",
  "command": "echo pre-tool-use",
  "timeout": 60
});
