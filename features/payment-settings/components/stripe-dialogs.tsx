import { ActionDialog } from '#ui/action-dialog.tsx';
import { usePendingForm } from '#ui/use-pending.ts';
import { DISCONNECT_STRIPE, ROTATE_WEBHOOK_SECRET, SET_STRIPE_MODE } from '../intents.ts';
import type { StripeConnection } from '../model.ts';
import type { StripeMode } from '../stripe-keys.ts';

interface Props {
  connection: StripeConnection;
  here: string;
  onClose: () => void;
}

/** Asks before real money moves. */
export function GoLiveDialog({ connection: { version }, here, onClose }: Props) {
  const pending = usePendingForm(SET_STRIPE_MODE) !== null;
  return (
    <ActionDialog
      open
      onClose={onClose}
      title="Switch to live mode"
      text="New payments use the live keys from now on, and real money moves. Sales from test mode stay in it."
      confirmLabel="Go live"
      intent={SET_STRIPE_MODE}
      action={here}
      fields={{ mode: 'live', seen: String(version) }}
      pending={pending}
      error={undefined}
    />
  );
}

/** Asks before nobody can pay by card anymore. */
export function DisconnectDialog({ connection: { version, keys }, here, onClose }: Props) {
  const pending = usePendingForm(DISCONNECT_STRIPE) !== null;
  const saved = keys.test !== null || keys.live !== null;
  return (
    <ActionDialog
      open
      danger
      onClose={onClose}
      title="Disconnect Stripe"
      text={
        saved
          ? 'Buyers can no longer pay by card or bank transfer. The saved keys are removed once no open sale needs them; to connect again, enter them again.'
          : 'Buyers cannot pay by card or bank transfer until Stripe is connected again.'
      }
      confirmLabel="Disconnect"
      intent={DISCONNECT_STRIPE}
      action={here}
      fields={{ seen: String(version) }}
      pending={pending}
      error={undefined}
    />
  );
}

/** Asks before the secret is replaced with which the messages of a mode are verified. */
export function RotateSecretDialog({
  mode,
  here,
  onClose,
}: Pick<Props, 'here' | 'onClose'> & { mode: StripeMode }) {
  const pending = usePendingForm(ROTATE_WEBHOOK_SECRET) !== null;
  return (
    <ActionDialog
      open
      onClose={onClose}
      title="Rotate secret"
      text={`The webhook of ${mode} mode gets a new secret. Messages that are signed with the former one are accepted for another hour.`}
      confirmLabel="Rotate secret"
      intent={ROTATE_WEBHOOK_SECRET}
      action={here}
      fields={{ mode }}
      pending={pending}
      error={undefined}
    />
  );
}
