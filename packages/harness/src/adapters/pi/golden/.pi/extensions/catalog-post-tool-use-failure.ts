// Written by catalog from hooks/post-tool-use-failure; a change here is lost with the next sync.
import { hook } from "../../.catalog/hooks/pi.mjs";

export default hook({
  "id": "hooks/post-tool-use-failure",
  "harness": "pi",
  "event": "post_tool_use_failure",
  "on": "tool_result",
  "command": "echo post-tool-use-failure",
  "timeout": 60
});
