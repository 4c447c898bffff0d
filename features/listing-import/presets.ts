import type { FieldName } from './fields.ts';

export const presetNames = ['redfin', 'reso', 'zillow', 'mls', 'assessor'] as const;
/** A source whose files are recognized by the names of their columns. */
export type PresetName = (typeof presetNames)[number];

export const presetLabels: Readonly<Record<PresetName, string>> = {
  redfin: 'Redfin download',
  reso: 'RESO Data Dictionary',
  zillow: 'Zillow export',
  mls: 'MLS export',
  assessor: 'county assessor or sales file',
};

export const isPresetName = (name: string): name is PresetName =>
  (presetNames as readonly string[]).includes(name);

type Names = Readonly<Partial<Record<FieldName, string>>>;

/**
 * 'MLS #', 'mls_number' and 'MLSNumber' have the key 'mlsnumber': letters and digits in lower case, with signs that mean a
 * word written out, so that '$/SQUARE FEET' is not 'SQUARE FEET'.
 */
export const headerKey = (header: string): string =>
  header
    .slice(0, 200)
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll('$/', ' dollars per ')
    .replaceAll('#', ' number ')
    .replaceAll('%', ' percent ')
    .replace(/[^\p{L}\p{N}]+/gu, '');

// Keys separated by spaces, the best first: a file may have several of them.
const redfin: Names = {
  price: 'price',
  address: 'address',
  property_type: 'propertytype',
  city: 'city',
  state: 'stateorprovince state',
  zip: 'ziporpostalcode zip',
  neighborhood: 'location',
  bedrooms: 'beds',
  bathrooms: 'baths',
  square_feet: 'squarefeet',
  lot_square_feet: 'lotsize',
  year_built: 'yearbuilt',
  latitude: 'latitude',
  longitude: 'longitude',
  mls_name: 'source',
  mls_number: 'mlsnumber',
  status: 'status',
  sale_type: 'saletype',
  sold_date: 'solddate',
};

const reso: Names = {
  source_id: 'listingkey listingkeynumeric',
  price: 'listprice',
  address: 'unparsedaddress',
  property_type: 'propertytype',
  property_subtype: 'propertysubtype',
  city: 'city postalcity',
  state: 'stateorprovince',
  zip: 'postalcode',
  neighborhood: 'neighborhood subdivisionname mlsareaminor',
  description: 'publicremarks',
  bedrooms: 'bedroomstotal',
  bathrooms: 'bathroomstotaldecimal bathroomstotalinteger',
  full_baths: 'bathroomsfull',
  three_quarter_baths: 'bathroomsthreequarter',
  half_baths: 'bathroomshalf',
  square_feet: 'livingarea buildingareatotal',
  lot_square_feet: 'lotsizesquarefeet',
  lot_acres: 'lotsizeacres',
  lot_size: 'lotsizearea',
  lot_units: 'lotsizeunits',
  year_built: 'yearbuilt',
  latitude: 'latitude',
  longitude: 'longitude',
  mls_name: 'originatingsystemname sourcesystemname',
  mls_number: 'listingid',
  status: 'standardstatus mlsstatus',
  sold_date: 'closedate',
  sold_price: 'closeprice',
  street_number: 'streetnumber streetnumbernumeric',
  street_direction: 'streetdirprefix',
  street_name: 'streetname',
  street_suffix: 'streetsuffix',
  street_direction_after: 'streetdirsuffix',
  unit: 'unitnumber',
  photo_urls: 'media photourls',
};

const zillow: Names = {
  source_id: 'zpid',
  price: 'price unformattedprice listprice',
  address: 'streetaddress addressstreet addressstreetaddress address',
  property_type: 'hometype propertytype propertytypedimension',
  city: 'city addresscity',
  state: 'state addressstate',
  zip: 'zipcode addresszipcode zip',
  neighborhood: 'neighborhood neighborhoodregion subdivision',
  description: 'description',
  bedrooms: 'bedrooms beds',
  bathrooms: 'bathrooms baths',
  square_feet: 'livingarea livingareavalue area sqft',
  lot_square_feet: 'lotsizesquarefeet',
  lot_size: 'lotareavalue lotsize',
  lot_units: 'lotareaunits lotareaunit',
  year_built: 'yearbuilt',
  latitude: 'latitude latlonglatitude lat',
  longitude: 'longitude latlonglongitude long lng',
  mls_name: 'mlsname attributioninfomlsname',
  mls_number: 'mlsid attributioninfomlsid',
  status: 'homestatus statustype rawhomestatuscd status',
  sold_date: 'datesold datesoldstring lastsolddate',
  sold_price: 'lastsoldprice',
  photo_urls: 'photos photourls imgsrc',
};

