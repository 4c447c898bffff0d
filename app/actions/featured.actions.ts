import { whenGone } from '#app/when-gone.ts';
import { setFeatured } from '#features/listing-review/commands/set-featured.ts';
import { featuredMessages } from '#features/listing-review/rules.ts';
import { conflict, redirectWithToast, type Submission } from './run-action.ts';

/** Features a listing or no longer. Without scripts it returns to `back` with the toast. */
export async function handleFeatured({ ctx, text, scripted }: Submission, back: string) {
  const featured = text('featured') === 'yes';
  const result = await whenGone(setFeatured(ctx, { propertyId: text('id'), featured }), () => ({
    ok: false as const,
    reason: 'not_public' as const,
  }));
  if (result.ok) {
    const toast = featured ? featuredMessages.featured : featuredMessages.unfeatured;
    return scripted ? { ok: true as const, toast } : redirectWithToast(back, toast);
  }
  const refusal = result.reason === 'full' ? featuredMessages.full : featuredMessages.notPublic;
  return scripted ? conflict(refusal) : redirectWithToast(back, { ...refusal, tone: 'bad' });
}
