// Written by catalog from hooks/post-shell-execution; a change here is lost with the next sync.
import { hook } from "../../../.catalog/hooks/pi.mjs";

export default hook({
  "id": "hooks/post-shell-execution",
  "harness": "pi",
  "event": "post_shell_execution",
  "on": "tool_result",
  "tool": "^(bash|powershell)$",
  "command": "echo post-shell-execution",
  "timeout": 60
});
