import {
  adminAccessReviewDefinition,
  adminAdminsDefinition,
  adminGrantDefinition,
  adminRevokeDefinition,
  adminShowEffectiveDefinition,
} from '../commands/admin/access-definition.ts';
import { adminAdoptBucketDefinition } from '../commands/admin/adopt-bucket-definition.ts';
import { adminGcDefinition } from '../commands/admin/gc-definition.ts';
import {
  adminBackupDefinition,
  adminMigrateDefinition,
  adminMigrateToStandardDefinition,
  adminRestoreDefinition,
  adminVerifyDefinition,
} from '../commands/admin/definition.ts';
import { adminPurgeDefinition } from '../commands/admin/purge-definition.ts';
import {
  adminKeysListDefinition,
  adminKeysRetireDefinition,
  adminKeysRotateDefinition,
  adminSignDefinition,
} from '../commands/admin/keys/definition.ts';
import { adminReembedDefinition } from '../commands/admin/reembed-definition.ts';
import { adminRuntimeRegisterDefinition } from '../commands/admin/runtime/definition.ts';
import {
  adminTenantActivateDefinition,
  adminTenantCreateDefinition,
  adminTenantDeactivateDefinition,
  adminTenantListDefinition,
  adminTenantUpdateDefinition,
} from '../commands/admin/tenant/definition.ts';
import { adoptDefinition } from '../commands/adopt/definition.ts';
import { artifactNewDefinition } from '../commands/artifact/definition.ts';
import {
  auditExportDefinition,
  auditSearchDefinition,
  auditTailDefinition,
  auditWhoDefinition,
} from '../commands/audit/definition.ts';
import { budgetDefinition } from '../commands/budget/definition.ts';
import { cachePruneDefinition, cacheStatusDefinition } from '../commands/cache/definition.ts';
import { completionDefinition } from '../commands/completion/definition.ts';
import { configShowDefinition } from '../commands/config/definition.ts';
import {
  domainAnalyzeDefinition,
  domainListDefinition,
  domainSearchDefinition,
} from '../commands/domain/definition.ts';
import {
  freezeApproveDefinition,
  freezeListDefinition,
  freezeRemoveDefinition,
  freezeSetDefinition,
  freezeStatusDefinition,
} from '../commands/freeze/definition.ts';
import { harnessListDefinition, harnessShowDefinition } from '../commands/harness/definition.ts';
import { helpDefinition } from '../commands/help/definition.ts';
import {
  loginDefinition,
  logoutDefinition,
  whoamiDefinition,
} from '../commands/identity/definition.ts';
import { initDefinition } from '../commands/init/definition.ts';
import {
  layerIngestsDefinition,
  layerListDefinition,
  layerRegisterDefinition,
  layerReingestDefinition,
  layerRemoveDefinition,
  layerReorderDefinition,
  layerRestoreDefinition,
  layerUpdateDefinition,
} from '../commands/layer/definition.ts';
import { lintDefinition } from '../commands/lint/definition.ts';
import { mcpConfigDefinition, mcpDoctorDefinition } from '../commands/mcp/definition.ts';
import { openDefinition } from '../commands/open/definition.ts';
import { outdatedDefinition } from '../commands/outdated/definition.ts';
import { quotaDefinition } from '../commands/quota/definition.ts';
import { searchDefinition, searchEvalDefinition } from '../commands/search/definition.ts';
import { serveDefinition } from '../commands/serve/definition.ts';
import { showDefinition } from '../commands/show/definition.ts';
import { similarDefinition } from '../commands/similar/definition.ts';
import { statusDefinition } from '../commands/status/definition.ts';
import {
  syncDefinition,
  syncDisableDefinition,
  syncEnableDefinition,
} from '../commands/sync/definition.ts';
import { testDefinition } from '../commands/test/definition.ts';
import {
  trustApproveDefinition,
  trustListDefinition,
  trustRevokeDefinition,
  trustShowDefinition,
} from '../commands/trust/definition.ts';
import { undoDefinition } from '../commands/undo/definition.ts';
import { updateDefinition } from '../commands/update/definition.ts';
import { usageDefinition } from '../commands/usage/definition.ts';
import { versionDefinition } from '../commands/version/definition.ts';
import { warningsDefinition } from '../commands/warnings/definition.ts';
import {
  webhookCreateDefinition,
  webhookDeleteDefinition,
  webhookDeliveriesDefinition,
  webhookListDefinition,
  webhookListenDefinition,
  webhookRecoverDefinition,
  webhookRedeliverDefinition,
  webhookShowDefinition,
  webhookTestDefinition,
  webhookUpdateDefinition,
} from '../commands/webhook/definition.ts';
import { whyDefinition, whySearchDefinition } from '../commands/why/definition.ts';
import type { CommandDefinition, CommandInput } from './definition.ts';
import type { CommandResult, Session } from './session.ts';

