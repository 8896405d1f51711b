import type { IngestJob } from '@catalog/contract/records/ingest';
import type { DetailedLayer } from '@catalog/contract/records/layer';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState, type ReactElement } from 'react';
import { Button } from 'react-aria-components/Button';
import { GridList, GridListItem } from 'react-aria-components/GridList';
import { useDragAndDrop } from 'react-aria-components/useDragAndDrop';
import { Link } from 'wouter';
import { changes } from '../../api/changes.ts';
import { ingestsQuery, layersQuery, sessionQuery } from '../../api/queries.ts';
import { useRegistryState } from '../../api/registry-state.ts';
import { layerHref } from '../../app/links.ts';
import { useTitle } from '../../app/title.ts';
import { Failure } from '../../parts/failure.tsx';
import { Dot } from '../../parts/dot.tsx';
import { countOf } from '../../parts/format.ts';
import { Icon } from '../../parts/icon.tsx';
import { sourceOf } from '../../parts/layer-source.ts';
import { Notice, Skeleton } from '../../parts/notice.tsx';
import { QueryView } from '../../parts/query-view.tsx';
import { visibilityOf } from '../../parts/visibility.ts';
import { HEALTH_NAMES, healthOf, IngestSummary, problemsOf } from './ingest-state.tsx';
import { ProblemList } from './problem-list.tsx';
import { RemovedLayers } from './removed-layers.tsx';
import { ReorderDialog } from './reorder-dialog.tsx';
import { useLayerChange, useRefreshAfterIngest } from './use-layer-change.ts';
import { classes } from '../../parts/classes.ts';
import * as buttonStyles from '../../parts/button.module.css';
import * as chipStyles from '../../parts/chip.module.css';
import * as pageStyles from '../../parts/page.module.css';
import * as textStyles from '../../parts/text.module.css';
import * as styles from './layers-page.module.css';

const SHOWN_PROBLEMS = 2;

export function LayersPage(): ReactElement {
  useTitle('Layers');
  const layers = useQuery(layersQuery());
  const { read_only_lag_seconds } = useRegistryState();
  const isReadOnly = read_only_lag_seconds !== undefined;
  return (
    <div className={pageStyles.page}>
      <div className={styles.head}>
        <div>
          <h1>Layers</h1>
          <p className={pageStyles.lead}>
            An artifact can extend the one with the same id in a layer below, and then replaces it.
          </p>
        </div>
        {isReadOnly ? (
          <Button className={buttonStyles.button} isDisabled>
            Add a layer
          </Button>
        ) : (
          <Link className={buttonStyles.primary} href="/layers/new">
            Add a layer
          </Link>
        )}
      </div>
      <QueryView query={layers} loading={<Skeleton label="Loading layers" lines={8} />}>
        {({ layers: list }) =>
          list.length === 0 ? (
            <Notice
              title="No layers"
              action={
                <Link className={buttonStyles.primary} href="/layers/new">
                  Add a layer
                </Link>
              }
            >
              None that you can see. A layer is a git repository or a folder with artifacts.
            </Notice>
          ) : (
            <LayerList layers={list} isReadOnly={isReadOnly} />
          )
        }
      </QueryView>
      <RemovedLayers isReadOnly={isReadOnly} />
    </div>
  );
}

