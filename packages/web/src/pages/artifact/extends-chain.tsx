import type { Lineage } from '@catalog/contract/records/artifact';
import { escapeControls } from '@catalog/contract/text/escape-controls';
import type { ReactElement } from 'react';
import { Link } from 'wouter';
import { artifactHref, layerHref } from '../../app/links.ts';
import * as factsStyles from '../../parts/facts.module.css';
import * as plainListStyles from '../../parts/plain-list.module.css';
import * as textStyles from '../../parts/text.module.css';

export function Extends({ lineage }: { lineage: Lineage }): ReactElement | null {
  const { id, layer, parents, fields } = lineage;
  if (parents.length === 0) return null;
  const inherited = fields.filter(({ from }) =>
    from.some((place) => place.id !== id || place.layer !== layer),
  );
  return (
    <section>
      <h2>Extends</h2>
      <ol className={plainListStyles.list}>
        {parents.map((parent) => (
          <li key={`${parent.layer} ${parent.id}`}>
            <ParentLink parent={parent} />
          </li>
        ))}
      </ol>
      {inherited.length > 0 && (
        <>
          <h3>Inherited fields</h3>
          <dl className={factsStyles.wide}>
            {inherited.map(({ name, from }) => (
              <FieldLayers key={name} name={name} from={from} />
            ))}
          </dl>
        </>
      )}
    </section>
  );
}

type Place = Lineage['parents'][number];

export function ParentLink({ parent }: { parent: Place }): ReactElement {
  const { id, version, layer } = parent;
  return (
    <>
      <Link className={textStyles.link} href={artifactHref(id, { version, layer })}>
        {escapeControls(id)}
      </Link>{' '}
      <span className={textStyles.tabular}>{escapeControls(version)}</span>{' '}
      <span className={textStyles.dim}>from {escapeControls(layer)}</span>
    </>
  );
}

function FieldLayers({ name, from }: { name: string; from: readonly Place[] }): ReactElement {
  const layers = [...new Set(from.map(({ layer }) => layer))];
  return (
    <>
      <dt>{escapeControls(name)}</dt>
      <dd>
        {layers.map((layer, at) => (
          <span key={layer}>
            {at > 0 && ', '}
            <Link className={textStyles.link} href={layerHref(layer)}>
              {escapeControls(layer)}
            </Link>
          </span>
        ))}
      </dd>
    </>
  );
}
