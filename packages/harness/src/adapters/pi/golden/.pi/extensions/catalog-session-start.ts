// Written by catalog from hooks/session-start; a change here is lost with the next sync.
import { hook } from "../../.catalog/hooks/pi.mjs";

export default hook({
  "id": "hooks/session-start",
  "harness": "pi",
  "event": "session_start",
  "on": "session_start",
  "command": "echo session-start",
  "timeout": 60
});
