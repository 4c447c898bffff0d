import { type ActionArgs, redirectWithToast, runAction, type Submission } from '#app/actions/run-action.ts';
import type { BreakAction } from '#features/reconciliation/break-actions.ts';
import { acknowledgeBreak } from '#features/reconciliation/commands/acknowledge-break.ts';
import { decideWriteOff } from '#features/reconciliation/commands/decide-write-off.ts';
import { type LinkTarget, linkBreak } from '#features/reconciliation/commands/link-break.ts';
import { postBreak } from '#features/reconciliation/commands/post-break.ts';
import { recordTreasuryMove } from '#features/reconciliation/commands/record-treasury-move.ts';
import { refundBreak } from '#features/reconciliation/commands/refund-break.ts';
import { requestReconciliation } from '#features/reconciliation/commands/request-reconciliation.ts';
import { returnSuspense } from '#features/reconciliation/commands/return-suspense.ts';
import { writeOffBreak } from '#features/reconciliation/commands/write-off-break.ts';
import { actionTexts, breakRefusals } from '#features/reconciliation/display.ts';
import type { BreakActionResult } from '#features/reconciliation/model.ts';
import { breakDetail } from '#features/reconciliation/reads.ts';
import { adminPaths } from '#routing/admin-paths.ts';
import { parseReconciliationQuery, toReconciliationQuery } from './query.ts';

type Command = (
  submission: Submission,
  input: { breakId: string; reason: string },
) => Promise<BreakActionResult>;

const commands: Record<BreakAction, Command> = {
  link: ({ ctx, text }, input) => linkBreak(ctx, { ...input, to: targetFrom(text('to'), text('sale')) }),
  post: ({ ctx, text }, input) => postBreak(ctx, { ...input, account: text('account') }),
  refund: ({ ctx }, input) => refundBreak(ctx, input),
  treasury: moveTreasury,
  write_off: ({ ctx }, input) => writeOffBreak(ctx, input),
  return: ({ ctx }, input) => returnSuspense(ctx, input),
  acknowledge: ({ ctx }, input) => acknowledgeBreak(ctx, input),
  approve: ({ ctx }, { breakId }) => decideWriteOff(ctx, { breakId, approve: true }),
  decline: ({ ctx }, { breakId }) => decideWriteOff(ctx, { breakId, approve: false }),
};

/** The toast when another administrator has to approve a decision. */
const approvalWords: Partial<Record<BreakAction, string>> = { write_off: 'Write-off requested' };

/** Carries out a decision about a difference, and returns to it with a toast. */
export function handleReconciliationForm(args: ActionArgs & { url: URL }) {
  const here = toReconciliationQuery(parseReconciliationQuery(args.url.searchParams));
  const perform = (action: BreakAction) => async (submission: Submission) => {
    const breakId = submission.text('id');
    const result = await commands[action](submission, { breakId, reason: submission.text('reason') });
    const back = adminPaths.reconciliation({ ...here, details: breakId });
    if (result.ok)
      return redirectWithToast(
        back,
        result.awaitingApproval
          ? {
              title: approvalWords[action] ?? 'Approval requested',
              text: 'Another administrator has to approve it.',
            }
          : { title: actionTexts[action].done },
        { status: 303 },
      );
    const problem = breakRefusals[result.reason];
    const field = fieldOf(result.reason);
    if (field) return { ok: false as const, errors: { [field]: problem } };
    return redirectWithToast(back, { title: 'Not done', text: problem, tone: 'bad' }, { status: 303 });
  };
  return runAction(args, {
    intents: {
      link: perform('link'),
      post: perform('post'),
      refund: perform('refund'),
      treasury: perform('treasury'),
      write_off: perform('write_off'),
      return: perform('return'),
      acknowledge: perform('acknowledge'),
      approve: perform('approve'),
      decline: perform('decline'),
      run: async ({ ctx }) => {
        const requested = await requestReconciliation(ctx);
        const title = requested ? 'Reconciliation started' : 'A reconciliation starts already';
        return redirectWithToast(adminPaths.reconciliation({ tab: 'runs' }), { title }, { status: 303 });
      },
    },
    preserve: ['reason', 'to', 'sale', 'account', 'other'],
  });
}

/** The field that a refusal is about, which stays open for another try. */
function fieldOf(reason: keyof typeof breakRefusals): string | null {
  if (reason === 'no_reason') return 'reason';
  if (reason === 'nothing_fits') return 'to';
  if (reason === 'wrong_account' || reason === 'nothing_in_suspense') return 'account';
  return reason === 'no_transaction' || reason === 'amounts_differ' ? 'other' : null;
}

/** `posting:ID` and `transaction:ID` as listed, or the id of a sale as typed. */
function targetFrom(chosen: string, sale: string): LinkTarget {
  const [kind, id = ''] = chosen.split(':');
  if (kind === 'posting') return { postingId: Number(id) };
  return kind === 'transaction' ? { transactionId: id } : { saleId: sale.trim() };
}

/** The transaction of the difference is one side; the other one may still be on its way. */
async function moveTreasury(
  { ctx, text }: Submission,
  { breakId, reason }: { breakId: string; reason: string },
): Promise<BreakActionResult> {
  const { transaction } = await breakDetail(ctx, { breakId });
  if (!transaction) return { ok: false, reason: 'no_transaction' };
  const other = text('other').replace(/^transaction:/, '') || null;
  return recordTreasuryMove(ctx, {
    ...(transaction.amountCents < 0
      ? { sentId: transaction.id, receivedId: other }
      : { sentId: other, receivedId: transaction.id }),
    reason,
  });
}
