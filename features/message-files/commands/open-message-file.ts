import type { CtxWith } from '#gateways/ports.ts';
import { authorizedUser } from '#platform/access.ts';
import { audit } from '#platform/audit.ts';
import { NotFound } from '#platform/errors.ts';
import { takeTokens } from '#platform/rate-limits.ts';
import { isUuid } from '#platform/uuid.ts';
import { messageFileLimits } from '../limits.ts';
import { mayUseFiles } from '../rules.ts';

/** How long the address of a file is valid, in seconds. */
const LINK_SECONDS = 120;

/**
 * The signed address of a file in a conversation, for its two parties, and for administrators where the conversation was reported;
 * each opening by an administrator is recorded.
 * @throws Unauthenticated; NotFound for the files of others; TooManyRequests; FileStoreError
 */
export async function openMessageFile(
  ctx: CtxWith<'files'>,
  { fileId }: { fileId: string },
): Promise<string> {
  const user = authorizedUser(ctx, mayUseFiles);
  const row = isUuid(fileId)
    ? await ctx.db
        .q()
        .selectFrom('message_files as f')
        .innerJoin('inquiry_messages as m', 'm.id', 'f.message_id')
        .innerJoin('property_inquiries as i', 'i.id', 'm.inquiry_id')
        .innerJoin('properties as p', 'p.id', 'i.property_id')
        .select(['f.file_key', 'f.name', 'i.id as inquiry_id', 'i.user_id as buyer_id', 'p.agent_id'])
        .select((of) =>
          of
            .exists(
              of.selectFrom('inquiry_reports as r').select('r.id').whereRef('r.inquiry_id', '=', 'i.id'),
            )
            .as('reported'),
        )
        .where('f.id', '=', fileId)
        .executeTakeFirst()
    : undefined;
  const isParty =
    row && (row.buyer_id === user.id || (user.role === 'agent' && row.agent_id === user.agentId));
  const oversees = row?.reported === true && user.role === 'admin' && !user.mustAddFactor;
  if (!row || !(isParty || oversees)) throw new NotFound('File not found');
  await takeTokens(ctx, messageFileLimits.open, user.id);
  if (!isParty)
    await ctx.db.tx(() =>
      audit(ctx, {
        action: 'inquiry.open_file',
        entity: 'property_inquiry',
        entityId: row.inquiry_id,
        after: { file: fileId },
      }),
    );
  return ctx.files.readUrl(row.file_key, { ttlSeconds: LINK_SECONDS, downloadName: row.name });
}
