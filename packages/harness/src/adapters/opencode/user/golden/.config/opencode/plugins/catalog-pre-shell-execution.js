// Written by catalog from hooks/pre-shell-execution; a change here is lost with the next sync.
import { hook } from "../../../.catalog/hooks/opencode.mjs";

export default hook({
  "id": "hooks/pre-shell-execution",
  "harness": "opencode",
  "event": "pre_shell_execution",
  "on": "tool.execute.before",
  "tool": "^bash$",
  "command": "echo pre-shell-execution",
  "timeout": 60
});
