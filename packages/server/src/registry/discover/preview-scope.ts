import { CatalogError } from '@catalog/contract/errors/catalog-error';
import type { ScopePreview } from '@catalog/contract/records/discovery';
import type { CallContext, Registry } from '../registry.ts';
import { resolveView } from '../view/resolve-view.ts';

export async function previewScope(
  registry: Registry,
  context: CallContext,
): Promise<ScopePreview> {
  const { tenant, record } = context;
  // The setting of the tenant overrides that of the deployment (ERR-30).
  if (!(record?.expose_scope_preview ?? registry.settings.expose_scope_preview)) {
    throw new CatalogError(
      'config.scope_preview_disabled',
      'Scope previews are disabled on this registry.',
    );
  }
  const { layers, stack, reads } = await resolveView(registry, context);
  const counts = await reads.versions.countView(tenant, stack);
  return { layers: layers.map(({ id }) => id), ...counts };
}