interface CommandModule<D extends CommandDefinition> {
  run: (input: CommandInput<D>, session: Session) => CommandResult | Promise<CommandResult>;
}

/** Parameter, so that the table does not load the parser. */
export type ReadInput = <D extends CommandDefinition>(definition: D) => CommandInput<D>;

/** Command of the CLI: its definition, and a function that loads and runs its module. */
export interface Command {
  definition: CommandDefinition;
  run: (readInput: ReadInput, session: Session) => Promise<CommandResult>;
}

function command<D extends CommandDefinition>(
  definition: D,
  load: () => Promise<CommandModule<D>>,
): Command {
  return {
    definition,
    async run(readInput, session) {
      const input = readInput(definition);
      const { run } = await load();
      return run(input, session);
    },
  };
}

/** All commands in the order of help. The code of a command is loaded only to run it. */
export const commands: readonly Command[] = [
  command(initDefinition, () => import('../commands/init/init.ts')),
  command(loginDefinition, () => import('../commands/identity/login.ts')),
  command(logoutDefinition, () => import('../commands/identity/logout.ts')),
  command(whoamiDefinition, () => import('../commands/identity/whoami.ts')),
  command(syncDefinition, () => import('../commands/sync/sync.ts')),
  command(syncEnableDefinition, () => import('../commands/sync/enable.ts')),
  command(syncDisableDefinition, () => import('../commands/sync/disable.ts')),
  command(outdatedDefinition, () => import('../commands/outdated/outdated.ts')),
  command(updateDefinition, () => import('../commands/update/update.ts')),
  command(undoDefinition, () => import('../commands/undo/undo.ts')),
  command(mcpConfigDefinition, () => import('../commands/mcp/config.ts')),
  command(mcpDoctorDefinition, () => import('../commands/mcp/doctor.ts')),
  command(artifactNewDefinition, () => import('../commands/artifact/new.ts')),
  command(adoptDefinition, () => import('../commands/adopt/adopt.ts')),
  command(lintDefinition, () => import('../commands/lint/lint.ts')),
  command(testDefinition, () => import('../commands/test/test.ts')),
  command(similarDefinition, () => import('../commands/similar/similar.ts')),
  command(serveDefinition, () => import('../commands/serve/serve.ts')),
  command(layerRegisterDefinition, () => import('../commands/layer/register.ts')),
  command(layerListDefinition, () => import('../commands/layer/list.ts')),
  command(layerUpdateDefinition, () => import('../commands/layer/update.ts')),
  command(layerReorderDefinition, () => import('../commands/layer/reorder.ts')),
  command(layerReingestDefinition, () => import('../commands/layer/reingest.ts')),
  command(layerIngestsDefinition, () => import('../commands/layer/ingests.ts')),
  command(layerRemoveDefinition, () => import('../commands/layer/remove.ts')),
  command(layerRestoreDefinition, () => import('../commands/layer/restore.ts')),
  command(webhookCreateDefinition, () => import('../commands/webhook/create.ts')),
  command(webhookListDefinition, () => import('../commands/webhook/list.ts')),
  command(webhookShowDefinition, () => import('../commands/webhook/show.ts')),
  command(webhookUpdateDefinition, () => import('../commands/webhook/update.ts')),
  command(webhookDeleteDefinition, () => import('../commands/webhook/delete.ts')),
  command(webhookTestDefinition, () => import('../commands/webhook/test.ts')),
  command(webhookDeliveriesDefinition, () => import('../commands/webhook/deliveries.ts')),
  command(webhookRedeliverDefinition, () => import('../commands/webhook/redeliver.ts')),
  command(webhookRecoverDefinition, () => import('../commands/webhook/recover.ts')),
  command(webhookListenDefinition, () => import('../commands/webhook/listen.ts')),
  command(adminMigrateDefinition, () => import('../commands/admin/migrate.ts')),
  command(adminVerifyDefinition, () => import('../commands/admin/verify.ts')),
  command(adminBackupDefinition, () => import('../commands/admin/backup.ts')),
  command(adminRestoreDefinition, () => import('../commands/admin/restore.ts')),
  command(
    adminMigrateToStandardDefinition,
    () => import('../commands/admin/migrate-to-standard.ts'),
  ),
  command(adminAdoptBucketDefinition, () => import('../commands/admin/adopt-bucket.ts')),
  command(adminGcDefinition, () => import('../commands/admin/gc.ts')),
  command(adminSignDefinition, () => import('../commands/admin/keys/sign.ts')),
  command(adminKeysListDefinition, () => import('../commands/admin/keys/list.ts')),
  command(adminKeysRotateDefinition, () => import('../commands/admin/keys/rotate.ts')),
  command(adminKeysRetireDefinition, () => import('../commands/admin/keys/retire.ts')),
  command(adminReembedDefinition, () => import('../commands/admin/reembed.ts')),
  command(adminGrantDefinition, () => import('../commands/admin/grant.ts')),
  command(adminRevokeDefinition, () => import('../commands/admin/revoke.ts')),
  command(adminAdminsDefinition, () => import('../commands/admin/admins.ts')),
  command(adminAccessReviewDefinition, () => import('../commands/admin/access-review.ts')),
  command(adminShowEffectiveDefinition, () => import('../commands/admin/show-effective.ts')),
  command(adminPurgeDefinition, () => import('../commands/admin/purge.ts')),
  command(freezeListDefinition, () => import('../commands/freeze/list.ts')),
  command(freezeSetDefinition, () => import('../commands/freeze/set.ts')),
  command(freezeRemoveDefinition, () => import('../commands/freeze/remove.ts')),
  command(freezeStatusDefinition, () => import('../commands/freeze/status.ts')),
  command(freezeApproveDefinition, () => import('../commands/freeze/approve.ts')),
  command(auditTailDefinition, () => import('../commands/audit/tail.ts')),
  command(auditSearchDefinition, () => import('../commands/audit/search.ts')),
  command(auditExportDefinition, () => import('../commands/audit/export.ts')),
  command(auditWhoDefinition, () => import('../commands/audit/who.ts')),
  command(adminRuntimeRegisterDefinition, () => import('../commands/admin/runtime/register.ts')),
  command(adminTenantListDefinition, () => import('../commands/admin/tenant/list.ts')),
  command(adminTenantCreateDefinition, () => import('../commands/admin/tenant/create.ts')),
  command(adminTenantUpdateDefinition, () => import('../commands/admin/tenant/update.ts')),
  command(adminTenantDeactivateDefinition, () => import('../commands/admin/tenant/deactivate.ts')),
  command(adminTenantActivateDefinition, () => import('../commands/admin/tenant/activate.ts')),
  command(searchDefinition, () => import('../commands/search/search.ts')),
  command(searchEvalDefinition, () => import('../commands/search/eval.ts')),
  command(showDefinition, () => import('../commands/show/show.ts')),
  command(openDefinition, () => import('../commands/open/open.ts')),
  command(domainListDefinition, () => import('../commands/domain/list.ts')),
  command(domainSearchDefinition, () => import('../commands/domain/search.ts')),
  command(domainAnalyzeDefinition, () => import('../commands/domain/analyze.ts')),
  command(usageDefinition, () => import('../commands/usage/usage.ts')),
  command(quotaDefinition, () => import('../commands/quota/quota.ts')),
  command(statusDefinition, () => import('../commands/status/status.ts')),
  command(warningsDefinition, () => import('../commands/warnings/warnings.ts')),
  command(configShowDefinition, () => import('../commands/config/show.ts')),
  command(whyDefinition, () => import('../commands/why/why.ts')),
  command(whySearchDefinition, () => import('../commands/why/search.ts')),
  command(trustListDefinition, () => import('../commands/trust/list.ts')),
  command(trustShowDefinition, () => import('../commands/trust/show.ts')),
  command(trustApproveDefinition, () => import('../commands/trust/approve.ts')),
  command(trustRevokeDefinition, () => import('../commands/trust/revoke.ts')),
  command(harnessListDefinition, () => import('../commands/harness/list.ts')),
  command(harnessShowDefinition, () => import('../commands/harness/show.ts')),
  command(budgetDefinition, () => import('../commands/budget/budget.ts')),
  command(cacheStatusDefinition, () => import('../commands/cache/status.ts')),
  command(cachePruneDefinition, () => import('../commands/cache/prune.ts')),
  command(versionDefinition, () => import('../commands/version/version.ts')),
  command(helpDefinition, () => import('../commands/help/help.ts')),
  command(completionDefinition, () => import('../commands/completion/completion.ts')),
];

/** Definitions of all commands, for the parser and the help. */
export const definitions: readonly CommandDefinition[] = commands.map(
  ({ definition }) => definition,
);
