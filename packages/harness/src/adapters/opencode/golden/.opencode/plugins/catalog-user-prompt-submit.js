// Written by catalog from hooks/user-prompt-submit; a change here is lost with the next sync.
import { hook } from "../../.catalog/hooks/opencode.mjs";

export default hook({
  "id": "hooks/user-prompt-submit",
  "harness": "opencode",
  "event": "user_prompt_submit",
  "on": "chat.message",
  "command": "echo user-prompt-submit",
  "timeout": 60
});
