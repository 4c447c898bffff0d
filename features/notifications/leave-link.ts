import { paths } from '#app/paths.ts';
import { leaveToken, readLeaveToken as readToken } from '#platform/auth/leave-link.ts';
import type { Ctx } from '#platform/context.ts';
import type { Topic } from './model.ts';

/** The link under a mail by which its reader stops mails of its kind without signing in; it works for good. */
export function leaveLink(
  { config }: Pick<Ctx, 'config'>,
  userId: string,
  topic: Topic,
): { label: string; url: string } {
  const token = leaveToken(config, userId, topic);
  return { label: 'Unsubscribe', url: config.publicUrl + paths.unsubscribe({ token }) };
}

/** Whose mails about what a token stops; null for one that we did not sign. */
export const readLeaveToken = (
  { config }: Pick<Ctx, 'config'>,
  token: string,
): { userId: string; topic: Topic } | null => readToken(config, token);
