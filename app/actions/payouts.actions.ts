import { randomUUID } from 'node:crypto';
import { parsePayoutsSort } from '#app/pages/payouts/payouts-query.ts';
import { whenGone } from '#app/when-gone.ts';
import { approvePayoutRun, declinePayoutRun } from '#features/payout-runs/commands/decide-payout-run.ts';
import { requestPayoutRun } from '#features/payout-runs/commands/request-payout-run.ts';
import {
  PROCESS_PAYOUTS,
  REVIEW_PAYOUTS,
  type ShownPlan,
} from '#features/payout-runs/components/confirm-payouts.tsx';
import {
  CONFIRM_PAYOUT,
  FAIL_PAYOUT,
  RECORD_REFERENCE,
  RETRY_PAYOUT,
} from '#features/payout-runs/components/payout-dialogs.tsx';
import { APPROVE_RUN, DECLINE_RUN } from '#features/payout-runs/components/run-dialogs.tsx';
import type { DecideRunResult, NotPlanned, RunRefusal } from '#features/payout-runs/model.ts';
import { allPendingIds, payoutPlan } from '#features/payout-runs/reads.ts';
import { refusedBecause } from '#features/payout-runs/refused-because.ts';
import { runMessages as words } from '#features/payout-runs/rules.ts';
import {
  confirmManualPayout,
  failManualPayout,
  recordBankReference,
} from '#features/payouts/commands/manual-payouts.ts';
import { retryPayout } from '#features/payouts/commands/retry-payout.ts';
import { manualPayoutRefusalTexts as manualRefusals } from '#features/payouts/display.ts';
import { isUuid } from '#platform/uuid.ts';
import {
  type ActionMessages,
  conflict,
  invalid,
  type Refusal,
  redirectWithToast,
  type Submission,
} from './run-action.ts';

/** What a page with Payout Management gets back besides. */
export interface PayoutsExtra {
  /** what the dialog 'Confirm Payouts' shows */
  plan?: ShownPlan;
  /** the run that was asked for */
  run?: string;
  /** why none of the selection can be paid, one by one */
  notPaid?: string[];
}

/**
 * The forms of Payout Management, to be spread into the intents of each page that shows it.
 * @param here the page's URL without a dialog
 */
export const payoutIntents = (here: string) => {
  const done = (toast: { title: string; text?: string }) => redirectWithToast(here, toast);
  return {
    [REVIEW_PAYOUTS]: reviewPayouts,
    [PROCESS_PAYOUTS]: processPayouts(here),
    [APPROVE_RUN]: known(async ({ ctx, text }) =>
      decided(await approvePayoutRun(ctx, { runId: text('id') }), () => done(words.approved)),
    ),
    [DECLINE_RUN]: known(async ({ ctx, text }) =>
      decided(await declinePayoutRun(ctx, { runId: text('id'), reason: text('reason') }), () =>
        done(words.declined),
      ),
    ),
    [RETRY_PAYOUT]: known(async ({ ctx, text }) => {
      const result = await retryPayout(ctx, { saleId: text('id') });
      if (result.ok) return done(words.retried);
      const facts = { sellerName: '', saleId: text('id'), until: null };
      return conflict({ title: words.updateFailed, text: refusedBecause(result.refusal, facts) });
    }),
    [RECORD_REFERENCE]: known(async ({ ctx, text }) => {
      const result = await recordBankReference(ctx, { payoutId: text('id'), reference: text('reference') });
      if (result.ok) return done(words.recorded);
      return result.refusal === 'no_reference'
        ? invalid({ reference: manualRefusals.no_reference })
        : conflict({ title: words.updateFailed, text: manualRefusals[result.refusal] });
    }),
    [CONFIRM_PAYOUT]: known(async ({ ctx, text }) => {
      const result = await confirmManualPayout(ctx, { payoutId: text('id'), reference: text('reference') });
      if (result.ok) return done(words.confirmed);
      return conflict({ title: words.updateFailed, text: manualRefusals[result.refusal] });
    }),
    [FAIL_PAYOUT]: known(async ({ ctx, text }) => {
      const result = await failManualPayout(ctx, {
        payoutId: text('id'),
        reason: text('reason'),
        confirmed: text('confirmed') === '1',
      });
      if (result.ok) return done(result.cameBack ? words.cameBack : words.notMade);
      return result.refusal === 'no_reason'
        ? invalid({ reason: manualRefusals.no_reason })
        : conflict({ title: words.updateFailed, text: manualRefusals[result.refusal] });
    }),
  };
};

