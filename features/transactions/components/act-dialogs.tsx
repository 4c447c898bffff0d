import { useNavigate } from 'react-router';
import { STATEMENT_MAX_LENGTH } from '#features/disputes/rules.ts';
import type { EvidenceText } from '#features/disputes/views.ts';
import { NOTE_MAX_LENGTH } from '#features/sales/rules.ts';
import { decimalAmount, dollarsAndCents } from '#platform/money.ts';
import type { ActionData } from '#ui/action-data.ts';
import { ActionDialog } from '#ui/action-dialog.tsx';
import { MoneyInput } from '#ui/money-input.tsx';
import { TextArea } from '#ui/text-area.tsx';
import { usePendingForm } from '#ui/use-pending.ts';
import { type SaleAct, saleActs } from '../acts.ts';
import type { SaleDetails } from '../details-model.ts';
import { actWords } from './act-words.ts';
import { Evidence } from './sale-evidence.tsx';

interface Props {
  sale: SaleDetails;
  /** which dialog the URL opens; null for none */
  open: string | null;
  /** the dispute that it is about, with what an answer would send now */
  dispute: { id: string; evidence: EvidenceText[] } | null;
  /** the drawer without a dialog */
  closeHref: string;
  answer: ActionData | undefined;
}

/** The dialogs of what an administrator can do with a sale now. */
export function ActDialogs({ sale, open, dispute, closeHref, answer }: Props) {
  const act = saleActs.find((one) => one === open);
  if (act && sale.acts.some((one) => one.act === act && one.refusal === null))
    return <ActDialog sale={sale} act={act} closeHref={closeHref} answer={answer} />;
  const disputed = dispute && sale.disputes.find(({ id, open }) => id === dispute.id && open);
  if (!dispute || !disputed || sale.own) return null;
  if (open === 'answer_dispute' || open === 'concede_dispute')
    return <DisputeDialog act={open} dispute={dispute} closeHref={closeHref} answer={answer} />;
  return null;
}

const useClose = (closeHref: string) => {
  const navigate = useNavigate();
  return () => void navigate(closeHref, { replace: true, preventScrollReset: true });
};

function ActDialog({ sale, act, closeHref, answer }: Omit<Props, 'open' | 'dispute'> & { act: SaleAct }) {
  const close = useClose(closeHref);
  const pending = usePendingForm(act) !== null;
  const { title, text, confirm, danger, note } = actWords(act, sale);
  const refused = answer?.intent === act && !answer.ok ? answer : undefined;
  const { errors = {}, input = {} } = refused ?? {};
  return (
    <ActionDialog
      key={`${act} ${sale.id}`}
      open
      onClose={close}
      title={title}
      text={text}
      confirmLabel={confirm}
      danger={danger ?? false}
      intent={act}
      fields={{ id: sale.id, ...(act === 'refund' && { key: sale.refundKey }) }}
      pending={pending}
      noValidate
      error={Object.values(errors)[0]}
    >
      {() => (
        <div className="grid gap-4">
          {act === 'refund' && <RefundFields sale={sale} errors={errors} typed={input} />}
          {note && (
            <TextArea
              label={note.label}
              name="note"
              rows={3}
              required={note.required}
              maxLength={NOTE_MAX_LENGTH}
              defaultValue={input.note}
              error={errors.note}
            />
          )}
        </div>
      )}
    </ActionDialog>
  );
}

interface RefundFieldsProps {
  sale: SaleDetails;
  errors: Partial<Record<string, string>>;
  typed: Readonly<Record<string, string>>;
}

function RefundFields({ sale: { refundable }, errors, typed }: RefundFieldsProps) {
  return (
    <>
      <MoneyInput
        label="Of the price"
        name="base"
        defaultValue={typed.base ?? ''}
        error={errors.base}
        hint={`At most ${dollarsAndCents(refundable.baseCents)}`}
        placeholder={decimalAmount(0)}
      />
      {refundable.feesCents > 0 && (
        <MoneyInput
          label="Of the buyer's fees"
          name="fees"
          optional
          defaultValue={typed.fees ?? ''}
          error={errors.fees}
          hint={`At most ${dollarsAndCents(refundable.feesCents)}`}
          placeholder={decimalAmount(0)}
        />
      )}
    </>
  );
}

const disputeWords = {
  answer_dispute: {
    title: 'Answer dispute',
    text: 'What is on record about the sale is sent to the bank, with your statement. A dispute is answered once.',
    label: 'Your statement',
    danger: false,
  },
  concede_dispute: {
    title: 'Accept dispute',
    text: 'The dispute stays unanswered, and the money goes back to the payer. This cannot be undone.',
    label: 'Reason',
    danger: true,
  },
} as const;

function DisputeDialog({
  act,
  dispute,
  closeHref,
  answer,
}: Pick<Props, 'closeHref' | 'answer'> & {
  act: keyof typeof disputeWords;
  dispute: NonNullable<Props['dispute']>;
}) {
  const close = useClose(closeHref);
  const pending = usePendingForm(act) !== null;
  const { title, text, label, danger } = disputeWords[act];
  const refused = answer?.intent === act && !answer.ok ? answer : undefined;
  return (
    <ActionDialog
      key={`${act} ${dispute.id}`}
      open
      onClose={close}
      title={title}
      text={text}
      confirmLabel={title}
      danger={danger}
      intent={act}
      fields={{ dispute: dispute.id }}
      pending={pending}
      noValidate
      error={refused?.errors?.note}
    >
      {(problem) => (
        <div className="grid gap-4">
          <TextArea
            label={label}
            name="note"
            rows={4}
            optional={act === 'answer_dispute'}
            maxLength={act === 'answer_dispute' ? STATEMENT_MAX_LENGTH : NOTE_MAX_LENGTH}
            defaultValue={refused?.input?.note}
            error={problem}
          />
          {act === 'answer_dispute' && <Evidence title="What is sent" texts={dispute.evidence} />}
        </div>
      )}
    </ActionDialog>
  );
}
