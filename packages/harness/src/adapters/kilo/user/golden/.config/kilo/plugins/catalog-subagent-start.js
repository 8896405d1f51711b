// Written by catalog from hooks/subagent-start; a change here is lost with the next sync.
import { hook } from "../../../.catalog/hooks/kilo.mjs";

export default hook({
  "id": "hooks/subagent-start",
  "harness": "kilo",
  "event": "subagent_start",
  "on": "tool.execute.before",
  "tool": "^task$",
  "command": "echo subagent-start",
  "timeout": 60
});
