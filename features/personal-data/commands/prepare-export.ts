import { reasonProblem } from '#features/buyers/rules.ts';
import { authorizedUser } from '#platform/access.ts';
import { audit } from '#platform/audit.ts';
import { requireFreshProof } from '#platform/auth/fresh-proof.ts';
import type { Ctx } from '#platform/context.ts';
import { visibleText } from '#platform/typed-text.ts';
import { exportLink } from '../export-link.ts';
import { lockPerson } from '../lock-person.ts';
import { mailDataExported } from '../mails.ts';
import { mayAnswerDataRequests } from '../rules.ts';

type PrepareExportResult =
  | { ok: true; name: string; link: string }
  | { ok: false; reason: 'empty' | 'too_long' | 'closed' };

/**
 * Prepares the download of everything that is kept about a buyer or a seller, who asked for it, and tells them so by email.
 * @param input `reason`: for the record, such as how the request arrived
 * @returns the link, which the same administrator can open for ten minutes
 * @throws Unauthenticated, ProofRequired, Forbidden for everyone but administrators; NotFound for who is neither
 */
export async function prepareExport(
  ctx: Ctx,
  input: { userId: string; reason: string },
): Promise<PrepareExportResult> {
  const administrator = authorizedUser(ctx, mayAnswerDataRequests);
  requireFreshProof(ctx);
  const reason = visibleText(input.reason).trim();
  const problem = reasonProblem(reason);
  if (problem) return { ok: false, reason: problem };
  return ctx.db.tx(async (): Promise<PrepareExportResult> => {
    const person = await lockPerson(ctx, input.userId, ['buyer', 'agent']);
    if (person.closed) return { ok: false, reason: 'closed' };
    await audit(ctx, { action: 'account.export', entity: 'user', entityId: person.id, after: { reason } });
    await mailDataExported(ctx, person);
    const link = exportLink(ctx, { administratorId: administrator.id, userId: person.id });
    return { ok: true, name: person.name, link };
  });
}
