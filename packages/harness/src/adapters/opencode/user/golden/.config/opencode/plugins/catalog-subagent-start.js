// Written by catalog from hooks/subagent-start; a change here is lost with the next sync.
import { hook } from "../../../.catalog/hooks/opencode.mjs";

export default hook({
  "id": "hooks/subagent-start",
  "harness": "opencode",
  "event": "subagent_start",
  "on": "tool.execute.before",
  "tool": "^task$",
  "command": "echo subagent-start",
  "timeout": 60
});
