import { useNavigate } from 'react-router';
import type { ActionData } from '#ui/action-data.ts';
import { ActionDialog } from '#ui/action-dialog.tsx';
import { TextArea } from '#ui/text-area.tsx';
import { usePendingForm } from '#ui/use-pending.ts';
import { REPORT_LIMIT } from '../model.ts';
import type { ReportDecision, ReportedConversation } from '../oversight-model.ts';

interface Props {
  report: ReportedConversation;
  decision: ReportDecision;
  closeHref: string;
  answer: ActionData | undefined;
}

/** Asks for the words that go with a decision about a report. */
export function ReportDialog({ report, decision, closeHref, answer }: Props) {
  const navigate = useNavigate();
  const pending = usePendingForm(decision) !== null;
  const { title, text, confirmLabel, hint } = texts[decision](report);
  return (
    <ActionDialog
      open
      onClose={() => void navigate(closeHref, { replace: true, preventScrollReset: true })}
      title={title}
      text={text}
      confirmLabel={confirmLabel}
      danger={decision === 'suspended'}
      intent={decision}
      fields={{ id: report.id }}
      pending={pending}
      noValidate
      error={answer?.intent === decision && !answer.ok ? answer.errors?.note : null}
    >
      {(problem) => (
        <TextArea
          label={decision === 'closed' ? 'Note' : 'Message'}
          name="note"
          rows={4}
          optional={decision === 'closed'}
          required={decision !== 'closed'}
          maxLength={REPORT_LIMIT}
          counted
          hint={hint}
          defaultValue={answer?.input?.note}
          error={problem}
        />
      )}
    </ActionDialog>
  );
}

const BUYER_SUSPENDED =
  'Open purchases continue. New purchases, inquiries and messages are refused until you reinstate the buyer.';
const SELLER_SUSPENDED =
  'All listings are hidden from buyers and payouts are on hold until you reactivate the seller. Sales in progress go on; administrators act in place of the seller.';

const texts: Record<
  ReportDecision,
  (report: ReportedConversation) => { title: string; text: string; confirmLabel: string; hint: string }
> = {
  warned: ({ reported, reporter }) => ({
    title: `Warn ${reported.name}?`,
    text: `${reported.name} gets an email and a notice on every page until it is confirmed. ${reporter.name} is notified that you have taken action.`,
    confirmLabel: 'Send warning',
    hint: `${reported.name} reads this.`,
  }),
  suspended: ({ reported, reporter }) => ({
    title: `Suspend ${reported.name}?`,
    text: `${reported.name} can still sign in and read. ${reported.isSeller ? SELLER_SUSPENDED : BUYER_SUSPENDED} ${reporter.name} is notified that you have taken action.`,
    confirmLabel: reported.isSeller ? 'Suspend seller' : 'Suspend buyer',
    hint: `${reported.name} reads this.`,
  }),
  closed: ({ reported, reporter }) => ({
    title: 'Close this report?',
    text: `Nothing happens to ${reported.name}. ${reporter.name} is notified that you found nothing that breaks the rules.`,
    confirmLabel: 'Close report',
    hint: 'For the record. No one else sees it.',
  }),
};
