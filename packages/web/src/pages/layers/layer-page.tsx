import type { IngestJob } from '@catalog/contract/records/ingest';
import type { DetailedLayer } from '@catalog/contract/records/layer';
import { escapeControls } from '@catalog/contract/text/escape-controls';
import { useQuery } from '@tanstack/react-query';
import { useState, type ReactElement } from 'react';
import { Button } from 'react-aria-components/Button';
import { Link, useLocation } from 'wouter';
import { changes } from '../../api/changes.ts';
import { ingestsQuery, layersQuery, sessionQuery } from '../../api/queries.ts';
import { useRegistryState } from '../../api/registry-state.ts';
import { layerHref } from '../../app/links.ts';
import { useTitle } from '../../app/title.ts';
import { Failure } from '../../parts/failure.tsx';
import { Dot } from '../../parts/dot.tsx';
import { countOf, formatCount, shortReference } from '../../parts/format.ts';
import { sourceOf } from '../../parts/layer-source.ts';
import { Notice, Skeleton } from '../../parts/notice.tsx';
import { QueryView } from '../../parts/query-view.tsx';
import { RelativeTime } from '../../parts/relative-time.tsx';
import { SignInHint } from '../../parts/sign-in-hint.tsx';
import { visibilityOf, whyVisible } from '../../parts/visibility.ts';
import { ConfirmDialog } from './confirm-dialog.tsx';
import {
  describeReport,
  HEALTH_NAMES,
  healthOf,
  IngestProgress,
  problemsOf,
  type IngestProblem,
} from './ingest-state.tsx';
import { mayChangeLayer } from './may-change-layer.ts';
import { ProblemList } from './problem-list.tsx';
import { useLayerChange, useRefreshAfterIngest } from './use-layer-change.ts';
import { WebhookSteps } from './webhook-steps.tsx';
import { classes } from '../../parts/classes.ts';
import * as buttonStyles from '../../parts/button.module.css';
import * as chipStyles from '../../parts/chip.module.css';
import * as crumbsStyles from '../../parts/crumbs.module.css';
import * as factsStyles from '../../parts/facts.module.css';
import * as pageStyles from '../../parts/page.module.css';
import * as textStyles from '../../parts/text.module.css';
import * as styles from './layer-page.module.css';

export function LayerPage({ id }: { id: string }): ReactElement {
  useTitle(id);
  const layers = useQuery(layersQuery());
  const session = useQuery(sessionQuery);
  const loading = <Skeleton label="Loading the layer" lines={8} />;
  return (
    <div className={pageStyles.page}>
      <nav className={crumbsStyles.crumbs} aria-label="Layers">
        <Link href="/layers">Layers</Link>
        <i aria-hidden="true">/</i>
        <span aria-current="page">{escapeControls(id)}</span>
      </nav>
      <h1>{escapeControls(id)}</h1>
      <QueryView query={layers} loading={loading}>
        {({ layers: list }) => {
          // The actions are above the ingests, which would move if they came later.
          if (session.isPending) return loading;
          const layer = list.find((one) => one.id === id);
          return layer === undefined ? <MissingLayer id={id} /> : <Details layer={layer} />;
        }}
      </QueryView>
    </div>
  );
}

function MissingLayer({ id }: { id: string }): ReactElement {
  return (
    <Notice
      title="There is no such layer"
      action={
        <Link className={buttonStyles.button} href="/layers">
          Show all layers
        </Link>
      }
    >
      <code>{escapeControls(id)}</code> does not exist, was removed, or is not visible to you.{' '}
      <SignInHint />
    </Notice>
  );
}

function Details({ layer }: { layer: DetailedLayer }): ReactElement {
  const session = useQuery(sessionQuery);
  const { read_only_lag_seconds } = useRegistryState();
  const mayChange = session.data !== undefined && mayChangeLayer(layer, session.data);
  const isReadOnly = read_only_lag_seconds !== undefined;
  const source = sourceOf(layer);
  const isOpen =
    session.data !== undefined &&
    (!session.data.identity_provider_configured || session.data.public_mode);
  return (
    <>
      <div className={styles.head}>
        <dl className={factsStyles.wide}>
          <dt>Source</dt>
          <dd>{source === '' ? layer.source_type : <code>{source}</code>}</dd>
          <dt>Visible to</dt>
          <dd>
            <span className={chipStyles.chip}>{visibilityOf(layer)}</span>
          </dd>
          {session.data !== undefined && (
            <>
              <dt>Why you see it</dt>
              <dd>{whyVisible(layer, session.data.subject, isOpen)}</dd>
            </>
          )}
          {layer.last_ingested_ref !== undefined && layer.last_ingested_ref !== '' && (
            <>
              <dt>Commit</dt>
              <dd>
                <code title={layer.last_ingested_ref}>
                  {shortReference(layer.last_ingested_ref)}
                </code>
              </dd>
            </>
          )}
          {layer.artifact_count !== undefined && (
            <>
              <dt>Artifacts</dt>
              <dd>{formatCount(layer.artifact_count)}</dd>
            </>
          )}
          <dt>Added</dt>
          <dd>
            <RelativeTime value={layer.created_at} />
            {layer.owner !== '' && ` by ${layer.owner}`}
          </dd>
        </dl>
        {mayChange && <Actions layer={layer} isReadOnly={isReadOnly} />}
      </div>
      <Ingests layer={layer} />
      {mayChange && layer.source_type === 'git' && (
        <WebhookSteps layer={layer} isReadOnly={isReadOnly} />
      )}
    </>
  );
}

