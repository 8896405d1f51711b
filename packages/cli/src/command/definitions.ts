import {
  adminAdminsDefinition,
  adminGrantDefinition,
  adminRevokeDefinition,
  adminShowEffectiveDefinition,
} from '../commands/admin/access-definition.ts';
import { adminGcDefinition } from '../commands/admin/gc-definition.ts';
import {
  adminBackupDefinition,
  adminMigrateDefinition,
  adminMigrateToStandardDefinition,
  adminRestoreDefinition,
  adminVerifyDefinition,
} from '../commands/admin/definition.ts';
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
import { budgetDefinition } from '../commands/budget/definition.ts';
import { cachePruneDefinition, cacheStatusDefinition } from '../commands/cache/definition.ts';
import { completionDefinition } from '../commands/completion/definition.ts';
import { configShowDefinition } from '../commands/config/definition.ts';
import {
  domainAnalyzeDefinition,
  domainListDefinition,
  domainSearchDefinition,
} from '../commands/domain/definition.ts';
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
import { versionDefinition } from '../commands/version/definition.ts';
import { warningsDefinition } from '../commands/warnings/definition.ts';
import { whyDefinition, whySearchDefinition } from '../commands/why/definition.ts';
import type { CommandDefinition } from './definition.ts';

/**
 * Every command, in the order help shows them. Help, completion and `docs/reference/commands.md`
 * are derived from this list; it imports no code of a command.
 */
export const definitions: readonly CommandDefinition[] = [
  initDefinition,
  loginDefinition,
  logoutDefinition,
  whoamiDefinition,
  syncDefinition,
  syncEnableDefinition,
  syncDisableDefinition,
  outdatedDefinition,
  updateDefinition,
  undoDefinition,
  mcpConfigDefinition,
  mcpDoctorDefinition,
  artifactNewDefinition,
  adoptDefinition,
  lintDefinition,
  testDefinition,
  similarDefinition,
  serveDefinition,
  layerRegisterDefinition,
  layerListDefinition,
  layerUpdateDefinition,
  layerReorderDefinition,
  layerReingestDefinition,
  layerIngestsDefinition,
  layerRemoveDefinition,
  layerRestoreDefinition,
  adminMigrateDefinition,
  adminVerifyDefinition,
  adminBackupDefinition,
  adminRestoreDefinition,
  adminMigrateToStandardDefinition,
  adminGcDefinition,
  adminReembedDefinition,
  adminGrantDefinition,
  adminRevokeDefinition,
  adminAdminsDefinition,
  adminShowEffectiveDefinition,
  adminRuntimeRegisterDefinition,
  adminTenantListDefinition,
  adminTenantCreateDefinition,
  adminTenantUpdateDefinition,
  adminTenantDeactivateDefinition,
  adminTenantActivateDefinition,
  searchDefinition,
  searchEvalDefinition,
  showDefinition,
  domainListDefinition,
  domainSearchDefinition,
  domainAnalyzeDefinition,
  quotaDefinition,
  statusDefinition,
  warningsDefinition,
  configShowDefinition,
  whyDefinition,
  whySearchDefinition,
  trustListDefinition,
  trustShowDefinition,
  trustApproveDefinition,
  trustRevokeDefinition,
  harnessListDefinition,
  harnessShowDefinition,
  budgetDefinition,
  cacheStatusDefinition,
  cachePruneDefinition,
  versionDefinition,
  helpDefinition,
  completionDefinition,
];
