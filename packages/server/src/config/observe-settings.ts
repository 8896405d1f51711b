import { choiceSetting, switchSetting, textSetting } from './setting.ts';

export const OBSERVE_SETTINGS = {
  metrics: switchSetting({
    summary: 'Serve `/metrics`.',
    env: ['CATALOG_METRICS'],
    default: true,
  }),
  access_log: switchSetting({
    summary: 'Log every request.',
    env: ['CATALOG_ACCESS_LOG'],
    default: true,
  }),
  'log.level': choiceSetting(['trace', 'debug', 'info', 'warn', 'error', 'silent'], {
    summary: 'Minimum log level.',
    env: ['CATALOG_LOG_LEVEL'],
    default: 'info',
  }),
  'log.format': choiceSetting(['auto', 'json', 'text'], {
    summary:
      'Log format: `text`, `json`, or `auto`, which is text on a terminal and JSON otherwise.',
    env: ['CATALOG_LOG_FORMAT'],
    default: 'auto',
  }),
  'log.caller': choiceSetting(['hash', 'subject', 'none'], {
    summary:
      'How `request` lines name an identified caller: `hash`, a keyed hash of the subject; `subject`; or `none`.',
    env: ['CATALOG_LOG_CALLER'],
    default: 'hash',
  }),
  'log.caller_key': textSetting({
    summary:
      'Key of the hash in `caller`. Give all processes the same one; if unset, each process creates a key at startup.',
    env: ['CATALOG_LOG_CALLER_KEY'],
    default: undefined,
    mask: () => '***',
  }),
} as const;
