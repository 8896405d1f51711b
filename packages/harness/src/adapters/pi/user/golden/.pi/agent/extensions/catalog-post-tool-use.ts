// Written by catalog from hooks/post-tool-use; a change here is lost with the next sync.
import { hook } from "../../../.catalog/hooks/pi.mjs";

export default hook({
  "id": "hooks/post-tool-use",
  "harness": "pi",
  "event": "post_tool_use",
  "on": "tool_result",
  "command": "echo post-tool-use",
  "timeout": 60
});
