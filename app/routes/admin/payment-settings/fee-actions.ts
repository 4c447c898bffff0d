import {
  type ActionMessages,
  conflict,
  invalid,
  type Refusal,
  redirectWithToast,
  type Submission,
} from '#app/actions/run-action.ts';
import { dropPlannedCommission, setCommission } from '#features/commission/commands/set-commission.ts';
import { DROP_COMMISSION, SAVE_COMMISSION } from '#features/commission/components/commission-dialogs.tsx';
import { commissionMessages } from '#features/commission/rules.ts';
import { removeFee } from '#features/fees/commands/remove-fee.ts';
import { saveFee } from '#features/fees/commands/save-fee.ts';
import { setFeeActive } from '#features/fees/commands/set-fee-active.ts';
import { SAVE_FEE } from '#features/fees/components/fee-dialog.tsx';
import { SET_FEE_STATUS } from '#features/fees/components/fees-table.tsx';
import { REMOVE_FEE } from '#features/fees/components/remove-fee-dialog.tsx';
import { feeAlreadyText, feeMessages, feeSides, feeStatusText } from '#features/fees/managed.ts';
import { feesHref, type NewerFees } from './fees-query.ts';

type Answer = Promise<Response | Refusal<NewerFees>>;

/** What the forms of the tab say when they could not be done for a reason that nobody expected. */
export const feeFailures: Readonly<Record<string, ActionMessages>> = {
  [SAVE_FEE]: { failed: feeMessages.saveFailed },
  [SET_FEE_STATUS]: { failed: feeMessages.statusFailed },
  [REMOVE_FEE]: { failed: feeMessages.removeFailed },
  [SAVE_COMMISSION]: { failed: commissionMessages.failed },
  [DROP_COMMISSION]: { failed: commissionMessages.failed },
};

/** The forms of the tab Service Fees; what succeeds leads back to it, with a toast. */
export const feeIntents: Readonly<Record<string, (submission: Submission) => Answer>> = {
  [SAVE_FEE]: save,
  [SET_FEE_STATUS]: setStatus,
  [REMOVE_FEE]: remove,
  [SAVE_COMMISSION]: saveCommission,
  [DROP_COMMISSION]: dropCommission,
};

const done = (title: string) => redirectWithToast(feesHref(), { title });
const gone = () => redirectWithToast(feesHref(), { title: 'Error', text: feeMessages.gone, tone: 'bad' });

async function save({ ctx, text }: Submission): Answer {
  const result = await saveFee(ctx, {
    id: text('id') || null,
    seen: text('seen'),
    name: text('name'),
    type: text('type'),
    amount: text('amount'),
    appliesTo: feeSides.filter((side) => text(side) === '1'),
    active: text('active') === '1',
  });
  if (result.ok) return done(feeMessages.saved);
  if (result.reason === 'invalid') return invalid(result.errors);
  if (result.reason === 'gone') return gone();
  return { ...conflict(feeMessages.newer), extra: { newerFee: result.current } };
}

async function setStatus({ ctx, text }: Submission): Answer {
  const active = text('active') === '1';
  const result = await setFeeActive(ctx, { id: text('id'), active });
  if (result.ok) return done(feeStatusText(active));
  return result.reason === 'gone' ? gone() : conflict(feeAlreadyText(active));
}

async function remove({ ctx, text }: Submission): Answer {
  const result = await removeFee(ctx, { id: text('id') });
  if (!result.ok) return gone();
  return done(result.way === 'deleted' ? feeMessages.deleted : feeMessages.archived);
}

async function saveCommission({ ctx, text }: Submission): Answer {
  const when = text('when');
  const result = await setCommission(ctx, {
    percent: text('percent'),
    when,
    day: text('day'),
    seen: text('seen'),
  });
  if (result.ok) return done(when === 'day' ? commissionMessages.planned : commissionMessages.saved);
  if (result.reason === 'invalid') return invalid(result.errors);
  return { ...conflict(commissionMessages.newer), extra: { newerCommission: result.current } };
}

async function dropCommission({ ctx, text }: Submission): Answer {
  const result = await dropPlannedCommission(ctx, { seen: text('seen') });
  return result.ok ? done(commissionMessages.dropped) : conflict(commissionMessages.newer);
}
