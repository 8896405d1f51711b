// Written by catalog from hooks/permission-denied; a change here is lost with the next sync.
import { hook } from "../../../.catalog/hooks/opencode.mjs";

export default hook({
  "id": "hooks/permission-denied",
  "harness": "opencode",
  "event": "permission_denied",
  "on": "permission.replied",
  "command": "echo permission-denied",
  "timeout": 60
});
