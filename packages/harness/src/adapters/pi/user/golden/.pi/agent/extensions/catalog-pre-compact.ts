// Written by catalog from hooks/pre-compact; a change here is lost with the next sync.
import { hook } from "../../../.catalog/hooks/pi.mjs";

export default hook({
  "id": "hooks/pre-compact",
  "harness": "pi",
  "event": "pre_compact",
  "on": "session_before_compact",
  "command": "echo pre-compact",
  "timeout": 60
});
