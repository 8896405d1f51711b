import { sharedFormat } from '../../marketplace/formats/shared.ts';

/** Format of harness-a, harness-b and harness-c (MKT-11). */
export const sharedMarketplace = sharedFormat({
  id: 'harness-a',
  landing: 'harness-a',
  root: '.harness-a',
  manifests: '.harness-a-plugin',
  plugin_root: '${HARNESS_A_PLUGIN_ROOT}',
});
