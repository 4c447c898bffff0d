import { setFeatured } from '#features/listing-review/commands/set-featured.ts';
import { type FeatureRefusal, featuredMessages } from '#features/listing-review/rules.ts';
import type { Ctx } from '#platform/context.ts';
import type { PropertyErrors } from './property-form.ts';
import type { Refuse } from './refusals.ts';

const refusals: Record<FeatureRefusal, string> = {
  full: `${featuredMessages.full.title}. ${featuredMessages.full.text}`,
  not_public: featuredMessages.notPublic.text,
};

/** Features the property or no longer, in the form's transaction; refuses the form when that is not possible. */
export async function writeFeatured(
  ctx: Ctx,
  propertyId: string,
  featured: boolean,
  refuse: Refuse<{ ok: false; reason: 'invalid'; errors: PropertyErrors }>,
): Promise<void> {
  const result = await setFeatured(ctx, { propertyId, featured });
  if (!result.ok) refuse({ ok: false, reason: 'invalid', errors: { featured: refusals[result.reason] } });
}
