import type { DetailedLayer, RegisteredLayer } from '@catalog/contract/records/layer';
import type { Posture } from '@catalog/contract/records/access';
import { escapeControls } from '@catalog/contract/text/escape-controls';
import { useQuery } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { Link, useLocation } from 'wouter';
import { changes } from '../../api/changes.ts';
import { layersQuery, sessionQuery } from '../../api/queries.ts';
import { layerHref } from '../../app/links.ts';
import { useTitle } from '../../app/title.ts';
import { Notice, Skeleton } from '../../parts/notice.tsx';
import { QueryView } from '../../parts/query-view.tsx';
import {
  mustRegisterAgain,
  rightsOf,
  toDraft,
  toRegistration,
  toUpdate,
  type LayerDraft,
} from './layer-draft.ts';
import { LayerForm } from './layer-form.tsx';
import { mayChangeLayer } from './may-change-layer.ts';
import { RegisteredResult } from './registered-result.tsx';
import { useLayerChange } from './use-layer-change.ts';
import * as crumbsStyles from '../../parts/crumbs.module.css';
import * as pageStyles from '../../parts/page.module.css';

export function EditPage({ id }: { id: string }): ReactElement {
  useTitle(`Edit ${id}`);
  const layers = useQuery(layersQuery());
  const session = useQuery(sessionQuery);
  const loading = <Skeleton label="Loading the layer" lines={8} />;
  return (
    <div className={pageStyles.narrow}>
      <nav className={crumbsStyles.crumbs} aria-label="Layers">
        <Link href="/layers">Layers</Link>
        <i aria-hidden="true">/</i>
        <Link href={layerHref(id)}>{escapeControls(id)}</Link>
        <i aria-hidden="true">/</i>
        <span aria-current="page">edit</span>
      </nav>
      <QueryView query={session} loading={loading}>
        {(posture) => (
          <QueryView query={layers} loading={loading}>
            {({ layers: list }) => {
              const layer = list.find((one) => one.id === id);
              return layer === undefined || !mayChangeLayer(layer, posture) ? (
                <Notice level={1} title="You cannot edit this layer">
                  It does not exist, or only its owner and administrators can change it.
                </Notice>
              ) : (
                <Editor layer={layer} posture={posture} order={list.map((one) => one.id)} />
              );
            }}
          </QueryView>
        )}
      </QueryView>
    </div>
  );
}

function Editor({
  layer,
  posture,
  order,
}: {
  layer: DetailedLayer;
  posture: Posture;
  /** Ids of all layers, lowest precedence first. */
  order: string[];
}): ReactElement {
  const [, navigate] = useLocation();
  const rights = rightsOf(posture);
  const save = useLayerChange(async (draft: LayerDraft): Promise<RegisteredLayer | undefined> => {
    if (!mustRegisterAgain(draft, layer)) {
      await changes.updateLayer({ id: layer.id, body: toUpdate(draft, layer) });
      navigate(layerHref(layer.id));
      return undefined;
    }
    const registered = await changes.registerLayer(toRegistration(draft, layer));
    // A registration moves the layer to the end, so the former order is restored.
    if (rights.is_admin) await changes.reorderLayers(order);
    return registered;
  });
  if (save.data !== undefined) {
    return (
      <RegisteredResult
        title={`${layer.id} was registered again`}
        lead="An ingest of the new source has started."
        result={save.data}
      />
    );
  }
  return (
    <>
      <h1>Edit {escapeControls(layer.id)}</h1>
      <LayerForm
        initial={toDraft(layer)}
        layer={layer}
        rights={rights}
        submitLabel="Save the changes"
        isPending={save.isPending}
        error={save.error}
        onSubmit={(draft) => save.mutate(draft)}
      />
    </>
  );
}
