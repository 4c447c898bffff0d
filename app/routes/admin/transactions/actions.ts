import {
  type PayoutsExtra,
  payoutIntents,
  payoutMessages,
  preservedPayoutFields,
} from '#app/actions/payouts.actions.ts';
import {
  type ActionArgs,
  invalid,
  redirectWithToast,
  runAction,
  type Submission,
} from '#app/actions/run-action.ts';
import { readSaleFiles } from '#app/actions/sale-files.ts';
import { answerDispute } from '#features/disputes/commands/answer-dispute.ts';
import { concedeDispute } from '#features/disputes/commands/concede-dispute.ts';
import { saleFileRefusals } from '#features/documents/rules.ts';
import { acceptMismatch, returnMismatch } from '#features/payments/commands/decide-mismatch.ts';
import { confirmBankRefund, recordBankRefund } from '#features/payments/commands/pay-refund.ts';
import { recognizeRefund } from '#features/payments/commands/recognize-refund.ts';
import { refundSale } from '#features/payments/commands/refund-sale.ts';
import { releaseEscrow } from '#features/payments/commands/release-escrow.ts';
import { returnBankRefund } from '#features/payments/commands/return-bank-refund.ts';
import { withdrawRefund } from '#features/payments/commands/withdraw-refund.ts';
import { actOnSale } from '#features/sales/commands/act-on-sale.ts';
import { deliverDocuments } from '#features/sales/commands/deliver-documents.ts';
import { type PartyEvent, type ReleasingEvent, releasesEscrow } from '#features/sales/model.ts';
import { NOT_RELEASED } from '#features/sales/rules.ts';
import type { AdminAction } from '#features/transactions/admin-actions.ts';
import { prepareTransactionsFile } from '#features/transactions/commands/prepare-transactions-file.ts';
import {
  awaitingWords,
  doneWords,
  fieldOfRefusal,
  refusalText,
} from '#features/transactions/components/action-texts.ts';
import { transactionQueryFrom } from '#features/transactions/filters.ts';
import { fileFormats } from '#features/transactions/model.ts';
import { centsFrom } from '#features/transactions/typed-amount.ts';
import { adminPaths } from '#routing/admin-paths.ts';
import { drawerHref } from './query.ts';

/** The provider is asked before whether the refund has left. */
const ASKING: readonly string[] = ['withdraw_refund', 'record_bank_refund', 'confirm_bank_refund'];
const NOT_ASKED =
  'The payment provider is not responding, so it is not known whether the refund has left. Try again later.';

type Outcome =
  | { ok: true; awaitingApproval?: boolean }
  | { ok: false; reason: Parameters<typeof refusalText>[0] };

