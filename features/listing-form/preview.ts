import type { Price } from '#features/fees/model.ts';
import { photoAlt, townLine } from '#features/listings/display.ts';
import type { ListingDetail, ListingPicture } from '#features/listings/model.ts';
import type { Photo } from '#features/photos/model.ts';
import { type FormField, formFields } from './form.ts';
import type { FormChoices } from './form-mapping.ts';
import type { FormErrors, UnfinishedValues } from './schema.ts';

/** A field that keeps a form from being submitted. */
export interface Gap {
  field: FormField;
  /** what the form says about it */
  text: string;
}

/** What the property page would show of a draft or listing. */
export interface ListingPreview {
  listing: ListingDetail;
  /** what pictures and titles call it: its address, where it has one */
  name: string;
  /** null while none is known */
  price: Price | null;
  /** which fees it includes; null without fees */
  feesText: string | null;
  /** in the order of the form */
  gaps: Gap[];
  /** texts of `listing` that say that there is none */
  blanks: BlankText[];
  /** it shows changes that were not submitted */
  hasChanges: boolean;
  /** buyers see this listing's own page */
  isPublic: boolean;
}

const blankTexts = {
  address: 'No address yet',
  type: 'No property type yet',
  description: 'No description yet.',
} as const;
type BlankText = keyof typeof blankTexts;

/** The photos as the property page shows them, main one first. */
export const picturesOf = (photos: readonly Photo[], address: string): ListingPicture[] =>
  photos.map(({ imageId, width, height, widths, placeholder, alt, caption }, index) => ({
    id: imageId,
    width,
    height,
    widths,
    placeholder,
    alt: alt || photoAlt(address, index, photos.length),
    caption,
  }));

/**
 * What is missing or wrong in these fields of a form, in the order of the form. A type that can no longer be chosen is missing, as it
 * is when the form is submitted.
 */
export function gapsIn(
  fields: readonly FormField[],
  { values, errors }: { values: UnfinishedValues; errors: FormErrors },
  { types }: FormChoices,
): Gap[] {
  const isOffered = types.some(({ id }) => id === String(values.typeId));
  const texts: FormErrors = isOffered ? errors : { ...errors, type: 'Property type is required.' };
  return formFields.flatMap((field) => {
    const text = texts[field];
    return text !== undefined && fields.includes(field) ? { field, text } : [];
  });
}

/**
 * A listing with what some fields of a form say in place of what it says itself. A missing price is 0.
 * @param fields those that differ from the listing
 */
export function withFields(
  listing: ListingDetail,
  values: UnfinishedValues,
  fields: readonly FormField[],
  choices: FormChoices,
): ListingDetail {
  const { address, place } = values;
  const typeName = choices.types.find(({ id }) => id === String(values.typeId))?.name ?? null;
  const chosen = new Set(values.amenityIds.map(String));
  const says: Record<FormField, Partial<ListingDetail>> = {
    title: { title: values.title || null },
    price: { baseCents: values.priceCents ?? 0 },
    type: { type: typeName ?? '', typeName },
    address: {
      address: address.address,
      town: townLine(address),
      // Without another pin, the position belongs to the old address.
      latitude: null,
      longitude: null,
      locationPrecision: null,
    },
    bedrooms: { bedrooms: values.bedrooms },
    bathrooms: { bathrooms: values.bathrooms },
    squareFeet: { squareFeet: values.squareFeet },
    halfBaths: { halfBaths: values.halfBaths ?? 0 },
    yearBuilt: { yearBuilt: values.yearBuilt },
    lotSquareFeet: { lotSquareFeet: values.lotSquareFeet },
    neighborhood: { neighborhood: values.neighborhood || null },
    description: { description: values.description },
    place: {
      latitude: place?.latitude ?? null,
      longitude: place?.longitude ?? null,
      locationPrecision: place?.precision ?? null,
    },
    amenities: {
      amenities: choices.amenities.filter(({ id }) => chosen.has(id)).map(({ name }) => name),
    },
  };
  // In the order of the form, in which the position follows the address.
  const shown = { ...listing };
  for (const name of formFields) if (fields.includes(name)) Object.assign(shown, says[name]);
  return { ...shown, title: shown.title === shown.address ? null : shown.title };
}

/** Puts a text in place of each that is blank, and names those. */
export function fillBlanks(listing: ListingDetail): { listing: ListingDetail; blanks: BlankText[] } {
  const blanks = (['address', 'type', 'description'] as const).filter((name) => listing[name] === '');
  return {
    listing: { ...listing, ...Object.fromEntries(blanks.map((name) => [name, blankTexts[name]])) },
    blanks,
  };
}

/** A listing of which nothing is known but whose it is. */
export const blankListing = (id: string, seller: ListingDetail['seller'], at: Date): ListingDetail => ({
  id,
  seller,
  title: null,
  address: '',
  town: '',
  type: '',
  typeName: null,
  description: '',
  baseCents: 0,
  bedrooms: null,
  bathrooms: null,
  halfBaths: 0,
  squareFeet: null,
  lotSquareFeet: null,
  yearBuilt: null,
  neighborhood: null,
  mlsNumber: null,
  mlsName: null,
  latitude: null,
  longitude: null,
  locationPrecision: null,
  pictures: [],
  amenities: [],
  status: 'pending',
  ownershipVerifiedAt: null,
  listedAt: null,
  updatedAt: at,
  isPublic: false,
});
