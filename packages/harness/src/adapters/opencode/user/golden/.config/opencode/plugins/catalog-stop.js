// Written by catalog from hooks/stop; a change here is lost with the next sync.
import { hook } from "../../../.catalog/hooks/opencode.mjs";

export default hook({
  "id": "hooks/stop",
  "harness": "opencode",
  "event": "stop",
  "on": "session.idle",
  "command": "bash .catalog/resources/hooks/stop/scripts/log.sh --to \"$HOME/scripts/log.sh.txt\"",
  "timeout": 60
});
