import { whenGone } from '#app/when-gone.ts';
import { approveListings } from '#features/listing-review/commands/approve-listings.ts';
import { decideListing } from '#features/listing-review/commands/decide-listing.ts';
import type { Decision, NotDecided } from '#features/listing-review/model.ts';
import { decisionMessages } from '#features/listing-review/rules.ts';
import { isUuid } from '#platform/uuid.ts';
import { conflict, invalid, redirectWithToast, type Submission } from './run-action.ts';

/** What a page of the review desk gets back besides: what of a selection was not approved. */
export interface NotDecidedExtra {
  notDecided: NotDecided[];
}

/** Decides about one listing and goes on to the next one, whose URL `hrefOf` makes. */
export const handleDecision =
  (decision: Decision, hrefOf: (listing: string | undefined) => string) =>
  async ({ ctx, text }: Submission) => {
    const input = { propertyId: text('id'), version: text('version'), decision };
    const result = await whenGone(
      decideListing(ctx, { ...input, reason: text('reason'), message: text('message') }),
      () => ({ ok: false, reason: 'not_waiting', why: 'There is no such property.' }) as const,
    );
    if (!result.ok)
      return result.reason === 'invalid'
        ? invalid(result.errors)
        : conflict({ title: 'Nothing was decided', text: result.why });
    const next = text('next');
    return redirectWithToast(
      hrefOf(isUuid(next) ? next : undefined),
      decision === 'approve' ? { title: decisionMessages.approved(1) } : decisionMessages[decision],
    );
  };

/** Approves what is selected; what could not be approved is listed on the page. */
export async function handleApproveSelected({ ctx, form }: Submission) {
  const selected = form.getAll('selected').flatMap((value) => {
    const [propertyId = '', version = ''] = String(value).split(' ');
    return propertyId ? [{ propertyId, version }] : [];
  });
  const { approved, rest } = await approveListings(ctx, selected);
  const extra: NotDecidedExtra = { notDecided: rest };
  if (approved === 0)
    return { ok: false as const, status: 409, toast: decisionMessages.approveFailed, extra };
  return { ok: true as const, toast: { title: decisionMessages.approved(approved) }, extra };
}
