export const PROPERTY_KINDS = ['Single Family', 'Multi-Family', 'Commercial', 'Vacant Lot'] as const;
export type PropertyKind = (typeof PROPERTY_KINDS)[number];

export const VARIANTS = ['exterior', 'living', 'kitchen', 'plan'] as const;
/** What a picture shows. For a Vacant Lot 'living' and 'kitchen' are two more views of the ground. */
export type Variant = (typeof VARIANTS)[number];

/** A prime, so that caches stay small while neighbours in a list seldom look alike. */
export const DIFFERENT_PICTURES = 997;

/** Which illustrations belong to a listing. `hash` is 0 … 996. */
export interface IllustrationAddress {
  kind: PropertyKind;
  hash: number;
}

const SLUGS: Record<PropertyKind, string> = {
  'Single Family': 'single-family',
  'Multi-Family': 'multi-family',
  Commercial: 'commercial',
  'Vacant Lot': 'vacant-lot',
};

/** The pictures of a property that has no photographs. A type we have no drawings for looks like Single Family. */
export function illustrationAddress(propertyId: string, typeName: string | null): IllustrationAddress {
  const kind = PROPERTY_KINDS.find((known) => known === typeName) ?? 'Single Family';
  return { kind, hash: fnv1a(propertyId.toLowerCase()) % DIFFERENT_PICTURES };
}

/** `/illustrations/single-family/412/exterior.svg` */
export const illustrationPath = ({ kind, hash }: IllustrationAddress, variant: Variant): string =>
  `/illustrations/${SLUGS[kind]}/${hash}/${variant}.svg`;

/** The pictures of a listing in the order of its carousel: the exterior first. */
export const illustrationVariants = (kind: PropertyKind): readonly Variant[] =>
  kind === 'Vacant Lot' ? ['exterior', 'living', 'kitchen'] : VARIANTS;

/** The reverse of `illustrationPath` for its three parts; null for anything that function never writes. */
export function readIllustrationPath(
  kindSlug: string,
  hashText: string,
  fileName: string,
): (IllustrationAddress & { variant: Variant }) | null {
  const kind = PROPERTY_KINDS.find((known) => SLUGS[known] === kindSlug);
  const variant = VARIANTS.find((known) => fileName === `${known}.svg`);
  const hash = /^(0|[1-9]\d{0,2})$/.test(hashText) ? Number(hashText) : DIFFERENT_PICTURES;
  return kind && variant && hash < DIFFERENT_PICTURES ? { kind, hash, variant } : null;
}

/** 32-bit FNV-1a over UTF-16 units. */
function fnv1a(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193) >>> 0;
  }
  return hash;
}
