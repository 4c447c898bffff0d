import type { Ctx } from '#platform/context.ts';
import { paths } from '#routing/paths.ts';
import type { Topic } from './model.ts';
import { unsubscribeToken } from './unsubscribe-token.ts';

/** The unsubscribe link of a mail, for one topic; works without signing in and never expires. */
export function unsubscribeLink(
  { config }: Pick<Ctx, 'config'>,
  userId: string,
  topic: Topic,
): { label: string; url: string } {
  const token = unsubscribeToken(config, userId, topic);
  return { label: 'Unsubscribe', url: config.publicUrl + paths.unsubscribe({ token }) };
}
