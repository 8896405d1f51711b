import type { ReactElement } from 'react';
import { Button } from 'react-aria-components/Button';
import { Dialog } from 'react-aria-components/Dialog';
import { Heading } from 'react-aria-components/Heading';
import { Modal, ModalOverlay } from 'react-aria-components/Modal';
import { Icon } from '../parts/icon.tsx';
import * as buttonStyles from '../parts/button.module.css';
import * as dialogStyles from '../parts/dialog.module.css';
import * as pageStyles from '../parts/page.module.css';
import * as styles from './shortcuts-dialog.module.css';

const KEYS = [
  { keys: ['/'], does: 'Search' },
  { keys: ['↑', '↓'], does: 'Move through results' },
  { keys: ['Enter'], does: 'Open the result' },
  { keys: ['c'], does: 'Copy the install command of an artifact' },
  { keys: ['g', 'h'], does: 'Go to the home page' },
  { keys: ['g', 'b'], does: 'Go to Browse' },
  { keys: ['g', 'l'], does: 'Go to Layers' },
  { keys: ['?'], does: 'Show these keys' },
  { keys: ['Esc'], does: 'Close' },
] as const;

export function ShortcutsDialog({ onClose }: { onClose: () => void }): ReactElement {
  return (
    <ModalOverlay className={dialogStyles.overlay} isOpen onOpenChange={onClose} isDismissable>
      <Modal className={dialogStyles.modal}>
        <Dialog className={dialogStyles.dialog}>
          <div className={pageStyles.row}>
            <Heading slot="title">Keyboard shortcuts</Heading>
            <Button slot="close" className={buttonStyles.iconButton} aria-label="Close">
              <Icon name="close" />
            </Button>
          </div>
          <dl className={styles.keys}>
            {KEYS.map(({ keys, does }) => (
              <div key={does}>
                <dt>
                  {keys.map((key) => (
                    <kbd key={key}>{key}</kbd>
                  ))}
                </dt>
                <dd>{does}</dd>
              </div>
            ))}
          </dl>
        </Dialog>
      </Modal>
    </ModalOverlay>
  );
}
