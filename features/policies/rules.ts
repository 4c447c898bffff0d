import { hasRole } from '#platform/access.ts';
import { formatCount } from '#platform/format-count.ts';
import { visibleText } from '#platform/typed-text.ts';

export const mayPublishPolicies = hasRole('admin');

/** Most characters of a policy. */
export const POLICY_LIMIT = 40_000;

export const policyMessages = {
  newer: 'This record was changed by someone else',
  required: 'A policy needs a text',
  tooLong: `A policy can have at most ${formatCount(POLICY_LIMIT)} characters`,
  unchanged: 'Nothing has changed',
  failed: 'The policy could not be published',
};

/** The text as it is stored, or what is wrong with it. */
export function checkPolicy(typed: string): { ok: true; body: string } | { ok: false; error: string } {
  const body = visibleText(typed).trim();
  if (body === '') return { ok: false, error: policyMessages.required };
  return [...body].length > POLICY_LIMIT ? { ok: false, error: policyMessages.tooLong } : { ok: true, body };
}