/** Handles the dialogs of the drawer: what succeeds leads back to it with a toast, and so does what has changed meanwhile. */
export function handleSaleForm(args: ActionArgs & { url: URL }) {
  const back = (saleId: string) => drawerHref(args.url.searchParams, saleId);
  const answer = (done: { title: string; text?: string }, saleId: string, result: Outcome) => {
    const here = back(saleId);
    if (result.ok) return redirectWithToast(here, result.awaitingApproval ? awaitingWords : done);
    const text = refusalText(result.reason);
    const field = fieldOfRefusal[result.reason];
    return field
      ? invalid({ [field]: text })
      : redirectWithToast(here, { title: 'Not done', text, tone: 'bad' });
  };
  const perform =
    (done: { title: string; text?: string }, command: (submission: Submission) => Promise<Outcome>) =>
    async (submission: Submission) =>
      answer(done, submission.text('id'), await command(submission));
  /** An action that asks for a reason. */
  const decide = (action: AdminAction, command: (submission: Submission, note: string) => Promise<Outcome>) =>
    perform(doneWords[action], async (submission) => {
      const note = submission.text('note').trim();
      return note === '' ? { ok: false, reason: 'no_reason' } : command(submission, note);
    });
  const move = (event: Exclude<AdminAction & PartyEvent, 'deliver_documents' | ReleasingEvent>) =>
    decide(event, ({ ctx, text }, note) => actOnSale(ctx, { saleId: text('id'), event, note }));
  const deliver = async ({ ctx, form, text }: Submission) => {
    const note = text('note').trim();
    const files = await readSaleFiles(form);
    if (note === '')
      return invalid({
        note: refusalText('no_reason'),
        ...(files.length === 0 && { deed: saleFileRefusals.none }),
      });
    const result = await deliverDocuments(ctx, { saleId: text('id'), files, note });
    if (!result.ok && result.reason === 'files') return invalid(result.errors);
    return answer(doneWords.deliver_documents, text('id'), result);
  };
  const refund = decide('refund', async ({ ctx, text }, reason) => {
    // The command refuses what is not an amount.
    const baseCents = centsFrom(text('base')) ?? Number.NaN;
    const feesCents = centsFrom(text('fees')) ?? Number.NaN;
    const key = text('key').slice(0, 100);
    return refundSale(ctx, { saleId: text('id'), baseCents, feesCents, reason, idempotencyKey: key });
  });
  const bankRefund = (action: AdminAction, command: typeof recordBankRefund) =>
    perform(doneWords[action], ({ ctx, text }) =>
      command(ctx, {
        refundId: text('refund'),
        reference: text('reference'),
        amountCents: Number(text('amount')),
      }),
    );
  const prepareFile = async ({ ctx, text }: Submission) => {
    const { page: _, size: __, ...query } = transactionQueryFrom(args.url.searchParams);
    const format = fileFormats.find((one) => one === text('format')) ?? 'csv';
    await prepareTransactionsFile(ctx, { format, query });
    return redirectWithToast(drawerHref(args.url.searchParams, undefined), {
      title: 'Export started',
      text: 'You are notified here and by email when the file is ready.',
    });
  };
  const payouts = payoutIntents(adminPaths.transactions({ tab: 'payouts' }));
  return runAction<PayoutsExtra>(args, {
    intents: {
      ...payouts,
      prepare_file: prepareFile,
      release: decide('release', ({ ctx, text }, note) =>
        releaseEscrow(ctx, { saleId: text('id'), event: 'release', note }),
      ),
      cancel_sale: move('cancel_sale'),
      resolve_problem: move('resolve_problem'),
      decline_cancellation: move('decline_cancellation'),
      deliver_documents: deliver,
      refund,
      withdraw_refund: decide('withdraw_refund', ({ ctx, text }, reason) =>
        withdrawRefund(ctx, { refundId: text('refund'), reason }),
      ),
      record_bank_refund: bankRefund('record_bank_refund', recordBankRefund),
      confirm_bank_refund: bankRefund('confirm_bank_refund', confirmBankRefund),
      return_bank_refund: decide('return_bank_refund', ({ ctx, text }, reason) =>
        returnBankRefund(ctx, { refundId: text('refund'), reason }),
      ),
      accept_mismatch: decide('accept_mismatch', ({ ctx, text }, note) =>
        acceptMismatch(ctx, { saleId: text('id'), note }),
      ),
      return_mismatch: decide('return_mismatch', ({ ctx, text }, note) =>
        returnMismatch(ctx, { saleId: text('id'), note }),
      ),
      dismiss_mismatch: decide('dismiss_mismatch', ({ ctx, text }, note) =>
        returnMismatch(ctx, { saleId: text('id'), note }),
      ),
      recognise_refund: decide('recognise_refund', ({ ctx, text }, note) =>
        recognizeRefund(ctx, { saleId: text('id'), note }),
      ),
      answer_dispute: perform(
        { title: 'Dispute answered', text: 'The answer is sent to the bank now.' },
        ({ ctx, text }) => answerDispute(ctx, { disputeId: text('dispute'), statement: text('note') }),
      ),
      concede_dispute: perform({ title: 'Dispute accepted', text: 'It stays unanswered.' }, ({ ctx, text }) =>
        concedeDispute(ctx, { disputeId: text('dispute'), reason: text('note') }),
      ),
    },
    preserve: ['note', 'base', 'fees', 'refund', ...preservedPayoutFields],
    messages: (submission) => {
      if (releasesEscrow(submission.intent)) return { unavailable: NOT_RELEASED };
      if (ASKING.includes(submission.intent)) return { unavailable: NOT_ASKED };
      return submission.intent in payouts ? payoutMessages(submission) : {};
    },
  });
}
