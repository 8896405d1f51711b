// Written by catalog from hooks/permission-request; a change here is lost with the next sync.
import { hook } from "../../../.catalog/hooks/opencode.mjs";

export default hook({
  "id": "hooks/permission-request",
  "harness": "opencode",
  "event": "permission_request",
  "on": "permission.asked",
  "command": "echo permission-request",
  "timeout": 60
});
