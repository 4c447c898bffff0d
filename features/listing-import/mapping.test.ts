import { describe, expect, it } from 'vitest';
import { applyMapping, choicesOf, type MappingOptions, parseChoices, parsePreset } from './mapping.ts';
import { presetOf } from './presets.ts';
import { columnLines } from './report.ts';

const fileOf = (header: string[]) => ({ header, preset: presetOf(header) });
function mapped(header: string[], options?: MappingOptions) {
  const result = applyMapping(fileOf(header), options);
  if (!result.ok) throw new Error(result.reason);
  return result.mapping;
}
const headersOf = (header: string[], options?: MappingOptions) =>
  Object.fromEntries([...mapped(header, options).columns].map(([field, column]) => [field, column.header]));

const REDFIN =
  'SALE TYPE,SOLD DATE,PROPERTY TYPE,ADDRESS,CITY,STATE OR PROVINCE,ZIP OR POSTAL CODE,PRICE,BEDS,BATHS,LOCATION,SQUARE FEET,LOT SIZE,YEAR BUILT,DAYS ON MARKET,$/SQUARE FEET,HOA/MONTH,STATUS,NEXT OPEN HOUSE START TIME,NEXT OPEN HOUSE END TIME,URL (SEE https://www.redfin.com/buy-a-home/comparative-market-analysis FOR INFO ON PRICING),SOURCE,MLS#,FAVORITE,INTERESTED,LATITUDE,LONGITUDE'.split(
    ',',
  );
const RESO =
  'ListingKey,ListingId,OriginatingSystemName,StandardStatus,MlsStatus,PropertyType,PropertySubType,ListPrice,ClosePrice,CloseDate,UnparsedAddress,StreetNumber,StreetName,StreetSuffix,UnitNumber,City,StateOrProvince,PostalCode,SubdivisionName,PublicRemarks,BedroomsTotal,BathroomsTotalInteger,BathroomsFull,BathroomsHalf,LivingArea,LotSizeArea,LotSizeUnits,LotSizeSquareFeet,LotSizeAcres,YearBuilt,Latitude,Longitude,Media,ListAgentFullName'.split(
    ',',
  );

describe('columns of known sources', () => {
  it('Redfin', () => {
    expect(presetOf(REDFIN)).toBe('redfin');
    expect(headersOf(REDFIN)).toEqual({
      price: 'PRICE',
      address: 'ADDRESS',
      property_type: 'PROPERTY TYPE',
      city: 'CITY',
      state: 'STATE OR PROVINCE',
      zip: 'ZIP OR POSTAL CODE',
      neighborhood: 'LOCATION',
      bedrooms: 'BEDS',
      bathrooms: 'BATHS',
      square_feet: 'SQUARE FEET',
      lot_square_feet: 'LOT SIZE',
      year_built: 'YEAR BUILT',
      latitude: 'LATITUDE',
      longitude: 'LONGITUDE',
      mls_name: 'SOURCE',
      mls_number: 'MLS#',
      status: 'STATUS',
      sale_type: 'SALE TYPE',
      sold_date: 'SOLD DATE',
    });
    expect(mapped(REDFIN).ignored).toContain('$/SQUARE FEET');
  });

  it('RESO', () => {
    expect(presetOf(RESO)).toBe('reso');
    expect(headersOf(RESO)).toMatchObject({
      source_id: 'ListingKey',
      mls_number: 'ListingId',
      mls_name: 'OriginatingSystemName',
      price: 'ListPrice',
      sold_price: 'ClosePrice',
      sold_date: 'CloseDate',
      status: 'StandardStatus',
      address: 'UnparsedAddress',
      unit: 'UnitNumber',
      property_subtype: 'PropertySubType',
      neighborhood: 'SubdivisionName',
      description: 'PublicRemarks',
      full_baths: 'BathroomsFull',
      lot_square_feet: 'LotSizeSquareFeet',
      lot_acres: 'LotSizeAcres',
      lot_size: 'LotSizeArea',
      lot_units: 'LotSizeUnits',
      photo_urls: 'Media',
    });
    expect(mapped(RESO).ignored).toEqual(['MlsStatus', 'ListAgentFullName']);
  });

  it('Zillow, also with names within objects', () => {
    const header = [
      'zpid',
      'price',
      'address.streetAddress',
      'address.city',
      'address/state',
      'homeType',
      'homeStatus',
      'livingArea',
      'lotAreaValue',
      'lotAreaUnits',
      'imgSrc',
    ];
    expect(headersOf(header)).toMatchObject({
      source_id: 'zpid',
      address: 'address.streetAddress',
      city: 'address.city',
      state: 'address/state',
      property_type: 'homeType',
      status: 'homeStatus',
      square_feet: 'livingArea',
      lot_size: 'lotAreaValue',
      photo_urls: 'imgSrc',
    });
  });

  it('an MLS with parts of the address', () => {
    const header = [
      'MLS #',
      'Status',
      'List Price',
      'Street #',
      'Street Name',
      'Unit #',
      'City',
      'Zip',
      'Property Type',
      'Beds',
      'Full Baths',
      'Half Baths',
      'Approx SqFt',
      'Acres',
      'Yr Built',
      'Sold Price',
      'Close Date',
      'Remarks',
    ];
    expect(presetOf(header)).toBe('mls');
    expect(headersOf(header)).toMatchObject({
      mls_number: 'MLS #',
      price: 'List Price',
      street_number: 'Street #',
      street_name: 'Street Name',
      unit: 'Unit #',
      full_baths: 'Full Baths',
      square_feet: 'Approx SqFt',
      lot_acres: 'Acres',
      sold_price: 'Sold Price',
      sold_date: 'Close Date',
      description: 'Remarks',
    });
  });

  it('a county', () => {
    const header = [
      'PARCEL_ID',
      'SITUS_ADDR',
      'SITUS_CITY',
      'SITUS_ZIP',
      'PROP_CLASS',
      'SALE_PRICE',
      'SALE_DATE',
      'YR_BLT',
      'BLDG_SQFT',
    ];
    expect(presetOf(header)).toBe('assessor');
    expect(headersOf(header)).toMatchObject({
      source_id: 'PARCEL_ID',
      address: 'SITUS_ADDR',
      price: 'SALE_PRICE',
      sold_date: 'SALE_DATE',
      property_type: 'PROP_CLASS',
      year_built: 'YR_BLT',
      square_feet: 'BLDG_SQFT',
    });
  });

  it('our own names, in any order and spelling', () => {
    const header = ['Owner', ' PRICE ', 'Source ID', 'Property-Type', 'address', 'owner', ''];
    const mapping = mapped(header);
    expect([...mapping.columns]).toEqual([
      ['source_id', { index: 2, header: 'Source ID', how: 'exact' }],
      ['price', { index: 1, header: ' PRICE ', how: 'exact' }],
      ['address', { index: 4, header: 'address', how: 'exact' }],
      ['property_type', { index: 3, header: 'Property-Type', how: 'exact' }],
    ]);
    expect(mapping.ignored).toEqual(['Owner', 'owner']);
  });

  it('a file with some names of ours and some of others reads both', () => {
    expect(
      headersOf(['source_id', 'price', 'address', 'property_type', 'BEDS', 'BATHS', 'ZIP OR POSTAL CODE']),
    ).toMatchObject({
      bedrooms: 'BEDS',
      bathrooms: 'BATHS',
      zip: 'ZIP OR POSTAL CODE',
    });
  });
});

