/** What the administrators' search finds. */
type FoundKind = 'property' | 'seller' | 'buyer' | 'sale' | 'inquiry' | 'document';

/** The groups of results, in the order in which they are shown. */
export const foundKinds: readonly { kind: FoundKind; label: string }[] = [
  { kind: 'property', label: 'Properties' },
  { kind: 'seller', label: 'Sellers' },
  { kind: 'buyer', label: 'Buyers' },
  { kind: 'sale', label: 'Sales' },
  { kind: 'inquiry', label: 'Inquiries' },
  { kind: 'document', label: 'Documents' },
];

/** A record that the search has found. */
export interface FoundRecord {
  kind: FoundKind;
  id: string;
  label: string;
  /** what tells it from others of the same name */
  detail: string;
  /** the property of a sale, an inquiry or a document; null for everything else */
  propertyId: string | null;
  /** a sale that has a receipt */
  hasReceipt: boolean;
}

/** How many records of each kind are shown. */
export const FOUND_OF_EACH = 5;
/** The fewest letters that are searched for. */
export const MIN_LETTERS = 2;
export const MAX_QUERY_LENGTH = 100;
