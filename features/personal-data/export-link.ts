import { seal, unseal } from '#platform/auth/seal.ts';
import type { Ctx } from '#platform/context.ts';
import { MINUTE } from '#platform/durations.ts';

const PURPOSE = 'personal data export';

/** How long an administrator can download an export that was prepared. */
const EXPORT_LINK_LASTS_MS = 10 * MINUTE;

/** The part of the download's URL that says whose data it is; for one administrator, for ten minutes. */
export const exportLink = (ctx: Ctx, of: { administratorId: string; userId: string }): string =>
  seal(
    ctx.config,
    PURPOSE,
    [of.administratorId, of.userId, ctx.now().getTime() + EXPORT_LINK_LASTS_MS].join(' '),
  );

/** Whose data a link opens to this administrator; null for any other link, and for one that has expired. */
export function readExportLink(ctx: Ctx, administratorId: string, link: string): string | null {
  const [of, userId, until] = unseal(ctx.config, PURPOSE, link)?.split(' ') ?? [];
  return userId && of === administratorId && Number(until) > ctx.now().getTime() ? userId : null;
}
