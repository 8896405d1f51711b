import { allCells } from './cells.ts';
import type { Cell } from './decision-rule.ts';

interface Part {
  mode: string;
  callers: readonly string[];
  about: 'writes' | 'reads' | 'classes';
}

const PARTS: readonly Part[] = [
  {
    mode: 'trusted-headers',
    callers: ['admin', 'owner', 'other-subject', 'anonymous'],
    about: 'writes',
  },
  // Requests that SPEC-77 rejects if the registry has several tenants.
  { mode: 'trusted-headers-tenants', callers: ['admin', 'owner'], about: 'writes' },
  { mode: 'none', callers: ['anonymous'], about: 'writes' },
  { mode: 'public', callers: ['anonymous'], about: 'writes' },
  { mode: 'none-denied', callers: ['anonymous'], about: 'writes' },
  { mode: 'public-denied', callers: ['anonymous'], about: 'writes' },
  {
    mode: 'trusted-headers',
    callers: [
      'admin',
      'owner',
      'member-by-user',
      'member-by-email',
      'email-like-a-subject',
      'member-by-group',
      'member-by-directory',
      'other-subject',
      'anonymous',
      'deactivated',
    ],
    about: 'reads',
  },
  {
    mode: 'injected-session-token',
    callers: ['member-by-email', 'unverified-email', 'email-like-a-subject'],
    about: 'reads',
  },
  { mode: 'none', callers: ['anonymous'], about: 'reads' },
  {
    mode: 'trusted-headers',
    callers: ['admin', 'operator', 'other-subject', 'anonymous'],
    about: 'classes',
  },
  { mode: 'none', callers: ['anonymous'], about: 'classes' },
  { mode: 'public', callers: ['anonymous'], about: 'classes' },
  { mode: 'none-denied', callers: ['anonymous'], about: 'classes' },
  { mode: 'public-denied', callers: ['anonymous'], about: 'classes' },
  {
    mode: 'injected-session-token',
    callers: ['expired', 'forged', 'narrowed-admin'],
    about: 'classes',
  },
  { mode: 'oidc-jwt', callers: ['forged'], about: 'classes' },
  {
    mode: 'trusted-headers-tenants',
    callers: ['admin', 'operator', 'other-subject', 'anonymous', 'no-tenant', 'admin-abroad'],
    about: 'classes',
  },
  {
    mode: 'injected-session-token-tenants',
    callers: ['expired', 'unknown-tenant'],
    about: 'classes',
  },
];

/** One layer of each kind that a rule distinguishes. */
const WRITTEN: readonly string[] = [
  'own',
  'absent',
  'expired',
  'shared-organization',
  'shared-named-owner',
  'others',
  'deleted-own',
  'deleted-others',
  'local-own',
  'file-own',
  'deleted-local-own',
  'beside-path-own',
];

const WRITES: Readonly<Record<string, readonly string[]>> = {
  register_layer: [
    'plain',
    'owner',
    'owner-self',
    'public',
    'organization',
    'groups',
    'users',
    'local',
    'file',
    'local-public',
    'unknown-provider',
  ],
  update_layer: ['ref', 'local_path', 'public', 'restated'],
  unregister_layer: ['plain'],
  restore_layer: ['plain'],
  reingest_layer: ['plain'],
  reorder_layers: ['alone', 'with-first'],
  preview_reorder: ['alone', 'with-first'],
  ingest_webhook: ['signed', 'forged'],
};

const READ: readonly string[] = [
  'own',
  'absent',
  'shared-public',
  'shared-organization',
  'shared-group',
  'shared-user',
  'shared-none',
  'shared-empty-name',
  'others',
  'deleted-shared',
  'deleted-own',
];

const READS: Readonly<Record<string, readonly string[]>> = {
  load_artifact: ['plain', 'as-admin'],
  search_artifacts: ['as-admin'],
  list_layers: ['plain'],
  list_deleted_layers: ['plain'],
};

const CLASS_LAYER = 'shared-none';

const USUAL = new Set(['plain', 'as-admin', 'ref', 'alone', 'signed']);

/** Returns cells that cover every rule, so that changing one word of a rule causes a failure. */
export function essentialCells(): Cell[] {
  return allCells().filter((cell) => PARTS.some((part) => isPartOf(part, cell)));
}

function isPartOf(
  { mode, callers, about }: Part,
  { route, variant, layer, ...cell }: Cell,
): boolean {
  if (cell.mode.name !== mode || !callers.includes(cell.caller.name)) return false;
  if (about === 'writes') {
    return WRITTEN.includes(layer?.name ?? '') && WRITES[route]?.includes(variant) === true;
  }
  if (about === 'reads') {
    return READ.includes(layer?.name ?? '') && READS[route]?.includes(variant) === true;
  }
  return layer === undefined || (layer.name === CLASS_LAYER && USUAL.has(variant));
}
