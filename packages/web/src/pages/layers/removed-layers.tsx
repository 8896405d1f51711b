import { useQuery } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { Button } from 'react-aria-components/Button';
import { changes } from '../../api/changes.ts';
import { layersQuery } from '../../api/queries.ts';
import { Failure } from '../../parts/failure.tsx';
import { RelativeTime } from '../../parts/relative-time.tsx';
import { useLayerChange } from './use-layer-change.ts';
import { classes } from '../../parts/classes.ts';
import * as buttonStyles from '../../parts/button.module.css';
import * as plainListStyles from '../../parts/plain-list.module.css';
import * as textStyles from '../../parts/text.module.css';
import * as styles from './removed-layers.module.css';

export function RemovedLayers({ isReadOnly }: { isReadOnly: boolean }): ReactElement | null {
  const { data } = useQuery(layersQuery(true));
  const restore = useLayerChange(changes.restoreLayer);
  if (data === undefined || data.layers.length === 0) return null;
  return (
    <section>
      <h2>Removed</h2>
      <p className={textStyles.note}>
        Nobody sees the artifacts of these layers. You can restore a layer within 30 days.
      </p>
      {restore.error !== null && <Failure error={restore.error} />}
      <ul className={classes(plainListStyles.list, styles.removed)}>
        {data.layers.map(({ id, deleted_at }) => (
          <li key={id}>
            <b>{id}</b>
            {deleted_at !== null && (
              <span className={textStyles.dim}>
                removed <RelativeTime value={deleted_at} />
              </span>
            )}
            <Button
              className={buttonStyles.smallButton}
              isDisabled={isReadOnly || restore.isPending}
              onPress={() => restore.mutate(id)}
              aria-label={`Restore ${id}`}
            >
              Restore
            </Button>
          </li>
        ))}
      </ul>
    </section>
  );
}
