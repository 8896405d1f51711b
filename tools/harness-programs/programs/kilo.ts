import { openCodeLike } from './open-code-like.ts';

export const kilo = openCodeLike({
  name: 'kilo',
  title: 'Kilo',
  version: '7.7.7',
  profile: 'kilo',
  command: 'node_modules/@kilocode/cli-linux-x64/bin/kilo',
  folder: '.kilo',
  user_config: '.config/kilo/kilo.json',
  project_config: 'kilo.json',
  env_prefix: 'KILO',
  secrets: false,
});
