import type { ReactElement, ReactNode } from 'react';
import { Button } from 'react-aria-components/Button';
import { Dialog } from 'react-aria-components/Dialog';
import { Heading } from 'react-aria-components/Heading';
import { Modal, ModalOverlay } from 'react-aria-components/Modal';
import { Failure } from '../../parts/failure.tsx';

/** Asks before something that other people notice. */
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
      className="overlay"
      isOpen
      isDismissable={!isPending}
      onOpenChange={(isOpen) => isOpen || onCancel()}
    >
      <Modal className="modal">
        <Dialog className="dialog" role="alertdialog">
          <Heading slot="title">{title}</Heading>
          <p>{children}</p>
          {error !== null && <Failure error={error} />}
          <div className="dialog-actions">
            <Button className="button" onPress={onCancel} isDisabled={isPending} autoFocus>
              Cancel
            </Button>
            <Button className="button danger" onPress={onConfirm} isDisabled={isPending}>
              {confirm}
            </Button>
          </div>
        </Dialog>
      </Modal>
    </ModalOverlay>
  );
}
