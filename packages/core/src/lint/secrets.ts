/** Prefixes of known tokens. All patterns run in linear time, because the input is untrusted. */

const TOKEN_PREFIXES = [
  'AIza',
  'AKIA',
  'ASIA',
  'dop_v1_',
  'gho_',
  'ghp_',
  'ghr_',
  'ghs_',
  'ghu_',
  'github_pat_',
  'glpat-',
  'hf_',
  'lin_api_',
  'npm_',
  'ntn_',
  'pypi-',
  'rk_live_',
  'shpat_',
  'sk-ant-',
  'sk-proj-',
  'sk_live_',
  'sk_test_',
  'tvly-',
  'whsec_',
  'xapp-',
  'xoxa-',
  'xoxb-',
  'xoxp-',
  'xoxs-',
] as const;

const PREFIXED_TOKEN = [
  `(?<![\\w-])(?:${TOKEN_PREFIXES.join('|')})(?=[^\\s\\d]{0,64}\\d)[\\w+/=.-]{16,}`,
  '(?<![\\w-])sk-[A-Za-z0-9]{20,}',
].join('|');
const PREFIXED_TOKENS = new RegExp(PREFIXED_TOKEN, 'g');

const TOKEN = new RegExp(
  [
    PREFIXED_TOKEN,
    // A JSON Web Token: three parts, of which the first two are JSON objects in base64.
    '(?<![\\w-])eyJ[\\w-]{6,}\\.eyJ[\\w-]{6,}\\.[\\w-]*',
    '-----BEGIN [A-Z ]{0,32}PRIVATE KEY-----',
  ].join('|'),
);

const EXAMPLE_TOKEN = /example|your|(.)\1{4}/i;

const SECRET_NAME =
  /(?:token|secret|passwo?r?d|passphrase|credentials?|authorization|cookie|api_?key|(?:access|account|encryption|master|private|secret|signing)_?key)$/;
const OPEN_NAME = /(?:^|_)(?:auth|key|pat|sig|signature)$/;
const OPAQUE_VALUE = /^(?=\D*\d)(?=[^a-z]*[a-z])[\w+/=.~-]{16,}$/i;

const AUTHORIZATION_SCHEME = /^(?:basic|bearer|digest|token)\s+/i;
const REFERENCE =
  /\$\{|\{\{|^\$\w|^%\w+%$|^(?:env|file|keychain|ref|secret|vault):|^[a-z][\w+.-]*:\/\//i;
const PATH = /^(?:~|\.{1,2})?[\\/]|^[a-z]:\\/i;
const PLACEHOLDER =
  /^(?:x{3,}|\*{3,}|\.{3,}|<.*>|\[.*\]|(?:change|replace|insert|your|my)[-_ ]?.*|example|placeholder|redacted|todo)$/i;
const PLAIN_SETTING = /^(?:\d{0,7}|auto|default|false|no|none|null|off|on|true|yes)$/i;

/**
 * Returns the part of a value that looks like a secret; undefined if there is none. `name` is the environment variable,
 * header, flag or parameter with the value.
 */
export function findSecret(value: string, name = ''): string | undefined {
  return (
    TOKEN.exec(value)?.[0] ??
    passwordInUrl(value) ??
    secretParameter(value) ??
    secretByName(value, name)
  );
}

/** Finds known tokens in prose. Examples are skipped, because a body may document the form of tokens. */
export function findTokens(prose: string): { token: string; offset: number }[] {
  return Array.from(prose.matchAll(PREFIXED_TOKENS))
    .map(({ 0: token, index }) => ({ token, offset: index }))
    .filter(({ token }) => !EXAMPLE_TOKEN.test(token));
}

function secretByName(value: string, name: string): string | undefined {
  const spelling = name
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replace(/[-. ]/g, '_')
    .toLowerCase();
  const text = value.trim().replace(AUTHORIZATION_SCHEME, '');
  if (text === '' || REFERENCE.test(text) || PATH.test(text)) return undefined;
  if (PLACEHOLDER.test(text) || PLAIN_SETTING.test(text)) return undefined;
  if (SECRET_NAME.test(spelling)) return text;
  const isOpen = OPEN_NAME.test(spelling) && !spelling.includes('public');
  return isOpen && OPAQUE_VALUE.test(text) ? text : undefined;
}

function passwordInUrl(value: string): string | undefined {
  for (let at = value.indexOf('://'); at !== -1; at = value.indexOf('://', at + 3)) {
    const authority = /^[^\s/?#]*/.exec(value.slice(at + 3))?.[0] ?? '';
    const user = authority.slice(0, Math.max(0, authority.lastIndexOf('@')));
    const colon = user.indexOf(':');
    const password = colon === -1 ? '' : user.slice(colon + 1);
    if (password !== '' && !REFERENCE.test(password) && !PLACEHOLDER.test(password)) {
      return password;
    }
  }
  return undefined;
}

function secretParameter(value: string): string | undefined {
  if (!value.includes('://')) return undefined;
  for (const parameter of value.split(/[?&#]/).slice(1)) {
    const equals = parameter.indexOf('=');
    if (equals === -1) continue;
    const secret = secretByName(parameter.slice(equals + 1), parameter.slice(0, equals));
    if (secret !== undefined) return secret;
  }
  return undefined;
}
