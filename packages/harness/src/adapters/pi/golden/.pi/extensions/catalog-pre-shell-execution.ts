// Written by catalog from hooks/pre-shell-execution; a change here is lost with the next sync.
import { hook } from "../../.catalog/hooks/pi.mjs";

export default hook({
  "id": "hooks/pre-shell-execution",
  "harness": "pi",
  "event": "pre_shell_execution",
  "on": "tool_call",
  "tool": "^(bash|powershell)$",
  "command": "echo pre-shell-execution",
  "timeout": 60
});
