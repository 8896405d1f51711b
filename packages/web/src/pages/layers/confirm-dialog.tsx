import type { ReactElement, ReactNode } from 'react';
import { Button } from 'react-aria-components/Button';
import { Dialog } from 'react-aria-components/Dialog';
import { Heading } from 'react-aria-components/Heading';
import { Modal, ModalOverlay } from 'react-aria-components/Modal';
import { Failure } from '../../parts/failure.tsx';
import * as buttonStyles from '../../parts/button.module.css';
import * as dialogStyles from '../../parts/dialog.module.css';

export function ConfirmDialog({
  title,
  confirm,
  isPending,
  error,
  onCancel,
  onConfirm,
  children,
}: {
  title: string;
  confirm: string;
  isPending: boolean;
  error: Error | null;
  onCancel: () => void;
  onConfirm: () => void;
  children: ReactNode;
}): ReactElement {
  return (
    <ModalOverlay
      className={dialogStyles.overlay}
      isOpen
      isDismissable={!isPending}
      onOpenChange={(isOpen) => isOpen || onCancel()}
    >
      <Modal className={dialogStyles.modal}>
        <Dialog className={dialogStyles.dialog} role="alertdialog">
          <Heading slot="title">{title}</Heading>
          <p>{children}</p>
          {error !== null && <Failure error={error} />}
          <div className={dialogStyles.actions}>
            <Button
              className={buttonStyles.button}
              onPress={onCancel}
              isDisabled={isPending}
              autoFocus
            >
              Cancel
            </Button>
            <Button className={buttonStyles.danger} onPress={onConfirm} isDisabled={isPending}>
              {confirm}
            </Button>
          </div>
        </Dialog>
      </Modal>
    </ModalOverlay>
  );
}
