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
import { answerDispute } from '#features/disputes/commands/answer-dispute.ts';
import { concedeDispute } from '#features/disputes/commands/concede-dispute.ts';
import { acceptMismatch, returnMismatch } from '#features/payments/commands/decide-mismatch.ts';
import { recogniseRefund } from '#features/payments/commands/recognise-refund.ts';
import { refundSale } from '#features/payments/commands/refund-sale.ts';
import { actOnSale } from '#features/sales/commands/act-on-sale.ts';
import type { PartyEvent } from '#features/sales/model.ts';
import type { SaleAct } from '#features/transactions/acts.ts';
import { doneWords, fieldOfRefusal, refusalText } from '#features/transactions/components/act-words.ts';
import { typedCents } from '#features/transactions/dollars.ts';
import { listParams, transactionQueryFrom } from '#features/transactions/filters.ts';
import { adminPaths } from '#routing/admin-paths.ts';

type Refused = { ok: false; reason: Parameters<typeof refusalText>[0] };
type Command = (submission: Submission, saleId: string, note: string) => Promise<{ ok: true } | Refused>;

const move =
  (event: PartyEvent): Command =>
  ({ ctx }, saleId, note) =>
    actOnSale(ctx, { saleId, event, note });

const commands: Record<Exclude<SaleAct, 'refund'>, Command> = {
  release: move('release'),
  resolve_problem: move('resolve_problem'),
  decline_cancellation: move('decline_cancellation'),
  deliver_documents: move('deliver_documents'),
  cancel_sale: move('cancel_sale'),
  accept_mismatch: ({ ctx }, saleId, note) => acceptMismatch(ctx, { saleId, note }),
  return_mismatch: ({ ctx }, saleId, note) => returnMismatch(ctx, { saleId, note }),
  dismiss_mismatch: ({ ctx }, saleId, note) => returnMismatch(ctx, { saleId, note }),
  recognise_refund: ({ ctx }, saleId, note) => recogniseRefund(ctx, { saleId, note }),
};

/** Carries out what an administrator does with a sale, and returns to its drawer with a toast. */
export function handleTransactionsForm(args: ActionArgs & { url: URL }) {
  const query = transactionQueryFrom(args.url.searchParams);
  const back = (saleId: string) =>
    adminPaths.transactions({
      ...listParams(query),
      page: query.page > 1 ? query.page : undefined,
      sale: saleId || undefined,
    });
  const finish = (
    saleId: string,
    result: { ok: true } | Refused,
    toast: { title: string; text?: string },
  ) => {
    if (result.ok) return redirectWithToast(back(saleId), toast, { status: 303 });
    const problem = refusalText(result.reason);
    const field = fieldOfRefusal[result.reason];
    if (field) return invalid({ [field]: problem });
    return redirectWithToast(
      back(saleId),
      { title: 'Not done', text: problem, tone: 'bad' },
      { status: 303 },
    );
  };
  const perform = (act: Exclude<SaleAct, 'refund'>) => async (submission: Submission) => {
    const saleId = submission.text('id');
    const note = submission.text('note');
    if (note.trim() === '') return invalid({ note: refusalText('no_reason') });
    return finish(saleId, await commands[act](submission, saleId, note), doneWords[act]);
  };
  const shownSale = args.url.searchParams.get('sale') ?? '';
  return runAction<PayoutsExtra>(args, {
    intents: {
      ...payoutIntents(adminPaths.transactions({ tab: 'payouts' })),
      release: perform('release'),
      resolve_problem: perform('resolve_problem'),
      decline_cancellation: perform('decline_cancellation'),
      deliver_documents: perform('deliver_documents'),
      cancel_sale: perform('cancel_sale'),
      accept_mismatch: perform('accept_mismatch'),
      return_mismatch: perform('return_mismatch'),
      dismiss_mismatch: perform('dismiss_mismatch'),
      recognise_refund: perform('recognise_refund'),
      refund: async ({ ctx, text }) => {
        const [baseCents, feesCents] = [typedCents(text('base')), typedCents(text('fees'))];
        const wrong = 'Please enter an amount in dollars and cents.';
        if (baseCents === null) return invalid({ base: wrong });
        if (feesCents === null) return invalid({ fees: wrong });
        const saleId = text('id');
        const result = await refundSale(ctx, {
          saleId,
          baseCents,
          feesCents,
          reason: text('note'),
          idempotencyKey: text('key'),
        });
        return finish(saleId, result, doneWords.refund);
      },
      answer_dispute: async ({ ctx, text }) =>
        finish(shownSale, await answerDispute(ctx, { disputeId: text('dispute'), statement: text('note') }), {
          title: 'Dispute answered',
          text: 'The evidence is sent to the bank now.',
        }),
      concede_dispute: async ({ ctx, text }) =>
        finish(shownSale, await concedeDispute(ctx, { disputeId: text('dispute'), reason: text('note') }), {
          title: 'Dispute accepted',
        }),
    },
    preserve: ['note', 'base', 'fees', ...preservedPayoutFields],
    messages: (submission) => (submission.intent in commands ? {} : payoutMessages(submission)),
  });
}
