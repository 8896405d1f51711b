// Written by catalog from hooks/post-compact; a change here is lost with the next sync.
import { hook } from "../../../.catalog/hooks/kilo.mjs";

export default hook({
  "id": "hooks/post-compact",
  "harness": "kilo",
  "event": "post_compact",
  "on": "session.compacted",
  "command": "echo post-compact",
  "timeout": 60
});
