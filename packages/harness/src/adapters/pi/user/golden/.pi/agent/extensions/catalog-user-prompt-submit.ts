// Written by catalog from hooks/user-prompt-submit; a change here is lost with the next sync.
import { hook } from "../../../.catalog/hooks/pi.mjs";

export default hook({
  "id": "hooks/user-prompt-submit",
  "harness": "pi",
  "event": "user_prompt_submit",
  "on": "input",
  "command": "echo user-prompt-submit",
  "timeout": 60
});
