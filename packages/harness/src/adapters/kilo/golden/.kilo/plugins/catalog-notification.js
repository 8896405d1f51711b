// Written by catalog from hooks/notification; a change here is lost with the next sync.
import { hook } from "../../.catalog/hooks/kilo.mjs";

export default hook({
  "id": "hooks/notification",
  "harness": "kilo",
  "event": "notification",
  "on": "tui.toast.show",
  "command": "echo notification",
  "timeout": 60
});
