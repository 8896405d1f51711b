// Written by catalog from hooks/session-end; a change here is lost with the next sync.
import { hook } from "../../.catalog/hooks/pi.mjs";

export default hook({
  "id": "hooks/session-end",
  "harness": "pi",
  "event": "session_end",
  "on": "session_shutdown",
  "command": "echo session-end",
  "timeout": 60
});
