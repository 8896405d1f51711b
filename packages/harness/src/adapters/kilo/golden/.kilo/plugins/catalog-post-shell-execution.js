// Written by catalog from hooks/post-shell-execution; a change here is lost with the next sync.
import { hook } from "../../.catalog/hooks/kilo.mjs";

export default hook({
  "id": "hooks/post-shell-execution",
  "harness": "kilo",
  "event": "post_shell_execution",
  "on": "tool.execute.after",
  "tool": "^bash$",
  "command": "echo post-shell-execution",
  "timeout": 60
});
