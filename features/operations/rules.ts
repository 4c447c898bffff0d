import { hasRole, nobody } from '#platform/access.ts';
import { cutText } from '#platform/cut-text.ts';
import { SHORT_REASON_MAX_LENGTH } from '#platform/reason-length.ts';

export const mayOperate = hasRole('admin');
/** The operator's backup says on the command line that it is done. */
export const mayMarkBackups = nobody;

/** Why an action was refused, in words. */
export const operationRefusals = {
  gone: 'Someone else has dealt with it already.',
  no_reason: 'Please give a reason.',
} as const;

export type OperationResult =
  | { ok: true; count: number }
  | { ok: false; reason: keyof typeof operationRefusals };

/** A reason as it is kept; empty when none was given. */
export const reasonFrom = (typed: string): string => cutText(typed.trim(), SHORT_REASON_MAX_LENGTH);
