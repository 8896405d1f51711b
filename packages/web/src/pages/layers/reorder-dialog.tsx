import type { Layer } from '@catalog/contract/records/layer';
import { useQuery } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { Button } from 'react-aria-components/Button';
import { Dialog } from 'react-aria-components/Dialog';
import { Heading } from 'react-aria-components/Heading';
import { Modal, ModalOverlay } from 'react-aria-components/Modal';
import { changes } from '../../api/changes.ts';
import { ArtifactName } from '../../parts/artifact-name.tsx';
import { countOf } from '../../parts/format.ts';
import { Skeleton } from '../../parts/notice.tsx';
import { QueryView } from '../../parts/query-view.tsx';
import * as buttonStyles from '../../parts/button.module.css';
import * as dialogStyles from '../../parts/dialog.module.css';
import * as textStyles from '../../parts/text.module.css';
import * as styles from './reorder-dialog.module.css';

export function ReorderDialog({
  before,
  after,
  isPending,
  onCancel,
  onConfirm,
}: {
  before: readonly Layer[];
  after: readonly Layer[];
  isPending: boolean;
  onCancel: () => void;
  onConfirm: () => void;
}): ReactElement {
  const places = new Map(before.map(({ id }, at) => [id, at]));
  return (
    <ModalOverlay
      className={dialogStyles.overlay}
      isOpen
      isDismissable={!isPending}
      onOpenChange={(isOpen) => isOpen || onCancel()}
    >
      <Modal className={dialogStyles.modal}>
        <Dialog className={dialogStyles.dialog}>
          <Heading slot="title">Change the order of layers?</Heading>
          <p>
            An artifact that extends the one with the same id in a layer below replaces it. A new
            order can change which one users of these layers get with the next sync.
          </p>
          <ol className={styles.order}>
            {after.map(({ id }, at) => (
              <li key={id} className={places.get(id) === at ? undefined : styles.moved}>
                <span>{id}</span>
                <small>{describeMove(places.get(id) ?? at, at)}</small>
              </li>
            ))}
          </ol>
          <Preview order={after.map(({ id }) => id).reverse()} />
          <div className={dialogStyles.actions}>
            <Button className={buttonStyles.button} onPress={onCancel} isDisabled={isPending}>
              Keep the old order
            </Button>
            <Button
              className={buttonStyles.primary}
              onPress={onConfirm}
              isPending={isPending}
              autoFocus
            >
              {isPending ? 'Saving…' : 'Save the new order'}
            </Button>
          </div>
        </Dialog>
      </Modal>
    </ModalOverlay>
  );
}

function describeMove(before: number, after: number): string {
  if (before === after) return '';
  const distance = Math.abs(before - after);
  return `${after < before ? 'up' : 'down'} ${distance}`;
}

const SHOWN_CHANGES = 6;

function Preview({ order }: { order: string[] }): ReactElement {
  const query = useQuery({
    queryKey: ['reorder-preview', order],
    queryFn: ({ signal }) => changes.previewReorder(order, signal),
    staleTime: 0,
  });
  return (
    <div className={styles.preview} aria-live="polite">
      <QueryView query={query} loading={<Skeleton label="Comparing" lines={2} />}>
        {({ changes: changed, truncated }) =>
          changed.length === 0 ? (
            <p>
              {truncated === true
                ? 'No change found among the artifacts that were compared.'
                : 'Every artifact stays the same for you.'}
            </p>
          ) : (
            <>
              <h3>{countOf(changed.length, 'artifact')} would change</h3>
              <ul>
                {changed.slice(0, SHOWN_CHANGES).map(({ id, from, to }) => (
                  <li key={id}>
                    <ArtifactName id={id} />{' '}
                    <span className={textStyles.dim}>
                      {from.layer} {from.version} → {to.layer} {to.version}
                    </span>
                  </li>
                ))}
              </ul>
              {(truncated === true || changed.length > SHOWN_CHANGES) && (
                <p className={textStyles.dim}>
                  {truncated === true
                    ? 'There may be more.'
                    : `And ${changed.length - SHOWN_CHANGES} more.`}
                </p>
              )}
            </>
          )
        }
      </QueryView>
    </div>
  );
}
