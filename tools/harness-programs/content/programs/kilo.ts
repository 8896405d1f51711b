import { openCodeLike } from './open-code-like.ts';

export const kilo = openCodeLike({
  name: 'kilo',
  folder: '.kilo',
  user_config: '.config/kilo/kilo.json',
  env_prefix: 'KILO',
});
