import { ActionDialog } from '#ui/action-dialog.tsx';
import { usePendingForm } from '#ui/use-pending.ts';
import type { ManagedFee } from '../managed.ts';

/** The intent of the form. */
export const REMOVE_FEE = 'fee-remove';

interface Props {
  fee: ManagedFee & { used: boolean };
  here: string;
  onClose: () => void;
}

/** Asks before a fee is deleted, or archived where sales were charged it. */
export function RemoveFeeDialog({ fee: { id, name, used }, here, onClose }: Props) {
  const pending = usePendingForm(REMOVE_FEE) !== null;
  const action = used ? 'Archive Fee' : 'Delete Fee';
  return (
    <ActionDialog
      open
      danger
      onClose={onClose}
      title={action}
      text={
        used
          ? `Sales were charged ‘${name}’, so it is archived: it stays on their receipts and statements, and new purchases are without it.`
          : `No sale was ever charged ‘${name}’. It is deleted for good.`
      }
      confirmLabel={action}
      intent={REMOVE_FEE}
      action={here}
      fields={{ id }}
      pending={pending}
      error={undefined}
    />
  );
}
