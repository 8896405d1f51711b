import { refuseDenied } from '../../trust/approve-content.ts';
import type { RunContent } from '../inspect-plans.ts';
import type { DirectoryPlan } from '../plan-directory.ts';
import { confirmFirstWrite } from './confirm-first-write.ts';
import { confirmRecovery } from './confirm-recovery.ts';
import { refuseDegraded } from './refuse-degraded.ts';
import { refuseMismatch } from './refuse-mismatch.ts';
import { refuseNotLoaded } from './refuse-not-loaded.ts';
import { refuseClashes, refuseForbiddenPaths, refuseReadOnly } from './refuse-places.ts';
import {
  confirmReplacedHarnesses,
  refuseMassRemoval,
  refuseOtherIdentity,
} from './refuse-removal.ts';
import { refuseUnexpected } from './refuse-unexpected.ts';
import { refuseUnknown } from './refuse-unknown.ts';
import { refuseUnmatched } from './refuse-unmatched.ts';
import {
  checkRules,
  type PlanFacts,
  type ConsentPrompt,
  type RequestFacts,
  type Rule,
} from './rule.ts';

// Safety rules of docs/guide/what-catalog-may-touch.md. The first error ends the run before anything is written, and
// prompts are shown after all rules have passed. Consent to folders, paths and executable content follows
// (`trust/approve-*`).

const REQUEST_RULES: readonly Rule<RequestFacts>[] = [
  refuseUnmatched, // --approve matches no artifact
  refuseUnknown,
  refuseNotLoaded, // an id of --release that no agent loaded
];

const OFFER_RULES: readonly Rule<PlanFacts>[] = [
  refuseDegraded, // with --strict, a harness loads an artifact differently than written
  refuseUnexpected, // other content under a locked version, or a lower version
  refuseMismatch, // with --locked, the registry differs from the lock
];

/** Rules for every plan, including those of agents and of `--remove`. */
const PLACE_RULES: readonly Rule<Pick<PlanFacts, 'plan'>>[] = [
  refuseClashes, // the user's file with other content, a link, a folder or a device
  refuseReadOnly, // a shared file without write permission
  refuseForbiddenPaths, // anything inside .git, .hg, .svn or .jj
];

/** Rules for removals: a view that shrinks is not a request to delete (SPEC-73). */
const REMOVAL_RULES: readonly Rule<PlanFacts>[] = [
  refuseOtherIdentity, // files that only the caller of the last sync could see
  refuseMassRemoval, // all files, or more than half of many
  confirmReplacedHarnesses, // files of a harness that --harness does not name
];

const SYNC_RULES: readonly Rule<PlanFacts>[] = [
  ...OFFER_RULES,
  ...PLACE_RULES,
  confirmRecovery, // --recover records files as created by catalog
  ...REMOVAL_RULES,
  confirmFirstWrite,
];

const MARKETPLACE_RULES: readonly Rule<PlanFacts>[] = [
  ...OFFER_RULES,
  ...PLACE_RULES,
  ...REMOVAL_RULES,
];

const CONTENT_RULES: readonly Rule<RunContent>[] = [refuseDenied];

declare const checked: unique symbol;

/** Plan that passed the rules. Only this module creates one, and `applyDirectory` requires it. */
export type CheckedPlan = DirectoryPlan & { readonly [checked]: true };

/** Checked plan, with the prompts that remain. */
export interface CheckedSync {
  plan: CheckedPlan;
  questions: ConsentPrompt[];
}

/** Throws if the request names artifacts that do not exist or do not match. */
export function checkRequest(facts: RequestFacts): void {
  checkRules(REQUEST_RULES, facts);
}

/** Checks the plan of a sync, and returns it with its prompts. */
export function checkSync(facts: PlanFacts): CheckedSync {
  const questions = checkRules(SYNC_RULES, facts);
  return { plan: pass(facts.plan), questions };
}

/** Checks the plan of a marketplace, and returns it with its prompts. */
export function checkMarketplace(facts: PlanFacts): CheckedSync {
  const questions = checkRules(MARKETPLACE_RULES, facts);
  return { plan: pass(facts.plan), questions };
}

/** Throws if a policy denies executable content of the run. */
export function checkContent(content: RunContent): void {
  checkRules(CONTENT_RULES, content);
}

/** Checks the plan of a removal, of an entry, or of an agent's load. */
export function checkPlan(plan: DirectoryPlan): CheckedPlan {
  checkRules(PLACE_RULES, { plan });
  return pass(plan);
}

/** Checks the plan of an undo, which changes only files that are unmodified since the last sync. */
export function checkUndo(plan: DirectoryPlan): CheckedPlan {
  checkRules([refuseForbiddenPaths], { plan });
  return pass(plan);
}

/** Shows the prompts. Throws if the user declines one. */
export async function confirmPrompts(questions: readonly ConsentPrompt[]): Promise<void> {
  for (const { ask, refusal } of questions) if (!(await ask())) throw refusal;
}

function pass(plan: DirectoryPlan): CheckedPlan {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the brand has no run-time form
  return plan as CheckedPlan;
}
