import { type FormEvent, useState } from 'react';
import { STATEMENT_MAX_LENGTH } from '#features/disputes/rules.ts';
import type { EvidenceText } from '#features/disputes/views.ts';
import { SaleFileFields } from '#features/documents/components/sale-file-fields.tsx';
import { REFUND_REFERENCE_MAX_LENGTH } from '#features/payments/model.ts';
import { NOTE_MAX_LENGTH } from '#features/sales/rules.ts';
import { dollarsAndCents } from '#platform/money.ts';
import { REASON_MAX_LENGTH } from '#platform/reason-length.ts';
import type { ActionData } from '#ui/action-data.ts';
import { ActionDialog } from '#ui/action-dialog.tsx';
import { MoneyInput } from '#ui/money-input.tsx';
import { PriceBreakdown } from '#ui/price-breakdown.tsx';
import { Select } from '#ui/select.tsx';
import { TextArea } from '#ui/text-area.tsx';
import { TextInput } from '#ui/text-input.tsx';
import { usePendingForm } from '#ui/use-pending.ts';
import type { AdminAction } from '../admin-actions.ts';
import type { SaleDetails } from '../details-model.ts';
import { isPaidByBank } from '../refunds.ts';
import { centsFrom } from '../typed-amount.ts';
import { actionText } from './action-texts.ts';
import { Evidence } from './sale-disputes.tsx';

interface Props {
  sale: SaleDetails;
  answer: ActionData | undefined;
  onClose: () => void;
}

const refusedOf = (answer: ActionData | undefined, intent: string) =>
  answer?.intent === intent && !answer.ok ? answer : undefined;

/** Asks whether an action is meant, says what happens then, and asks for a reason. */
export function AdminActionDialog({ action, sale, answer, onClose }: Props & { action: AdminAction }) {
  const pending = usePendingForm(action) !== null;
  const refused = refusedOf(answer, action);
  const { title, text, confirm, danger, note } = actionText(action, sale);
  return (
    <ActionDialog
      open
      onClose={onClose}
      title={title}
      text={text}
      confirmLabel={confirm}
      danger={danger ?? false}
      intent={action}
      fields={{
        id: sale.id,
        ...(action === 'refund' && { key: sale.refundKey }),
        ...stuckFields(action, sale),
        ...(action === 'return_bank_refund' && onlyBankRefund(sale)),
      }}
      pending={pending}
      noValidate
      {...(action === 'deliver_documents' && { encType: 'multipart/form-data' as const })}
      error={Object.values(refused?.errors ?? {})[0]}
    >
      {action === 'refund' || action === 'record_bank_refund' || note
        ? () => (
            <div className="grid gap-4">
              {action === 'deliver_documents' && <SaleFileFields errors={refused?.errors} />}
              {action === 'refund' && <RefundAmounts sale={sale} refused={refused} />}
              {action === 'record_bank_refund' && (
                <TextInput
                  label="Bank reference"
                  name="reference"
                  required
                  maxLength={REFUND_REFERENCE_MAX_LENGTH}
                  autoComplete="off"
                  hint="As your bank's statement will show it"
                  defaultValue={refused?.input?.reference ?? sale.stuckRefund?.reference ?? ''}
                  error={refused?.errors?.reference}
                />
              )}
              {action === 'return_bank_refund' && <BankRefundField sale={sale} refused={refused} />}
              {note && (
                <TextArea
                  label={note.label}
                  name="note"
                  rows={3}
                  required={note.required}
                  maxLength={NOTE_MAX_LENGTH}
                  defaultValue={refused?.input?.note}
                  error={refused?.errors?.note}
                />
              )}
            </div>
          )
        : undefined}
    </ActionDialog>
  );
}

/** Which refund an action is about, as it is seen now. */
function stuckFields(action: AdminAction, { stuckRefund }: SaleDetails): Record<string, string> {
  if (!stuckRefund) return {};
  const { id: refund, amountCents, reference } = stuckRefund;
  if (action === 'withdraw_refund') return { refund };
  if (action === 'record_bank_refund') return { refund, amount: String(amountCents) };
  return action === 'confirm_bank_refund'
    ? { refund, amount: String(amountCents), reference: reference ?? '' }
    : {};
}

