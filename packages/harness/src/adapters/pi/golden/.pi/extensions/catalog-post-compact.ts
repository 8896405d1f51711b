// Written by catalog from hooks/post-compact; a change here is lost with the next sync.
import { hook } from "../../.catalog/hooks/pi.mjs";

export default hook({
  "id": "hooks/post-compact",
  "harness": "pi",
  "event": "post_compact",
  "on": "session_compact",
  "command": "echo post-compact",
  "timeout": 60
});
