// Expected responses of the registry, written from the specification as tables. Each stage is a
// list of rules, and the first rule whose conditions all match decides. The stages are in the
// specified order of precedence. This file imports neither rules nor routes of the product.
import { DONE, HOST_PATHS, READ, VISIBILITY } from './response-tables.ts';
import { factsOf } from './facts.ts';
import {
  ADMIN_ONLY_FIELDS,
  ARGUMENTS,
  DELIVERY,
  LOCAL_SOURCE,
  MALFORMED_REGISTRATION,
  STATE,
  WRITE_RULE,
} from './layer-tables.ts';
import { absent, firstMatchingRule, forbidden, OPEN_MODES } from './decision-rule.ts';
import type { Cell, Facts, Outcome, DecisionRule } from './decision-rule.ts';

/** Browser-origin gate: runs before any handler, for every credential and mode. */
const ORIGIN_GATE: readonly DecisionRule[] = [
  {
    when: { site: 'cross', changes: 'yes' },
    answer: { status: 403, code: 'auth.csrf_invalid' },
    requirement: 'Browser-origin gate',
  },
];

const MOUNTED: readonly DecisionRule[] = [
  {
    when: { class: 'operator', tenancy: 'single' },
    answer: { status: 404, code: 'registry.tenant_management_unavailable' },
    requirement: 'Admin and operations: before operator authorization',
  },
  {
    when: { route: ['sign_in', 'sign_in_callback', 'sign_out'] },
    answer: absent,
    requirement: 'Web UI: the browser flow is off, so as any unregistered path',
  },
  { when: { route: 'web_ui' }, answer: { status: 200 }, requirement: 'Web UI' },
  { when: { route: 'web_ui_asset' }, answer: absent, requirement: 'Web UI: there is no such file' },
  { when: { route: 'web_ui_page' }, answer: { status: 200 }, requirement: 'Web UI' },
  {
    when: { route: 'web_ui_root' },
    answer: { status: 302 },
    requirement: 'Web UI: GET / redirects',
  },
  {
    when: { route: 'resource_metadata', provider: 'oidc-jwt' },
    answer: { status: 200 },
    requirement: 'RFC 9728',
  },
  {
    when: { route: 'resource_metadata' },
    answer: absent,
    requirement: 'there is no issuer whose tokens are taken',
  },
];

/** SPEC-3: handling of a failed credential, by the class of the route. */
const CREDENTIAL: readonly DecisionRule[] = [
  {
    when: { class: 'scim' },
    answer: { status: 401, code: 'auth.untrusted_token' },
    requirement: 'scim: the bearer token of a directory, which no caller has',
  },
  { when: { class: 'free' }, answer: 'pass', requirement: 'SPEC-3: no identity is read' },
  {
    when: { class: 'posture' },
    answer: 'pass',
    requirement: 'Session posture: no credential is refused',
  },
  { when: { provider: OPEN_MODES }, answer: 'pass', requirement: 'authenticates no caller' },
  {
    when: { verdict: 'refused', class: 'layer_write' },
    answer: forbidden,
    requirement: 'Layer write authorization 4; SPEC-3',
  },
  {
    when: { verdict: 'refused', credential: 'expired' },
    answer: { status: 401, code: 'auth.token_expired' },
    requirement: 'Errors; SPEC-3',
  },
  {
    when: { verdict: 'refused', provider: 'injected-session-token' },
    answer: { status: 401, code: 'auth.untrusted_runtime' },
    requirement: 'Errors; SPEC-4',
  },
  {
    when: { verdict: 'refused' },
    answer: { status: 401, code: 'auth.untrusted_token' },
    requirement: 'Errors; SPEC-3',
  },
];

