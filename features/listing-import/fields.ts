/** What a listing's row can say, by the names that `--map` and our own files use. */
export const importFields = [
  'source_id',
  'price',
  'address',
  'property_type',
  'title',
  'city',
  'state',
  'zip',
  'neighborhood',
  'description',
  'bedrooms',
  'bathrooms',
  'square_feet',
  'lot_square_feet',
  'year_built',
  'latitude',
  'longitude',
  'mls_name',
  'mls_number',
  'status',
  'sale_type',
  'sold_date',
  'sold_price',
  'photo_urls',
] as const;

/** Parts from which a field is put together when the file has no column for the whole. */
export const partFields = [
  'property_subtype',
  'street_number',
  'street_direction',
  'street_name',
  'street_suffix',
  'street_direction_after',
  'unit',
  'full_baths',
  'three_quarter_baths',
  'half_baths',
  'lot_acres',
  'lot_size',
  'lot_units',
  'coordinates',
] as const;

export type FieldName = (typeof importFields)[number] | (typeof partFields)[number];

export const allFields: readonly FieldName[] = [...importFields, ...partFields];

export const isFieldName = (name: string): name is FieldName =>
  (allFields as readonly string[]).includes(name);

/** Names of the fields on pages. */
export const fieldLabels: Readonly<Record<FieldName, string>> = {
  source_id: 'Id in the source',
  price: 'Price',
  address: 'Address',
  property_type: 'Property type',
  title: 'Title',
  city: 'City',
  state: 'State',
  zip: 'ZIP code',
  neighborhood: 'Neighborhood',
  description: 'Description',
  bedrooms: 'Bedrooms',
  bathrooms: 'Bathrooms',
  square_feet: 'Square feet',
  lot_square_feet: 'Lot in square feet',
  year_built: 'Year built',
  latitude: 'Latitude',
  longitude: 'Longitude',
  mls_name: 'MLS',
  mls_number: 'MLS number',
  status: 'Status',
  sale_type: 'Sale type',
  sold_date: 'Sold on',
  sold_price: 'Sold price',
  photo_urls: 'Photo addresses',
  property_subtype: 'Property subtype',
  street_number: 'Street number',
  street_direction: 'Direction before the street',
  street_name: 'Street name',
  street_suffix: 'Street suffix',
  street_direction_after: 'Direction after the street',
  unit: 'Unit',
  full_baths: 'Full bathrooms',
  three_quarter_baths: 'Three-quarter bathrooms',
  half_baths: 'Half bathrooms',
  lot_acres: 'Lot in acres',
  lot_size: 'Lot size',
  lot_units: 'Unit of the lot size',
  coordinates: 'Coordinates',
};
