// Written by catalog from hooks/subagent-stop; a change here is lost with the next sync.
import { hook } from "../../.catalog/hooks/kilo.mjs";

export default hook({
  "id": "hooks/subagent-stop",
  "harness": "kilo",
  "event": "subagent_stop",
  "on": "tool.execute.after",
  "tool": "^task$",
  "command": "echo subagent-stop",
  "timeout": 60
});
