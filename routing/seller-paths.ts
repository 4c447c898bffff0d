import { queryString, segment, type TableQuery } from './paths.ts';

/** What photos belong to: a listing, or the draft of a new one. */
type PhotoOwner = { propertyId: string } | { draftId: string };

const ownerPath = (owner: PhotoOwner) =>
  'propertyId' in owner ? `property/${segment(owner.propertyId)}` : `draft/${segment(owner.draftId)}`;

/** The URLs of the seller area and of registering for it, apart from `paths`, which all public pages load. */
export const sellerPaths = {
  sale: (id: string) => `/agent/sales/${segment(id)}`,
  register: (query: { id: string; token?: string | undefined }) => `/agent/register${queryString(query)}`,
  /** `do` and `id` open the confirmation dialog of an action */
  properties: (query: TableQuery & { do?: string | undefined; id?: string | undefined } = {}) =>
    `/agent/properties${queryString({ ...query })}`,
  addProperty: () => '/agent/properties/add',
  /** files of listings; more in `importPaths` */
  imports: () => '/agent/import',
  editProperty: (id: string) => `/agent/properties/${segment(id)}/edit`,
  /** where the proof of ownership of a listing is uploaded */
  ownership: (id: string) => `/agent/properties/${segment(id)}/ownership`,
  /** what the seller discloses about a listing */
  disclosures: (id: string) => `/agent/properties/${segment(id)}/disclosures`,
  listingStatistics: (id: string) => `/agent/properties/${segment(id)}/statistics`,
  /** JSON endpoint that saves or discards the draft of a seller's form */
  listingDraft: () => '/api/listing-draft',
  /** the coordinates of an address, as JSON */
  geocode: (address: string) => `/api/place${queryString({ address })}`,
  transactions: (query: TableQuery = {}) => `/agent/transactions${queryString({ ...query })}`,
  transactionsCsv: (query: Pick<TableQuery, 'q'> = {}) => `/agent/transactions.csv${queryString(query)}`,
  /** all own listings as a file */
  listingsFile: (format: 'csv' | 'json') => `/agent/listings.${format}`,
  photos: (owner: PhotoOwner) => `/agent/photos/${ownerPath(owner)}`,
  /** upload endpoint for one photo; `key` identifies the upload across retries */
  photoUpload: (owner: PhotoOwner, query: { key: string; position: number; main?: 1 | undefined }) =>
    `/agent/uploads/${ownerPath(owner)}${queryString({ ...query })}`,
  settings: (
    query: { do?: string | undefined; confirm?: string | undefined; page?: number | undefined } = {},
  ) => `/agent/settings${queryString(query)}`,
  /** keys by which other systems read the seller's listings; `do` and `id` open a dialog */
  apiKeys: (query: { do?: string | undefined; id?: string | undefined } = {}) =>
    `/agent/settings/api-keys${queryString(query)}`,
  /** texts for answers to buyers; `do` and `id` open a dialog */
  quickReplies: (query: { do?: string | undefined; id?: string | undefined } = {}) =>
    `/agent/quick-replies${queryString(query)}`,
  /** where the seller comes back to from the provider's page, and where a link to it that is no longer valid leads */
  stripeReturn: () => '/agent/settings/stripe/return',
  stripeRefresh: () => '/agent/settings/stripe/refresh',
  statements: (query: { month?: string | undefined; page?: number | undefined } = {}) =>
    `/agent/statements${queryString(query)}`,
  /** a seller's statement of a month ('YYYY-MM') as a file, for the seller and administrators */
  statementFile: (of: { sellerId: string; month: string; format: 'pdf' | 'csv' }) =>
    `/statements/${segment(of.sellerId)}/${segment(of.month)}.${of.format}`,
} as const;
