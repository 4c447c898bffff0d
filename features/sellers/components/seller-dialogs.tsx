import { useState } from 'react';
import { REASON_MAX_LENGTH } from '#platform/reason-length.ts';
import type { ActionData } from '#ui/action-data.ts';
import { ActionDialog } from '#ui/action-dialog.tsx';
import { Dialog } from '#ui/dialog.tsx';
import { TextArea } from '#ui/text-area.tsx';
import { TextInput } from '#ui/text-input.tsx';
import { usePendingForm } from '#ui/use-pending.ts';
import { removalText, suspensionEffects } from '../effects.ts';
import { clippedName, type ManagedSeller, type SellerAction, type SellerRemoval } from '../management.ts';
import { phoneText } from '../phone.ts';
import { CommissionFields, useCommission } from './commission-fields.tsx';

interface Props {
  /** null for adding one */
  seller: ManagedSeller | null;
  removal: SellerRemoval | null;
  defaultRate: number;
  dialog: SellerAction;
  /** the page's URL with the dialog open, which handles the forms */
  here: string;
  answer: ActionData | undefined;
  onClose: () => void;
}

/** The dialog that the page's URL names. */
export function SellerDialog(props: Props) {
  const { dialog, seller } = props;
  if (dialog === 'add') return <AddDialog {...props} />;
  if (!seller) return null;
  const of = { ...props, seller };
  if (dialog === 'phone') return <PhoneDialog {...of} />;
  if (dialog === 'rate') return <RateDialog {...of} />;
  if (dialog === 'delete') return <DeleteDialog {...of} />;
  return <SuspensionDialog {...of} />;
}

type OfSeller = Props & { seller: ManagedSeller };

/** What every dialog of this page hands on: it is open, and its form goes to the page as it is. */
const common = ({ here, onClose, answer }: Props, intent: string) => ({
  open: true,
  onClose,
  intent,
  action: here,
  noValidate: true,
  error: undefined,
  answer: answer?.intent === intent ? answer : undefined,
});

function AddDialog(props: Props) {
  const pending = usePendingForm('add') !== null;
  const { answer, ...dialog } = common(props, 'add');
  const { errors, input } = answer ?? {};
  return (
    <ActionDialog
      {...dialog}
      title="Add Seller"
      text="The seller gets an email with a link that opens the registration."
      confirmLabel="Add Seller"
      pending={pending}
    >
      <div className="grid gap-4">
        <TextInput
          label="Name"
          name="name"
          autoComplete="off"
          maxLength={120}
          required
          defaultValue={input?.name}
          error={errors?.name}
        />
        <TextInput
          label="Email"
          name="email"
          type="email"
          autoComplete="off"
          maxLength={254}
          required
          defaultValue={input?.email}
          error={errors?.email}
        />
        <TextInput
          label="Phone"
          name="phone"
          type="tel"
          autoComplete="off"
          maxLength={40}
          optional
          defaultValue={input?.phone}
          error={errors?.phone}
        />
      </div>
    </ActionDialog>
  );
}

function PhoneDialog(props: OfSeller) {
  const { id, name, phone } = props.seller;
  const pending = usePendingForm('phone') !== null;
  const { answer, ...dialog } = common(props, 'phone');
  return (
    <ActionDialog
      {...dialog}
      title="Edit Phone"
      text={clippedName(name)}
      confirmLabel="Save"
      fields={{ id, seen: phone ?? '' }}
      pending={pending}
    >
      <TextInput
        label="Phone"
        name="phone"
        type="tel"
        autoComplete="off"
        maxLength={40}
        optional
        hint="Leave it empty to remove the number."
        defaultValue={answer?.input?.phone ?? (phone ? phoneText(phone) : '')}
        error={answer?.errors?.phone}
      />
    </ActionDialog>
  );
}

function RateDialog(props: OfSeller) {
  const { id, name, commissionRate } = props.seller;
  const pending = usePendingForm('rateInList') !== null;
  const { answer, ...dialog } = common(props, 'rateInList');
  const start = {
    rate: commissionRate,
    defaultRate: props.defaultRate,
    typed: answer?.input?.rate,
    error: answer?.errors?.rate,
  };
  const commission = useCommission(start);
  return (
    <ActionDialog
      {...dialog}
      title="Edit Commission"
      text={clippedName(name)}
      confirmLabel="Save"
      pending={pending}
    >
      <CommissionFields {...start} sellerId={id} commission={commission} />
    </ActionDialog>
  );
}

function SuspensionDialog(props: OfSeller) {
  const { id, name } = props.seller;
  const suspend = props.dialog === 'suspend';
  const intent = suspend ? 'suspend' : 'reactivate';
  const pending = usePendingForm(intent) !== null;
  const { answer, ...dialog } = common(props, intent);
  const [blank, setBlank] = useState(!answer?.input?.reason);
  const title = suspend ? 'Suspend Agent' : 'Reactivate Agent';
  return (
    <ActionDialog
      {...dialog}
      danger={suspend}
      title={title}
      text={clippedName(name)}
      confirmLabel={title}
      fields={{ id }}
      pending={pending}
      blank={blank}
    >
      <ul className="seller-effects">
        {suspensionEffects[intent].map((effect) => (
          <li key={effect}>{effect}</li>
        ))}
      </ul>
      <TextArea
        label="Reason"
        name="reason"
        rows={3}
        required
        counted
        maxLength={REASON_MAX_LENGTH}
        hint="The seller gets it by email."
        defaultValue={answer?.input?.reason}
        error={answer?.errors?.reason}
        onChange={(event) => setBlank(event.currentTarget.value.trim() === '')}
      />
    </ActionDialog>
  );
}

function DeleteDialog(props: OfSeller) {
  const { id, name } = props.seller;
  const { removal, onClose } = props;
  const pending = usePendingForm('delete') !== null;
  const { answer: _, ...dialog } = common(props, 'delete');
  if (!removal) return null;
  const text = removalText(clippedName(name), removal);
  if (removal.way === 'refused')
    return <Dialog open onClose={onClose} title="Delete Seller" text={text} role="alertdialog" />;
  return (
    <ActionDialog
      {...dialog}
      danger
      title="Delete Seller"
      text={text}
      confirmLabel={removal.way === 'delete' ? 'Delete Seller' : 'Archive Seller'}
      fields={{ id, way: removal.way }}
      pending={pending}
    />
  );
}
