import type { FileColumn } from '#platform/table-file/columns.ts';

/** A listing as it is exported. */
export interface ExportedListing {
  id: string;
  source_id: string | null;
  price_cents: number;
  address: string;
  property_type: string | null;
  title: string | null;
  city: string;
  state: string;
  zip: string;
  neighborhood: string | null;
  description: string;
  bedrooms: number | null;
  bathrooms: number | null;
  half_baths: number;
  square_feet: number | null;
  lot_square_feet: number | null;
  year_built: number | null;
  latitude: number | null;
  longitude: number | null;
  mls_name: string | null;
  mls_number: string | null;
  status: string;
  photo_urls: string[];
}

const textOf = (value: number | null) => (value === null ? null : String(value));

/** Statuses in the words of the RESO Data Dictionary; what waits for approval is incomplete there. */
const statusWords: Readonly<Record<string, string>> = {
  Active: 'Active',
  escrow: 'Pending',
  Sold: 'Closed',
  withdrawn: 'Withdrawn',
};
const statusWordOf = (status: string): string => statusWords[status] ?? 'Incomplete';

/** The columns of the CSV file: those that the import knows, by the same names. */
export const exportColumns: readonly FileColumn<ExportedListing>[] = [
  // A listing that was typed has no name in a source; its id stands for one.
  { header: 'source_id', text: (row) => row.source_id ?? row.id },
  { header: 'price', cents: (row) => row.price_cents },
  { header: 'address', text: (row) => row.address },
  { header: 'property_type', text: (row) => row.property_type },
  { header: 'title', text: (row) => row.title },
  { header: 'city', text: (row) => row.city },
  { header: 'state', text: (row) => row.state },
  { header: 'zip', text: (row) => row.zip },
  { header: 'neighborhood', text: (row) => row.neighborhood },
  { header: 'description', text: (row) => row.description },
  { header: 'bedrooms', text: (row) => textOf(row.bedrooms) },
  { header: 'full_baths', text: (row) => textOf(row.bathrooms) },
  { header: 'half_baths', text: (row) => (row.bathrooms === null ? null : String(row.half_baths)) },
  { header: 'square_feet', text: (row) => textOf(row.square_feet) },
  { header: 'lot_square_feet', text: (row) => textOf(row.lot_square_feet) },
  { header: 'year_built', text: (row) => textOf(row.year_built) },
  { header: 'latitude', text: (row) => textOf(row.latitude) },
  { header: 'longitude', text: (row) => textOf(row.longitude) },
  { header: 'mls_name', text: (row) => row.mls_name },
  { header: 'mls_number', text: (row) => row.mls_number },
  { header: 'status', text: (row) => statusWordOf(row.status) },
  { header: 'photo_urls', text: (row) => row.photo_urls.join(' ') },
];
