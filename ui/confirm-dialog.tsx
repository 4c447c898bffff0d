import { Button } from './button.tsx';
import { Dialog, type DialogProps } from './dialog.tsx';

interface ConfirmDialogProps extends Pick<DialogProps, 'open' | 'onClose' | 'title' | 'text' | 'children'> {
  /** Names the deed ('Delete Seller'), never 'OK'. */
  confirmLabel: string;
  cancelLabel?: string;
  /** Destructive: the danger button; the title or text names the thing. */
  danger?: boolean;
  busy?: boolean;
  onConfirm?: () => void;
  /** Instead of `onConfirm`: the id of the form that confirming submits. */
  form?: string;
}

/** Asks before a deed that cannot be taken back. Cancel comes first and has the focus. */
export function ConfirmDialog({
  confirmLabel,
  cancelLabel = 'Cancel',
  danger,
  busy,
  onConfirm,
  form,
  onClose,
  ...rest
}: ConfirmDialogProps) {
  return (
    <Dialog
      {...rest}
      role="alertdialog"
      onClose={onClose}
      locked={busy}
      actions={
        <>
          <Button variant="outline" onClick={onClose} disabled={busy}>
            {cancelLabel}
          </Button>
          <Button
            variant={danger ? 'danger' : 'primary'}
            busy={busy}
            onClick={onConfirm}
            {...(form ? { form, type: 'submit' } : {})}
          >
            {confirmLabel}
          </Button>
        </>
      }
    />
  );
}
