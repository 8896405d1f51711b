// Written by catalog from hooks/post-shell-execution; a change here is lost with the next sync.
import { hook } from "../../.catalog/hooks/opencode.mjs";

export default hook({
  "id": "hooks/post-shell-execution",
  "harness": "opencode",
  "event": "post_shell_execution",
  "on": "tool.execute.after",
  "tool": "^bash$",
  "command": "echo post-shell-execution",
  "timeout": 60
});
