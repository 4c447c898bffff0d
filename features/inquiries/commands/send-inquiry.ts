import { visibleListing } from '#features/listings/reads.ts';
import { authorizedUser } from '#platform/access.ts';
import { audit } from '#platform/audit.ts';
import type { Ctx } from '#platform/context.ts';
import { takeTokens } from '#platform/rate-limits.ts';
import { visibleText } from '#platform/typed-text.ts';
import { isUuid } from '#platform/uuid.ts';
import { appendMessage, findSentMessage } from '../append-message.ts';
import { inquiryLimits } from '../limits.ts';
import { type InquiryResult, MESSAGE_LIMIT } from '../model.ts';
import { notifyParties } from '../notify-parties.ts';
import { blocksBetween, conversation } from '../parties.ts';
import { inquiryRefusal, mayInquire } from '../rules.ts';

interface InquiryInput {
  propertyId: string;
  message: string;
  /** idempotency key, so that a double click sends one inquiry */
  key: string;
}

/**
 * Stores an inquiry about a property; a second one of the same user joins the existing thread. The seller is notified
 * live and by mail. Repeated with the same key and text it is the first one, and nothing changes.
 * @throws Unauthenticated; NotFound for a property this user cannot see; TooManyRequests (3 a minute, 10 a day)
 */
export async function sendInquiry(ctx: Ctx, input: InquiryInput): Promise<InquiryResult> {
  const user = authorizedUser(ctx, mayInquire);
  const message = visibleText(input.message).trim();
  if (!message) return { ok: false, reason: 'empty' };
  if (message.length > MESSAGE_LIMIT) return { ok: false, reason: 'too_long' };
  const before = await findSentInquiry(ctx, user.id, { ...input, message });
  if (before !== null) return { ok: true, inquiryId: before };
  const listing = await visibleListing(ctx, input.propertyId);
  const refusal = inquiryRefusal(ctx.actor, listing);
  if (refusal) return { ok: false, reason: refusal };
  const { blockedByMe, blockedByOther } = await blocksBetween(ctx, user.id, listing.seller.userId);
  if (blockedByMe || blockedByOther) return { ok: false, reason: 'blocked' };
  await takeTokens(ctx, inquiryLimits.inquiry, user.id);

  return ctx.db.tx(async () => {
    const at = ctx.now();
    const created = await ctx.db
      .q()
      .insertInto('property_inquiries')
      .values({
        property_id: input.propertyId,
        user_id: user.id,
        message,
        client_key: input.key,
        last_message_at: at,
        created_at: at,
      })
      .onConflict((conflict) => conflict.columns(['property_id', 'user_id']).doNothing())
      .returning('id')
      .executeTakeFirst();
    if (created)
      await audit(ctx, { action: 'inquiry.send', entity: 'property_inquiry', entityId: created.id });
    const {
      id,
      client_key,
      message: first,
    } = await ctx.db
      .q()
      .selectFrom('property_inquiries')
      .select(['id', 'client_key', 'message'])
      .where('property_id', '=', input.propertyId)
      .where('user_id', '=', user.id)
      .executeTakeFirstOrThrow();
    const thread = await conversation(ctx, id);
    if (created) await notifyParties(ctx, thread, { id, text: message, from: 'buyer', first: true });
    else if (client_key !== input.key || first !== message)
      await appendMessage(ctx, user, thread, { text: message, key: input.key });
    return { ok: true, inquiryId: id };
  });
}

/**
 * The inquiry with what this user already sent with this key and text, or null. Looked for before anything can refuse it: sent again
 * because its answer was lost, it is stored whatever has become of the property since.
 */
async function findSentInquiry(
  ctx: Ctx,
  userId: string,
  { propertyId, message, key }: InquiryInput,
): Promise<string | null> {
  if (!isUuid(propertyId)) return null;
  const thread = await ctx.db
    .q()
    .selectFrom('property_inquiries')
    .select(['id', 'client_key', 'message'])
    .where('property_id', '=', propertyId)
    .where('user_id', '=', userId)
    .executeTakeFirst();
  if (!thread) return null;
  const isFirst = thread.client_key === key && thread.message === message;
  return isFirst || (await findSentMessage(ctx, thread.id, userId, { text: message, key }))
    ? thread.id
    : null;
}
