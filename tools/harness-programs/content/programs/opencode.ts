import { openCodeLike } from './open-code-like.ts';

export const opencode = openCodeLike({
  name: 'opencode',
  folder: '.opencode',
  user_config: '.config/opencode/opencode.json',
  env_prefix: 'OPENCODE',
});
