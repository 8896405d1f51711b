// Written by catalog from hooks/stop; a change here is lost with the next sync.
import { hook } from "../../../.catalog/hooks/pi.mjs";

export default hook({
  "id": "hooks/stop",
  "harness": "pi",
  "event": "stop",
  "on": "agent_settled",
  "command": "bash .catalog/resources/hooks/stop/scripts/log.sh --to \"$HOME/scripts/log.sh.txt\"",
  "timeout": 60
});