const mls: Names = {
  price: 'listprice currentprice lp askingprice listingprice price',
  address: 'address streetaddress fulladdress propertyaddress',
  property_type: 'propertytype proptype type class propertyclass',
  property_subtype: 'propertysubtype subtype propertystyle style dwellingtype',
  city: 'city town citytown municipality',
  state: 'state stateprovince st',
  zip: 'zip zipcode postalcode zippostalcode',
  neighborhood: 'neighborhood subdivision subdivisionname subdiv community area areaname',
  description: 'publicremarks remarks description propertydescription marketingremarks comments',
  bedrooms: 'beds bedrooms totalbedrooms br bedroomstotal bedstotal numberbedrooms numberbeds bdrms brs',
  bathrooms:
    'baths bathrooms totalbaths bathstotal totalbathrooms ba bathroomstotal numberbathrooms numberbaths',
  full_baths: 'fullbaths bathsfull fullbathrooms fb numberfullbaths',
  three_quarter_baths: 'threequarterbaths bathsthreequarter 34baths',
  half_baths: 'halfbaths bathshalf halfbathrooms partialbaths hb numberhalfbaths',
  square_feet:
    'sqft squarefeet squarefootage livingarea approxsqft apxsqft totalsqft sqfttotal finishedsqft livingsqft livingareasqft heatedsqft sf buildingsqft approximatesqft approxlivingarea',
  lot_square_feet: 'lotsqft lotsizesqft lotsquarefeet lotsizesquarefeet lotsquarefootage approxlotsqft',
  lot_acres: 'acres lotacres lotsizeacres acreage approxacres totalacres',
  lot_size: 'lotsize lotsizearea lotarea',
  lot_units: 'lotsizeunits lotunits',
  year_built: 'yearbuilt yrbuilt built yearblt',
  latitude: 'latitude lat',
  longitude: 'longitude long lng lon',
  mls_name: 'mls mlsname mlssource source originatingmls listingsource',
  mls_number: 'mlsnumber mls mlsid mlsno listingnumber listingid listnumber ml',
  status: 'status listingstatus mlsstatus stat standardstatus',
  sold_date: 'solddate closedate closingdate closeddate saledate dateclosed datesold coedate settledate',
  sold_price: 'soldprice closeprice closedprice saleprice sp',
  street_number: 'streetnumber streetno housenumber stnumber addressnumber',
  street_direction: 'streetdirection streetdir streetdirprefix dirprefix predirection',
  street_name: 'streetname stname street',
  street_suffix: 'streetsuffix streettype stsuffix',
  street_direction_after: 'streetdirsuffix postdirection dirsuffix',
  unit: 'unit unitnumber apt apartment aptnumber unitno suite',
  photo_urls: 'photourls photos images photourl imageurls photolinks',
};

