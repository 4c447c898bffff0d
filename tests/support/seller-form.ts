import { type ListingForm, readForm } from '#features/listings/listing-form.ts';

/** The seller's form as it is filled in for a Single Family house (type 2); whatever matters to a test is given. */
export const filledForm = (changes: Partial<ListingForm> = {}): ListingForm =>
  readForm({
    title: 'Garden house on Heron Way',
    price: '615,000',
    type: '2',
    address: '27 Heron Way, Cedar Hollow, OR 97031',
    bedrooms: '3',
    bathrooms: '2',
    squareFeet: '1,840',
    description: 'Low, quiet rooms around a walled garden.',
    ...changes,
  });
