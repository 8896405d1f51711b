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
import { checkRules, type PlanFacts, type Question, type RequestFacts, type Rule } from './rule.ts';

// The safety of a sync: docs/guide/what-catalog-may-touch.md as code. Rules are pure functions. The
// first refusal ends the run before anything is written, and the user is asked only after all rules
// of all folders passed. Consent to folders, paths and executable content follows (`trust/approve-*`).

/** Before artifacts are loaded. */
const REQUEST_RULES: readonly Rule<RequestFacts>[] = [
  refuseUnmatched, // --approve names nothing
  refuseUnknown, // an id of the command line names nothing
  refuseNotLoaded, // --release names nothing that an agent loaded
];

/** The content that the registry offers. */
const OFFER_RULES: readonly Rule<PlanFacts>[] = [
  refuseDegraded, // --strict, and a harness loads an artifact differently
  refuseUnexpected, // other content under a locked version, or a lower version
  refuseMismatch, // --locked, and the registry differs from the lock
];

/** Files that already exist. Applies to every plan, also to those of agents and of `--remove`. */
const PLACE_RULES: readonly Rule<Pick<PlanFacts, 'plan'>>[] = [
  refuseClashes, // the user's file with other content, a link, a folder or a device
  refuseReadOnly, // a shared file without write permission
  refuseForbiddenPaths, // anything inside .git, .hg, .svn or .jj
];

/** Files that would be removed. A shrinking view is not a command to delete (SPEC-73). */
const REMOVAL_RULES: readonly Rule<PlanFacts>[] = [
  refuseOtherIdentity, // files that only the caller of the last sync could see
  refuseMassRemoval, // all files, or more than half of many
  confirmReplacedHarnesses, // files of a harness that --harness leaves out
];

const SYNC_RULES: readonly Rule<PlanFacts>[] = [
  ...OFFER_RULES,
  ...PLACE_RULES,
  confirmRecovery, // --recover records files as created by catalog
  ...REMOVAL_RULES,
  confirmFirstWrite, // the first write into the home folder
];

const MARKETPLACE_RULES: readonly Rule<PlanFacts>[] = [
  ...OFFER_RULES,
  ...PLACE_RULES,
  ...REMOVAL_RULES,
];

/** Executable content. */
const CONTENT_RULES: readonly Rule<RunContent>[] = [
  refuseDenied, // a policy denies it
];

declare const checked: unique symbol;

/** A plan that passed its rules. `applyDirectory` accepts no other, and only this file makes one. */
export type CheckedPlan = DirectoryPlan & { readonly [checked]: true };

/** A plan that passed its rules, with the questions that are still open. */
export interface CheckedSync {
  plan: CheckedPlan;
  questions: Question[];
}

export function checkRequest(facts: RequestFacts): void {
  checkRules(REQUEST_RULES, facts);
}

export function checkSync(facts: PlanFacts): CheckedSync {
  const questions = checkRules(SYNC_RULES, facts);
  return { plan: pass(facts.plan), questions };
}

export function checkMarketplace(facts: PlanFacts): CheckedSync {
  const questions = checkRules(MARKETPLACE_RULES, facts);
  return { plan: pass(facts.plan), questions };
}

export function checkContent(content: RunContent): void {
  checkRules(CONTENT_RULES, content);
}

/** Checks a plan that follows no registry: a removal, an entry of catalog's own, a load of an agent. */
export function checkPlan(plan: DirectoryPlan): CheckedPlan {
  checkRules(PLACE_RULES, { plan });
  return pass(plan);
}

/** Checks the plan of an undo, which touches only files that are as the last sync left them. */
export function checkUndo(plan: DirectoryPlan): CheckedPlan {
  checkRules([refuseForbiddenPaths], { plan });
  return pass(plan);
}

/** Asks the user one question after the other. */
export async function askUser(questions: readonly Question[]): Promise<void> {
  for (const { ask, refusal } of questions) if (!(await ask())) throw refusal;
}

function pass(plan: DirectoryPlan): CheckedPlan {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the brand has no run-time form
  return plan as CheckedPlan;
}
