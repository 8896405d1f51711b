// Written by catalog from hooks/post-file-edit; a change here is lost with the next sync.
import { hook } from "../../../.catalog/hooks/pi.mjs";

export default hook({
  "id": "hooks/post-file-edit",
  "harness": "pi",
  "event": "post_file_edit",
  "on": "tool_result",
  "tool": "^(edit|write)$",
  "command": "echo post-file-edit",
  "timeout": 60
});
