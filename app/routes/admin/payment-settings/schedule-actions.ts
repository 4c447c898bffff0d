import {
  type ActionMessages,
  invalid,
  type Refusal,
  redirectWithToast,
  type Submission,
} from '#app/actions/run-action.ts';
import { savePayoutSchedule } from '#features/payout-schedule/commands/save-payout-schedule.ts';
import { SAVE_SCHEDULE } from '#features/payout-schedule/components/schedule-form.tsx';
import { scheduleMessages } from '#features/payout-schedule/rules.ts';
import { type NewerSchedule, scheduleHref } from './schedule-query.ts';

/** What the form says when it could not be saved for a reason that nobody expected. */
export const scheduleFailures: Readonly<Record<string, ActionMessages>> = {
  [SAVE_SCHEDULE]: { failed: scheduleMessages.failed },
};

/** The form of the tab Payout Schedule; what succeeds leads back to it, with a toast. */
export const scheduleIntents = { [SAVE_SCHEDULE]: save };

async function save({ ctx, text }: Submission): Promise<Response | Refusal<NewerSchedule>> {
  const result = await savePayoutSchedule(ctx, {
    seen: text('seen'),
    frequency: text('frequency'),
    minimum: text('minimum'),
    requiresApproval: text('requires') === '1',
    approval: text('approval'),
  });
  if (result.ok) return redirectWithToast(scheduleHref(), { title: scheduleMessages.saved });
  return result.reason === 'invalid'
    ? invalid(result.errors)
    : { ok: false, status: 409, extra: { newerSchedule: result.current } };
}