/** Titles of what fails otherwise. */
export const payoutMessages = ({ intent }: Submission): ActionMessages => ({
  title:
    intent === REVIEW_PAYOUTS
      ? words.fetchFailed
      : intent === PROCESS_PAYOUTS
        ? words.failed
        : words.updateFailed,
  failed: words.unexpected,
});

/** What was typed, for showing it again. */
export const preservedPayoutFields = ['id', 'typedTotal', 'approver', 'reason', 'reference'] as const;

async function reviewPayouts({ ctx, form, text }: Submission) {
  const saleIds =
    text('all') === '1'
      ? await allPendingIds(ctx, { sort: parsePayoutsSort(text('sort')) })
      : form.getAll('sale').map(String).filter(isUuid);
  if (saleIds.length === 0) return conflict({ title: words.failed, text: words.nothingSelected });
  const plan = await payoutPlan(ctx, { saleIds });
  if (plan.payouts.length === 0) return nothingPayable(plan.refused);
  return { ok: true as const, extra: { plan: { plan, key: randomUUID() } } };
}

const processPayouts = (here: string) => async (submission: Submission) => {
  const { ctx, text, scripted } = submission;
  const key = text('key');
  const result = await requestPayoutRun(ctx, {
    saleIds: text('sales').split(',').filter(isUuid),
    expectedTotalCents: Number(text('total')),
    typedTotal: text('typedTotal'),
    approverId: text('approver') || null,
    idempotencyKey: key,
  });
  if (!result.ok) return refusedRun(result, key);
  const toast =
    result.status === 'running'
      ? words.started(result.count)
      : words.awaiting(result.count, result.approvers);
  return scripted
    ? { ok: true as const, toast, extra: { run: result.runId } }
    : redirectWithToast(here, toast);
};

function refusedRun(refusal: RunRefusal, key: string): Refusal<PayoutsExtra> {
  switch (refusal.reason) {
    case 'nothing_payable':
      return nothingPayable(refusal.refused);
    case 'too_many':
      return conflict({ title: words.failed, text: words.tooMany });
    case 'in_progress':
      return conflict({ title: words.failed, text: words.inProgress });
    case 'changed':
      return {
        ok: false,
        status: 409,
        errors: { form: words.changed },
        extra: { plan: { plan: refusal.plan, key } },
      };
    case 'typed_total':
      return {
        ok: false,
        errors: { typedTotal: words.typedTotal(refusal.plan.totalCents) },
        extra: { plan: { plan: refusal.plan, key } },
      };
    case 'approver': {
      const nobody = refusal.plan.approvers.length === 0;
      return {
        ok: false,
        errors: nobody ? { form: words.noApprover } : { approver: words.approver },
        extra: { plan: { plan: refusal.plan, key } },
      };
    }
  }
}

function nothingPayable(refused: readonly NotPlanned[]): Refusal<PayoutsExtra> {
  const notPaid = refused.map(({ reason, seller, saleId, until }) =>
    refusedBecause(reason, {
      sellerName: seller.name,
      saleId,
      until: until === null ? null : new Date(until),
    }),
  );
  return {
    ok: false,
    status: 409,
    toast: { title: words.cannot, text: notPaid.length === 1 ? notPaid[0] : words.nothingPayable },
    extra: { notPaid },
  };
}

function decided(result: DecideRunResult, done: () => Response): Response | Refusal<never> {
  if (result.ok) return done();
  if (result.reason === 'no_reason') return invalid({ reason: words.noReason });
  return conflict({
    title: words.updateFailed,
    text: result.reason === 'own_run' ? words.ownRun : words.notWaiting,
  });
}

/** Another administrator may have dealt with it, or it never was there. */
const known =
  (handler: (submission: Submission) => Promise<Response | Refusal<never>>) => (submission: Submission) =>
    whenGone(handler(submission), () => conflict({ title: words.updateFailed, text: words.gone }));
