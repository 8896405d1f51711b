// Written by catalog from hooks/post-file-edit; a change here is lost with the next sync.
import { hook } from "../../../.catalog/hooks/opencode.mjs";

export default hook({
  "id": "hooks/post-file-edit",
  "harness": "opencode",
  "event": "post_file_edit",
  "on": "tool.execute.after",
  "tool": "^(edit|write|patch|apply_patch|multiedit)$",
  "command": "echo post-file-edit",
  "timeout": 60
});
