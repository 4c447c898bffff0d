export const PROPERTY_KINDS = ['Single Family', 'Multi-Family', 'Commercial', 'Vacant Lot'] as const;
export type PropertyKind = (typeof PROPERTY_KINDS)[number];

export const VARIANTS = ['exterior', 'living', 'kitchen', 'plan'] as const;
/** What a picture shows. For a Vacant Lot 'living' and 'kitchen' are two more views of the lot. */
export type Variant = (typeof VARIANTS)[number];

/** Pictures per kind. Small enough to cache; prime, so that neighbours in a list seldom look alike. */
export const PICTURES_PER_KIND = 997;

/** Identifies the illustrations of a listing. `hash` is 0 … 996. */
export interface IllustrationKey {
  kind: PropertyKind;
  hash: number;
}

const SLUGS: Record<PropertyKind, string> = {
  'Single Family': 'single-family',
  'Multi-Family': 'multi-family',
  Commercial: 'commercial',
  'Vacant Lot': 'vacant-lot',
};

/** The pictures of a property without photographs. An unknown type gets those of Single Family. */
export function illustrationKey(propertyId: string, typeName: string | null): IllustrationKey {
  const kind = PROPERTY_KINDS.find((known) => known === typeName) ?? 'Single Family';
  return { kind, hash: fnv1a(propertyId.toLowerCase()) % PICTURES_PER_KIND };
}

/** `/illustrations/single-family/412/exterior.svg` */
export const illustrationPath = ({ kind, hash }: IllustrationKey, variant: Variant): string =>
  `/illustrations/${SLUGS[kind]}/${hash}/${variant}.svg`;

/** The pictures of a listing in the order of its carousel: the exterior first. */
export const illustrationVariants = (kind: PropertyKind): readonly Variant[] =>
  kind === 'Vacant Lot' ? ['exterior', 'living', 'kitchen'] : VARIANTS;

/** The reverse of `illustrationPath`, given its three parts; null for anything that is not such a path. */
export function parseIllustrationPath(
  kindSlug: string,
  hashText: string,
  fileName: string,
): (IllustrationKey & { variant: Variant }) | null {
  const kind = PROPERTY_KINDS.find((known) => SLUGS[known] === kindSlug);
  const variant = VARIANTS.find((known) => fileName === `${known}.svg`);
  const hash = /^(0|[1-9]\d{0,2})$/.test(hashText) ? Number(hashText) : PICTURES_PER_KIND;
  return kind && variant && hash < PICTURES_PER_KIND ? { kind, hash, variant } : null;
}

/** 32-bit FNV-1a over UTF-16 code units. */
function fnv1a(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193) >>> 0;
  }
  return hash;
}