function Actions({
  layer,
  isReadOnly,
}: {
  layer: DetailedLayer;
  isReadOnly: boolean;
}): ReactElement {
  const [, navigate] = useLocation();
  const [isRemoving, setRemoving] = useState(false);
  const reingest = useLayerChange(changes.reingestLayer);
  // Leaves the page before the lists are refreshed, because the page of a removed layer is empty.
  const remove = useLayerChange(async (id: string) => {
    await changes.removeLayer(id);
    navigate('/layers');
  });
  return (
    <div className={styles.actions}>
      <div className={styles.buttons}>
        <Button
          className={buttonStyles.button}
          isDisabled={isReadOnly || reingest.isPending}
          onPress={() => reingest.mutate(layer.id)}
        >
          Ingest now
        </Button>
        {isReadOnly ? (
          <Button className={buttonStyles.button} isDisabled>
            Edit
          </Button>
        ) : (
          <Link className={buttonStyles.button} href={`${layerHref(layer.id)}/edit`}>
            Edit
          </Link>
        )}
        <Button
          className={buttonStyles.danger}
          isDisabled={isReadOnly}
          onPress={() => setRemoving(true)}
        >
          Remove
        </Button>
      </div>
      {reingest.error !== null && <Failure error={reingest.error} />}
      {isRemoving && (
        <ConfirmDialog
          title={`Remove ${layer.id}?`}
          confirm="Remove the layer"
          isPending={remove.isPending}
          error={remove.error}
          onCancel={() => setRemoving(false)}
          onConfirm={() => remove.mutate(layer.id)}
        >
          Its artifacts disappear for everyone, and the next sync removes them from projects. You
          can restore the layer within 30 days.
        </ConfirmDialog>
      )}
    </div>
  );
}

const SHOWN_PROBLEMS = 20;

function Ingests({ layer }: { layer: DetailedLayer }): ReactElement {
  const query = useQuery(ingestsQuery(layer.id));
  useRefreshAfterIngest([layer], query);
  const problems = listNewProblems(query.data?.ingests ?? []);
  return (
    <section>
      <h2>Ingests</h2>
      <QueryView query={query} loading={<Skeleton label="Loading ingests" lines={5} />}>
        {({ ingests }) =>
          ingests.length === 0 ? (
            <Notice title="Not ingested yet">The first ingest starts on its own.</Notice>
          ) : (
            <>
              <p className={textStyles.meta}>{countOf(ingests.length, 'ingest')}, newest first</p>
              <ol className={styles.ingests}>
                {ingests.map((job) => (
                  <Ingest
                    key={job.job}
                    job={job}
                    layer={layer}
                    problems={problems.get(job.job) ?? []}
                  />
                ))}
              </ol>
            </>
          )
        }
      </QueryView>
    </section>
  );
}

/** Maps each ingest to the problems that no later one reports. */
function listNewProblems(ingests: readonly IngestJob[]): ReadonlyMap<string, IngestProblem[]> {
  const reported = new Set<string>();
  const isNew = ({ place, reason }: IngestProblem): boolean => {
    const key = `${place} ${reason}`;
    return reported.size < reported.add(key).size;
  };
  return new Map(ingests.map((job) => [job.job, problemsOf(job).filter(isNew)]));
}

const TRIGGERS: Readonly<Record<IngestJob['trigger'], string>> = {
  register: 'layer added',
  reingest: 'started by hand',
  webhook: 'push',
  poll: 'poll',
  files: 'file change',
  start: 'server start',
  retry: 'a missing parent arrived',
  update: 'layer changed',
  restore: 'layer restored',
};

function Ingest({
  job,
  layer,
  problems,
}: {
  job: IngestJob;
  layer: DetailedLayer;
  problems: readonly IngestProblem[];
}): ReactElement {
  const health = healthOf(job);
  const reference = job.report?.reference ?? '';
  return (
    <li>
      <div className={styles.ingest}>
        <Dot state={health} title={HEALTH_NAMES[health]} />
        {health === 'run' ? (
          <IngestProgress job={job} />
        ) : (
          <>
            <span>{job.state === 'failed' ? 'Failed' : describeReport(job)}</span>
            {reference !== '' && <code title={reference}>{shortReference(reference)}</code>}
          </>
        )}
        <span className={textStyles.dim}>{TRIGGERS[job.trigger]}</span>
        <span className={classes(textStyles.dim, styles.time)}>
          <RelativeTime value={job.finished_at ?? job.created_at} />
        </span>
      </div>
      <ProblemList {...{ job, layer, problems }} shown={SHOWN_PROBLEMS} />
    </li>
  );
}
