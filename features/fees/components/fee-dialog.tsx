import { useState } from 'react';
import { Link } from 'react-router';
import type { ActionData } from '#ui/action-data.ts';
import { ActionDialog } from '#ui/action-dialog.tsx';
import { Checkbox } from '#ui/checkbox.tsx';
import { Field, FieldError } from '#ui/field.tsx';
import { Notice } from '#ui/notice.tsx';
import { Radio } from '#ui/radio.tsx';
import { Switch } from '#ui/switch.tsx';
import { TextInput } from '#ui/text-input.tsx';
import { usePendingForm } from '#ui/use-pending.ts';
import { feeExample } from '../example.ts';
import {
  appliesToText,
  type FeeSide,
  type FeeType,
  feeAmountInput,
  feeAmountText,
  feeMessages,
  feeSideNames,
  feeSides,
  feeTypeNames,
  feeTypes,
  feeVersion,
  type ManagedFee,
  parseFeeAmount,
} from '../managed.ts';
import { FeeExampleView } from './fee-example.tsx';

export const SAVE_FEE = 'fee-save';

interface Props {
  /** null for a new one */
  fee: ManagedFee | null;
  /** all fees */
  fees: readonly ManagedFee[];
  /** the seller's share of the example, before fees */
  sellerShareCents: number;
  /** the page's URL with the dialog open, which handles the form */
  here: string;
  /** leads to the question whether the fee is deleted */
  removeHref: string | null;
  answer: (ActionData & { newerFee?: ManagedFee }) | undefined;
  onClose: () => void;
}

/** Adds or edits a fee. Opened by the URL, so that it works without JavaScript. */
export function FeeDialog(props: Props) {
  const { fee, here, answer, onClose } = props;
  const pending = usePendingForm(SAVE_FEE) !== null;
  const newer = answer?.newerFee;
  const seen = newer ?? fee;
  return (
    <ActionDialog
      open
      wide
      onClose={onClose}
      title={fee ? 'Edit Fee' : 'Add New Fee'}
      confirmLabel="Save fee"
      intent={SAVE_FEE}
      action={here}
      fields={{ id: fee?.id ?? '', seen: seen ? feeVersion(seen) : '' }}
      pending={pending}
      noValidate
      error={Object.values(answer?.errors ?? {})[0]}
    >
      {() => <FeeFields {...props} newer={newer} />}
    </ActionDialog>
  );
}

function startOf(fee: ManagedFee | null, input: Readonly<Record<string, string>> | undefined) {
  if (input)
    return {
      name: input.name ?? '',
      type: feeTypes.find((type) => type === input.type) ?? 'fixed',
      amount: input.amount ?? '',
      sides: feeSides.filter((side) => input[side] === '1'),
      active: input.active === '1',
    };
  return {
    name: fee?.name ?? '',
    type: fee?.type ?? ('fixed' as FeeType),
    amount: fee ? feeAmountInput(fee) : '',
    sides: fee ? [...fee.appliesTo] : (['buyer'] as FeeSide[]),
    active: fee?.active ?? true,
  };
}

function FeeFields({
  fee,
  fees,
  sellerShareCents,
  removeHref,
  answer,
  newer,
}: Props & { newer: ManagedFee | undefined }) {
  const [typed, setTyped] = useState(() => startOf(fee, answer?.input));
  const errors = answer?.errors;
  const change = (part: Partial<typeof typed>) => setTyped((before) => ({ ...before, ...part }));
  const amount = parseFeeAmount(typed.type, typed.amount);
  const none = typed.type === 'fixed' ? { fixedCents: 0, percent: null } : { fixedCents: null, percent: 0 };
  const { fixedCents, percent } = amount.ok ? amount : none;
  const example = feeExample(
    { name: typed.name.trim() || 'This fee', fixedCents, percent, appliesTo: typed.sides },
    { fees, id: fee?.id ?? null, sellerShareCents },
  );
  return (
    <div className="grid gap-5">
      {newer && (
        <Notice tone="bad" title={feeMessages.newer}>
          It is now ‘{newer.name}’, {feeAmountText(newer)}, {appliesToText(newer.appliesTo)},{' '}
          {newer.active ? 'active' : 'inactive'}. Save again to replace that, or close this window to keep it.
        </Notice>
      )}
      <TextInput
        label="Name"
        name="name"
        autoComplete="off"
        maxLength={80}
        required
        value={typed.name}
        error={errors?.name}
        onChange={(event) => change({ name: event.currentTarget.value })}
      />
      <div className="grid gap-5 sm:grid-cols-2">
        <Choices legend="Type" error={errors?.type} errorId="fee-type-error">
          {feeTypes.map((type) => (
            <Radio
              key={type}
              name="type"
              value={type}
              label={feeTypeNames[type]}
              checked={typed.type === type}
              onChange={() => change({ type })}
            />
          ))}
        </Choices>
        <AmountField typed={typed} error={errors?.amount} onChange={(text) => change({ amount: text })} />
        <Choices legend="Applies To" error={errors?.appliesTo} errorId="fee-sides-error">
          {feeSides.map((side) => (
            <Checkbox
              key={side}
              name={side}
              value="1"
              label={feeSideNames[side]}
              checked={typed.sides.includes(side)}
              aria-invalid={errors?.appliesTo ? true : undefined}
              aria-describedby={errors?.appliesTo ? 'fee-sides-error' : undefined}
              onChange={(event) =>
                change({
                  sides: event.currentTarget.checked
                    ? [...typed.sides, side]
                    : typed.sides.filter((other) => other !== side),
                })
              }
            />
          ))}
        </Choices>
        <Choices legend="Status">
          <Switch
            name="active"
            value="1"
            label="Active"
            checked={typed.active}
            onChange={(event) => change({ active: event.currentTarget.checked })}
          />
        </Choices>
      </div>
      <FeeExampleView example={example} sellerShareCents={sellerShareCents} />
      <p className="m-0 text-sm text-ink-muted">
        Applies to purchases started after it is saved.
        {removeHref && (
          <>
            {' '}
            <Link className="link" to={removeHref} preventScrollReset>
              Delete this fee
            </Link>
          </>
        )}
      </p>
    </div>
  );
}

function Choices({
  legend,
  error,
  errorId,
  children,
}: {
  legend: string;
  error?: string | undefined;
  errorId?: string;
  children: React.ReactNode;
}) {
  return (
    <fieldset className="f m-0 border-0 p-0">
      <legend className="flabel p-0">{legend}</legend>
      <div className="flex min-h-10 flex-wrap items-center gap-x-5 gap-y-2">{children}</div>
      {error && <FieldError {...(errorId && { id: errorId })}>{error}</FieldError>}
    </fieldset>
  );
}

function AmountField({
  typed,
  error,
  onChange,
}: {
  typed: { type: FeeType; amount: string };
  error: string | undefined;
  onChange: (text: string) => void;
}) {
  const isPercent = typed.type === 'percentage';
  return (
    <Field label="Amount" error={error}>
      {(control) => (
        <div className="affix">
          {!isPercent && (
            <span className="lead" aria-hidden="true">
              $
            </span>
          )}
          {isPercent && (
            <span className="trail" aria-hidden="true">
              %
            </span>
          )}
          <input
            {...control}
            className="input"
            name="amount"
            inputMode="decimal"
            autoComplete="off"
            maxLength={20}
            value={typed.amount}
            onChange={(event) => onChange(event.currentTarget.value)}
          />
        </div>
      )}
    </Field>
  );
}
