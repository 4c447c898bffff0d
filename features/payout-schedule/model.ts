import type { PayoutRun } from '#features/payout-runs/model.ts';
import type { PayoutMethod } from '#features/payouts/model.ts';
import type { PayoutFrequency } from '#features/settings/rules.ts';

/** What administrators decide about scheduled payouts. Integer cents. */
export interface ScheduleSettings {
  frequency: PayoutFrequency;
  /** what a seller has to be owed */
  minimumCents: number;
  /** above this total a second administrator approves a run; null: never */
  approvalCents: number | null;
}

/** The schedule as it is stored, and what follows from it. Times are ISO, UTC. */
export interface PayoutScheduleState {
  settings: ScheduleSettings;
  /** the threshold that still holds for whoever raised it and for the schedule, until somebody else saves it; null when none does */
  raised: { by: string; isViewer: boolean; boundCents: number | null } | null;
  next: NextPayouts;
  last: LastPayouts | null;
  /** methods whose payouts are made by hand, because no provider is connected */
  byHand: PayoutMethod[];
}

/** When the schedule pays next. */
export interface NextPayouts {
  frequency: PayoutFrequency;
  minimumCents: number;
  /** null where there is no date: as soon as something is due, or never */
  at: string | null;
  /** 'in 6 days' */
  inWords: string | null;
}

/** How the schedule ran last. */
export interface LastPayouts {
  at: string;
  /** null when nobody could be paid */
  run: PayoutRun | null;
  sellersBelowMinimum: number;
}

/** The form as it was typed. */
export interface TypedSchedule {
  frequency: string;
  /** cents */
  minimum: string;
  /** whether there is a threshold */
  requiresApproval: boolean;
  /** dollars */
  approval: string;
}

export type ScheduleErrors = Partial<Record<'frequency' | 'minimum' | 'approval', string>>;

export type SaveScheduleResult =
  | { ok: true }
  | { ok: false; reason: 'invalid'; errors: ScheduleErrors }
  /** another administrator has changed it meanwhile; nothing was changed */
  | { ok: false; reason: 'newer'; current: ScheduleSettings };
