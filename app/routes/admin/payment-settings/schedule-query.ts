import type { ScheduleSettings } from '#features/payout-schedule/model.ts';
import { adminPaths } from '#routing/admin-paths.ts';

/** The URL of the tab Payout Schedule; `history`: where the history goes on. */
export const scheduleHref = (change: { history?: string | undefined } = {}): string =>
  adminPaths.paymentSettings({ tab: 'schedule', ...change });

/** What the answer to the form of this tab says about what somebody else has saved meanwhile. */
export interface NewerSchedule {
  newerSchedule?: ScheduleSettings;
}

/** The fields that the form of the tab gets back when it is refused. */
export const scheduleFields = ['frequency', 'minimum', 'requires', 'approval'];