const assessor: Names = {
  source_id:
    'parcelid parcelnumber apn pin pin14 parcelno parcel accountnumber propertyid propid taxid strap mapblocklot gislink serialnumber',
  price:
    'price saleprice salesprice saleamount saleamt salespriceamount lastsaleprice considerationamount consideration',
  address:
    'address propertyaddress situsaddress situsaddr siteaddress situs siteaddr locationaddress propertylocation streetaddress parceladdress parceladd propaddr propaddress location fulladdress situsfulladdress physicaladdress',
  property_type:
    'propertytype residentialtype usecode landuse landusedescription propertyclass propclass classdescription usecodedescription propertyuse usedescription proptype buildingclasscategory class',
  city: 'city situscity propertycity sitecity town municipality parcelcity municipalityname jurisdiction propcity',
  state: 'state situsstate propertystate',
  zip: 'zip zipcode situszip situszipcode propertyzip sitezip zipcode5 postalcode parcelzip',
  neighborhood: 'neighborhood neighborhoodname subdivision subdivisionname subdivname nbhdname',
  bedrooms:
    'bedrooms beds bedroomcount numberbedrooms numbedrooms bedroomsnumber nobedrooms nbrbedrooms totalbedrooms bedrms numofbedrooms',
  bathrooms:
    'bathrooms baths bathroomcount bathcount numberbathrooms numbaths totalbaths numbathrooms numofbathrooms',
  full_baths: 'fullbaths fullbathrooms bathsfull fullbathcount numfullbaths',
  half_baths: 'halfbaths halfbathrooms bathshalf halfbathcount numhalfbaths',
  square_feet:
    'squarefeet livingarea sqft totallivingarea bldgsqft buildingsqft buildingsquarefeet sqfttotliving sqftliving totalarea grosssquarefeet grosslivingarea finishedarea heatedarea bldgarea buildingarea totlivarea livarea resarea',
  lot_square_feet:
    'lotsquarefeet lotsqft landsqft landsquarefeet sqftlot lotsizesqft lotarea landarea landareasqft',
  lot_acres: 'acres acreage lotacres parcelacres landacres calcacres deedacres',
  year_built: 'yearbuilt yrbuilt yrblt builtyr yearblt actyrblt actualyearbuilt effyrbuilt constructionyear',
  latitude: 'latitude lat y ycoord pointy',
  longitude: 'longitude long lng lon x xcoord pointx',
  sold_date:
    'saledate solddate salesdate dateofsale datesold recordingdate daterecorded documentdate saleconveyancedate',
  unit: 'unit unitnumber apartmentnumber aptnumber situsunit',
  street_number: 'streetnumber housenumber addressnumber situsnumber stnum situshousenumber streetno',
  street_direction: 'streetdirection situsdirection predir',
  street_name: 'streetname situsstreet situsstreetname stname',
  street_suffix: 'streetsuffix streettype situssuffix',
  coordinates: 'coordinates geolocation geopoint shape thegeom geocodedcolumn latlong latlng',
};

const tables: Readonly<Record<PresetName, Names>> = { redfin, reso, zillow, mls, assessor };

/** The keys of a preset's columns for each field, the best first. */
export function presetKeys(preset: PresetName): ReadonlyMap<FieldName, readonly string[]> {
  const known = compiled.get(preset);
  if (known) return known;
  const keys = new Map(
    Object.entries(tables[preset]).map(([field, names]) => [field as FieldName, names.split(' ')]),
  );
  compiled.set(preset, keys);
  return keys;
}
const compiled = new Map<PresetName, ReadonlyMap<FieldName, readonly string[]>>();

// Columns that tell a source; all of a group must be there.
const signatures: readonly [PresetName, string][] = [
  ['redfin', 'saletype propertytype address beds'],
  ['redfin', 'mlsnumber favorite interested'],
  ['redfin', 'ziporpostalcode price'],
  ['reso', 'listprice standardstatus'],
  ['reso', 'listprice unparsedaddress'],
  ['reso', 'listprice bedroomstotal'],
  ['reso', 'listingkey listprice'],
  ['reso', 'listprice stateorprovince'],
  ['zillow', 'zpid'],
  ['zillow', 'homestatus price'],
  ['zillow', 'hometype price'],
  ['mls', 'mlsnumber'],
  ['mls', 'listprice'],
  ['mls', 'mlsid'],
  ['assessor', 'parcelid'],
  ['assessor', 'parcelnumber'],
  ['assessor', 'apn'],
  ['assessor', 'pin'],
  ['assessor', 'saleprice'],
  ['assessor', 'saleamount'],
  ['assessor', 'situsaddress'],
];

/** The source that a file's columns tell, or null. */
export function presetOf(header: readonly string[]): PresetName | null {
  const keys = new Set(header.map(headerKey));
  const found = signatures.find(([, names]) => names.split(' ').every((name) => keys.has(name)));
  return found?.[0] ?? null;
}
