import { TOGETHER } from '../expected.ts';
import { openCodeLike } from './open-code-like.ts';

export const opencode = openCodeLike({
  name: 'opencode',
  title: 'OpenCode',
  version: '1.18.33',
  profile: 'opencode',
  together: TOGETHER,
  command: 'node_modules/opencode-linux-x64/bin/opencode',
  folder: '.opencode',
  user_config: '.config/opencode/opencode.json',
  project_config: 'opencode.json',
  env_prefix: 'OPENCODE',
  secrets: true,
});
