// Written by catalog from hooks/pre-compact; a change here is lost with the next sync.
import { hook } from "../../../.catalog/hooks/kilo.mjs";

export default hook({
  "id": "hooks/pre-compact",
  "harness": "kilo",
  "event": "pre_compact",
  "on": "experimental.session.compacting",
  "command": "echo pre-compact",
  "timeout": 60
});
