// Written by catalog from hooks/pre-read-file; a change here is lost with the next sync.
import { hook } from "../../.catalog/hooks/pi.mjs";

export default hook({
  "id": "hooks/pre-read-file",
  "harness": "pi",
  "event": "pre_read_file",
  "on": "tool_call",
  "tool": "^read$",
  "command": "echo pre-read-file",
  "timeout": 60
});