/** Shows layers, highest precedence first. The registry lists the lowest first. */
function LayerList({
  layers,
  isReadOnly,
}: {
  layers: readonly DetailedLayer[];
  isReadOnly: boolean;
}): ReactElement {
  const served = layers.toReversed();
  const ingests = useQuery(ingestsQuery(''));
  useRefreshAfterIngest(layers, ingests);
  const session = useQuery(sessionQuery);
  const mayReorder =
    !isReadOnly && session.data?.layer_capabilities.manage_any_layer === true && served.length > 1;
  const [moved, setMoved] = useState<DetailedLayer[]>();
  const reorder = useLayerChange(changes.reorderLayers);
  const list = useRef<HTMLDivElement>(null);
  const movedId = useRef<string>(undefined);
  // The target of the drop is gone when the dialog closes, so the focus returns to the layer.
  useEffect(() => {
    if (moved !== undefined || movedId.current === undefined) return;
    const key = CSS.escape(movedId.current);
    list.current?.querySelector<HTMLElement>(`[role=row][data-key="${key}"]`)?.focus();
    movedId.current = undefined;
  }, [moved]);
  const shown = moved ?? served;
  const latest = new Map<string, IngestJob>();
  for (const job of ingests.data?.ingests ?? []) {
    if (!latest.has(job.layer)) latest.set(job.layer, job);
  }
  const { dragAndDropHooks } = useDragAndDrop({
    isDisabled: !mayReorder,
    getItems: (keys) => [...keys].map((key) => ({ 'text/plain': String(key) })),
    onReorder: ({ keys, target }) => {
      const taken = shown.filter(({ id }) => keys.has(id));
      const rest = shown.filter(({ id }) => !keys.has(id));
      const at = rest.findIndex(({ id }) => id === target.key);
      rest.splice(target.dropPosition === 'before' ? at : at + 1, 0, ...taken);
      const isNew = rest.some(({ id }, place) => id !== served[place]?.id);
      if (isNew) movedId.current = taken[0]?.id;
      setMoved(isNew ? rest : undefined);
    },
  });
  // States and handles of the rows would move the list if they came later.
  if (ingests.isPending || session.isPending) return <Skeleton label="Loading layers" lines={8} />;
  return (
    <>
      <p className={textStyles.meta}>
        {countOf(served.length, 'layer')}, highest precedence first
        {mayReorder && <span>Drag the handle, or press Enter on it, to reorder</span>}
      </p>
      {reorder.error !== null && <Failure error={reorder.error} />}
      <div className={styles.columns} aria-hidden="true">
        <span />
        <span>Layer</span>
        <span>Source</span>
        <span>Visible to</span>
        <span>Last ingest</span>
      </div>
      <GridList
        ref={list}
        className={styles.list}
        aria-label="Layers"
        items={shown}
        dragAndDropHooks={dragAndDropHooks}
        dependencies={[latest, mayReorder]}
      >
        {(layer) => (
          <LayerRow
            layer={layer}
            job={latest.get(layer.id)}
            mayReorder={mayReorder}
            rank={rankOf(layer, shown)}
          />
        )}
      </GridList>
      {moved !== undefined && (
        <ReorderDialog
          before={served}
          after={moved}
          isPending={reorder.isPending}
          onCancel={() => setMoved(undefined)}
          onConfirm={() => {
            const order = moved.map(({ id }) => id).reverse();
            reorder.mutate(order, { onSettled: () => setMoved(undefined) });
          }}
        />
      )}
    </>
  );
}

function rankOf(layer: DetailedLayer, layers: readonly DetailedLayer[]): string {
  if (layers.length < 2) return '';
  if (layer.id === layers[0]?.id) return 'highest';
  return layer.id === layers.at(-1)?.id ? 'lowest' : '';
}

function LayerRow({
  layer,
  job,
  mayReorder,
  rank,
}: {
  layer: DetailedLayer;
  job: IngestJob | undefined;
  mayReorder: boolean;
  rank: string;
}): ReactElement {
  const health = healthOf(job);
  const source = sourceOf(layer);
  return (
    <GridListItem
      id={layer.id}
      textValue={layer.id}
      className={styles.layer}
      href={layerHref(layer.id)}
    >
      {mayReorder ? (
        <Button
          slot="drag"
          className={classes(buttonStyles.iconButton, styles.handle)}
          aria-label={`Move ${layer.id}`}
        >
          <Icon name="drag" />
        </Button>
      ) : (
        <span />
      )}
      <div className={styles.name}>
        <Dot state={health} title={HEALTH_NAMES[health]} />
        <div>
          <b>{layer.id}</b>
          <span className={textStyles.visuallyHidden}>, {HEALTH_NAMES[health]}</span>
          {rank !== '' && <small>{rank}</small>}
          {layer.artifact_count !== undefined && (
            <small>{countOf(layer.artifact_count, 'artifact')}</small>
          )}
        </div>
      </div>
      <div className={styles.source}>
        {source === '' ? (
          <span className={textStyles.dim}>{layer.source_type}</span>
        ) : (
          <code>{source}</code>
        )}
      </div>
      <div className={styles.visible}>
        <span className={chipStyles.chip}>{visibilityOf(layer)}</span>
      </div>
      <div className={styles.ingest}>
        <IngestSummary job={job} />
      </div>
      {job !== undefined && (
        <div className={styles.problems}>
          <ProblemList job={job} layer={layer} problems={problemsOf(job)} shown={SHOWN_PROBLEMS} />
        </div>
      )}
    </GridListItem>
  );
}
