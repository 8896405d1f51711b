// Written by catalog from hooks/post-tool-use; a change here is lost with the next sync.
import { hook } from "../../../.catalog/hooks/opencode.mjs";

export default hook({
  "id": "hooks/post-tool-use",
  "harness": "opencode",
  "event": "post_tool_use",
  "on": "tool.execute.after",
  "command": "echo post-tool-use",
  "timeout": 60
});
