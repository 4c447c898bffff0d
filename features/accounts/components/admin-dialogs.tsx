import { useNavigate } from 'react-router';
import { adminPaths } from '#routing/admin-paths.ts';
import { ActionDialog } from '#ui/action-dialog.tsx';
import { PasswordInput } from '#ui/password-input.tsx';
import { TextInput } from '#ui/text-input.tsx';
import { usePendingForm } from '#ui/use-pending.ts';

const useClose = () => {
  const navigate = useNavigate();
  return () => void navigate(adminPaths.admins(), { preventScrollReset: true });
};

interface AddAdminProps {
  open: boolean;
  errors: Partial<Record<string, string>> | undefined;
  /** the rejected input */
  email: string | undefined;
}

/** Asks for the address and the first password of a new administrator. */
export function AddAdminDialog({ open, errors = {}, email }: AddAdminProps) {
  const close = useClose();
  const pending = usePendingForm('add') !== null;
  return (
    <ActionDialog
      open={open}
      onClose={close}
      title="Add Administrator"
      text="We email the new administrator without the password. Hand it over yourself."
      confirmLabel="Add Admin"
      intent="add"
      pending={pending}
      error={null}
      noValidate
    >
      <div className="grid gap-4">
        <TextInput
          label="Email"
          name="email"
          type="email"
          autoComplete="off"
          required
          defaultValue={email}
          error={errors.email}
        />
        <PasswordInput
          label="Password"
          name="password"
          autoComplete="new-password"
          hint="At least 6 characters. One of fewer than 8 works once: the first sign-in asks for a new one."
          required
          error={errors.password}
        />
      </div>
    </ActionDialog>
  );
}

/** Asks whether somebody is to lose the administration. */
export function RemoveAdminDialog({
  removes,
}: {
  removes: { id: string; email: string; self: boolean } | null;
}) {
  const close = useClose();
  const pending = usePendingForm('remove') !== null;
  return (
    <ActionDialog
      open={removes !== null}
      onClose={close}
      title={
        removes?.self ? 'Remove yourself as administrator?' : `Remove ${removes?.email ?? 'administrator'}?`
      }
      text="All sessions end right away. The account stays as a buyer account, and its history is kept."
      confirmLabel="Remove administrator"
      danger
      intent="remove"
      fields={{ id: removes?.id ?? '' }}
      pending={pending}
      error={null}
    />
  );
}