/** SPEC-5: a tenant has no anonymous callers; operator routes resolve before the tenant. */
const TENANT: readonly DecisionRule[] = [
  {
    when: { tenancy: 'single' },
    answer: 'pass',
    requirement: 'a single-tenant registry binds every request',
  },
  { when: { class: ['free', 'operator', 'posture'] }, answer: 'pass', requirement: 'SPEC-5' },
  {
    when: { organization: ['home', 'abroad'], verdict: 'subject' },
    answer: 'pass',
    requirement: 'SPEC-5: nobody is anonymous within a tenant, who was deactivated neither',
  },
  { when: {}, answer: { status: 401, code: 'auth.tenant_unknown' }, requirement: 'SPEC-5' },
];

const ROLE: readonly DecisionRule[] = [
  {
    when: { provider: OPEN_MODES, route: 'preview_reorder' },
    answer: 'pass',
    requirement: 'an addition: a preview changes nothing, so SPEC-76 does not concern it',
  },
  {
    when: {
      provider: OPEN_MODES,
      open_writes: 'deny',
      class: ['layer_write', 'reorder', 'admin'],
      changes: 'yes',
    },
    answer: forbidden,
    requirement: 'SPEC-76, a departure from Layer write authorization 6 and Local-source 7',
  },
  {
    when: { narrowed: 'yes', class: ['layer_write', 'reorder', 'events'] },
    answer: forbidden,
    requirement: 'SPEC-12: the view is cut, and nothing else is granted',
  },
  { when: { class: 'operator', operator: 'yes' }, answer: 'pass', requirement: 'Roles' },
  { when: { class: 'operator' }, answer: forbidden, requirement: 'without the operator role' },
  { when: { class: 'admin', provider: 'none' }, answer: 'pass', requirement: 'SPEC-1' },
  { when: { class: 'admin', provider: 'public' }, answer: forbidden, requirement: 'SPEC-1' },
  { when: { class: 'admin', admin: 'yes' }, answer: 'pass', requirement: 'Roles' },
  {
    when: { class: 'admin' },
    answer: forbidden,
    requirement: 'admin-only operation by a non-admin',
  },
  { when: { override: 'yes', provider: 'none' }, answer: 'pass', requirement: 'SPEC-1' },
  { when: { override: 'yes', provider: 'public' }, answer: forbidden, requirement: 'SPEC-1' },
  {
    when: { override: 'yes', admin: 'yes' },
    answer: 'pass',
    requirement: 'search_artifacts rule 1',
  },
  { when: { override: 'yes' }, answer: forbidden, requirement: 'search_artifacts rule 1' },
  { when: { class: 'events', provider: OPEN_MODES }, answer: 'pass', requirement: 'SPEC-11' },
  { when: { class: 'events', verdict: 'subject' }, answer: 'pass', requirement: 'SPEC-11' },
  { when: { class: 'events' }, answer: forbidden, requirement: 'SPEC-11' },
];

const STAGES = [
  ORIGIN_GATE,
  MOUNTED,
  CREDENTIAL,
  TENANT,
  ROLE,
  MALFORMED_REGISTRATION,
  WRITE_RULE,
  LOCAL_SOURCE,
  ADMIN_ONLY_FIELDS,
  STATE,
  ARGUMENTS,
  DELIVERY,
  READ,
  DONE,
];

export function expectedOf(cell: Cell): Outcome {
  const facts = factsOf(cell);
  const seen = isSeen(facts) ? 'yes' : 'no';
  for (const stage of STAGES) {
    const answer = firstMatchingRule(stage, { ...facts, seen })?.answer ?? 'pass';
    if (answer !== 'pass') return answer;
  }
  throw new Error('the last stage has a row for everything');
}

export function isVisible(cell: Cell): boolean {
  return isSeen(factsOf(cell));
}

export function maySeeHostPaths(cell: Cell): boolean {
  return shows(HOST_PATHS, factsOf(cell));
}

function isSeen(facts: Facts): boolean {
  return shows(VISIBILITY, facts);
}

function shows(table: readonly DecisionRule[], facts: Facts): boolean {
  const row = firstMatchingRule(table, facts);
  return row !== undefined && row.answer !== 'pass' && row.answer.shows === true;
}
