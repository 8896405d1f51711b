// Written by catalog from hooks/notification; a change here is lost with the next sync.
import { hook } from "../../../.catalog/hooks/opencode.mjs";

export default hook({
  "id": "hooks/notification",
  "harness": "opencode",
  "event": "notification",
  "on": "tui.toast.show",
  "command": "echo notification",
  "timeout": 60
});