describe('choices', () => {
  const header = ['Addr', 'Amount', 'Kind', 'City', 'City'];
  it('by name, in another spelling, by number, and as a value for all', () => {
    const { columns, constants } = mapped(header, {
      map: { address: 'Addr', price: 'AMOUNT', property_type: '#3', state: '=NH', city: '#5', title: null },
    });
    expect([...columns].map(([field, { index, how }]) => [field, index, how])).toEqual([
      ['address', 0, 'chosen'],
      ['price', 1, 'chosen'],
      ['property_type', 2, 'chosen'],
      ['city', 4, 'chosen'],
    ]);
    expect([...constants]).toEqual([['state', 'NH']]);
  });
  it('give the same mapping again', () => {
    const mapping = mapped(RESO, { map: { state: '=NH', title: null } });
    const again = mapped(RESO, { map: choicesOf(mapping) });
    const places = (of: typeof mapping) =>
      [...of.columns].map(([field, { index }]) => `${field} ${index}`).toSorted();
    expect(places(again)).toEqual(places(mapping));
    expect(again.constants).toEqual(mapping.constants);
  });
  it('are parsed as they are typed', () => {
    expect(parseChoices(['price=Sale Price', 'state==NH', 'title='])).toEqual({
      ok: true,
      map: { price: 'Sale Price', state: '=NH', title: null },
    });
    expect(parseChoices(['prize=x'])).toEqual({
      ok: false,
      reason: expect.stringContaining('There is no field "prize"'),
    });
    expect(parseChoices(['price'])).toEqual({ ok: false, reason: '"price" is not FIELD=COLUMN.' });
    expect(parsePreset(' Redfin ')).toEqual({ ok: true, preset: 'redfin' });
    expect(parsePreset('trulia')).toMatchObject({ ok: false });
  });
  it('a preset that is named decides', () => {
    expect(headersOf(['price', 'address', 'property_type', 'LOCATION'], { preset: 'redfin' })).toHaveProperty(
      'neighborhood',
      'LOCATION',
    );
    expect(headersOf(['price', 'address', 'property_type', 'LOCATION'])).not.toHaveProperty('neighborhood');
  });
});

describe('what is missing', () => {
  it('is said in full, with all columns and the nearest names', () => {
    const header = [
      'Prise',
      'Adress',
      'Property Tpe',
      ...Array.from({ length: 40 }, (_, n) => `Column ${n}`),
    ];
    const result = applyMapping(fileOf(header));
    expect(result).toMatchObject({
      ok: false,
      missing: ['price', 'address', 'property_type'],
      found: header,
    });
    const reason = result.ok ? '' : result.reason;
    expect(reason).toContain('"Column 39"');
    expect(reason).toContain('Is "Prise" the price?');
    expect(reason).toContain('Is "Adress" the address?');
    expect(reason).toContain('Is "Property Tpe" the property_type?');
  });
  it.each<[string[], MappingOptions, string]>([
    [['price', 'address', 'property_type', 'price'], {}, 'The column price appears twice in the first line.'],
    [['price', 'address', 'property_type'], { map: { city: 'Town' } }, 'There is no column "Town" for city.'],
    [['price', 'address', 'property_type'], { map: { price: null } }, 'Missing: price.'],
  ])('%j with %j', (header, options, reason) => {
    expect(applyMapping(fileOf(header), options)).toMatchObject({
      ok: false,
      reason: expect.stringContaining(reason),
    });
  });
  it('is suggested for columns that are not needed, too', () => {
    const lines = columnLines(mapped(['price', 'address', 'property_type', 'Bedroms', 'Owner']));
    expect(lines).toEqual([
      'Read columns: price, address, property_type.',
      'Ignored columns: "Bedroms", "Owner".',
      '"Bedroms" → bedrooms? Choose it with --map bedrooms=Bedroms',
    ]);
  });
});
