import { expectTypeOf, test } from 'vitest';
import type { LayerNumber } from './layer-number.ts';
import type { Tenant } from './tenant.ts';

test('the compiler rejects a LayerNumber as a Tenant, and the reverse', () => {
  expectTypeOf<LayerNumber>().not.toExtend<Tenant>();
  expectTypeOf<Tenant>().not.toExtend<LayerNumber>();
  expectTypeOf<readonly LayerNumber[]>().not.toExtend<readonly Tenant[]>();
});