const bankRefunds = ({ refunds }: SaleDetails) => refunds.filter(isPaidByBank);

/** The refund that was paid from the bank, when there is no choice. */
function onlyBankRefund(sale: SaleDetails): { refund: string } | undefined {
  const [first, second] = bankRefunds(sale);
  return first && !second ? { refund: first.id } : undefined;
}

/** Which of several refunds came back. */
function BankRefundField({ sale, refused }: { sale: SaleDetails; refused: ActionData | undefined }) {
  if (onlyBankRefund(sale)) return null;
  return (
    <Select
      label="Refund"
      name="refund"
      options={bankRefunds(sale).map(({ id, amountCents, reference }) => ({
        value: id,
        label: `${dollarsAndCents(amountCents)}, ${reference}`,
      }))}
      defaultValue={refused?.input?.refund}
    />
  );
}

/** How much goes back of price and fees, with the sum while it is typed. */
function RefundAmounts({ sale, refused }: { sale: SaleDetails; refused: ActionData | undefined }) {
  const [cents, setCents] = useState({
    base: centsFrom(refused?.input?.base ?? '') ?? 0,
    fees: centsFrom(refused?.input?.fees ?? '') ?? 0,
  });
  const { baseCents, feesCents } = sale.refundable;
  const read =
    (part: 'base' | 'fees') =>
    ({ currentTarget: { value } }: FormEvent<HTMLInputElement>) =>
      setCents((before) => ({ ...before, [part]: centsFrom(value) ?? 0 }));
  return (
    <div className="sale-refund">
      <MoneyInput
        label="Of the sale price"
        name="base"
        hint={`At most ${dollarsAndCents(baseCents)}`}
        defaultValue={refused?.input?.base}
        error={refused?.errors?.base}
        onInput={read('base')}
      />
      {feesCents > 0 && (
        <MoneyInput
          label="Of the buyer's fees"
          name="fees"
          hint={`At most ${dollarsAndCents(feesCents)}`}
          defaultValue={refused?.input?.fees}
          error={refused?.errors?.fees}
          onInput={read('fees')}
        />
      )}
      <PriceBreakdown
        rows={[]}
        total={{ label: 'Refunded to the buyer', amount: dollarsAndCents(cents.base + cents.fees) }}
      />
    </div>
  );
}

/** What can be done about a dispute. */
type DisputeAction = 'answer_dispute' | 'concede_dispute';

interface DisputeProps extends Props {
  action: DisputeAction;
  disputeId: string;
  /** what an answer would send; null when it could not be put together */
  evidence: readonly EvidenceText[] | null;
}

/** Asks whether a dispute is answered or accepted; what would be sent is shown before. */
export function DisputeDialog({ action, disputeId, evidence, sale, answer, onClose }: DisputeProps) {
  const pending = usePendingForm(action) !== null;
  const refused = refusedOf(answer, action);
  const answers = action === 'answer_dispute';
  return (
    <ActionDialog
      open
      onClose={onClose}
      title={`${answers ? 'Answer' : 'Accept'} the dispute about ${sale.property.address}`}
      text={
        answers
          ? 'Everything on record about the sale is sent to the bank, once. It cannot be changed or repeated.'
          : 'The dispute stays unanswered: the bank takes the money back. Contesting it later is not possible.'
      }
      confirmLabel={answers ? 'Answer dispute' : 'Accept dispute'}
      danger={!answers}
      intent={action}
      fields={{ id: sale.id, dispute: disputeId }}
      pending={pending}
      noValidate
      error={refused?.errors?.note}
    >
      {(error) => (
        <div className="grid gap-4">
          {answers && evidence && <Evidence title="What is sent" texts={evidence} />}
          <TextArea
            label={answers ? 'Your statement' : 'Why the payer is right'}
            name="note"
            rows={4}
            optional={answers}
            required={!answers}
            maxLength={answers ? STATEMENT_MAX_LENGTH : REASON_MAX_LENGTH}
            defaultValue={refused?.input?.note}
            error={error}
          />
        </div>
      )}
    </ActionDialog>
  );
}
