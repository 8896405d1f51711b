// Written by catalog from hooks/session-start; a change here is lost with the next sync.
import { hook } from "../../../.catalog/hooks/opencode.mjs";

export default hook({
  "id": "hooks/session-start",
  "harness": "opencode",
  "event": "session_start",
  "on": "session.created",
  "command": "echo session-start",
  "timeout": 60
});
