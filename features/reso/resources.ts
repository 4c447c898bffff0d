import { type RawBuilder, sql } from 'kysely';
import type { CollectionField, EdmType, Field, Resource, ResourceName } from './model.ts';

/** The marketplace is the only office. */
const OFFICE_KEY = 'marketplace';

/** Our status of a listing by its RESO name; listings with any other status are not exchanged. */
const statuses = { Active: 'Active', Pending: 'escrow', Closed: 'Sold', Withdrawn: 'withdrawn' } as const;

const ref = (column: string) => sql.ref(column);
type FieldChoices = Partial<Omit<Field, 'name' | 'type'>>;

/** A field that is a column. */
const plain = (
  name: string,
  type: EdmType,
  column: string,
  description: string,
  choices: FieldChoices = {},
): Field => ({ name, type, nullable: true, description, sql: () => ref(column), ...choices });
/** A column of text, which is empty where nothing is known: null outside. */
const text = (name: string, column: string, description: string, choices: FieldChoices = {}): Field =>
  plain(name, 'String', column, description, {
    sql: () => sql`nullif(${ref(column)}, '')`,
    index: { sql: ref(column), kind: 'text' },
    ...choices,
  });
/** A column of keys: a text outside, a UUID in the database. */
const uuid = (name: string, column: string, description: string): Field =>
  plain(name, 'String', column, description, {
    sql: () => sql`${ref(column)}::text`,
    index: { sql: ref(column), kind: 'uuid' },
    nullable: false,
    maxLength: 36,
  });
const computed = (
  name: string,
  type: EdmType,
  expression: Field['sql'],
  description: string,
  choices: FieldChoices = {},
): Field => ({ name, type, nullable: true, description, sql: expression, ...choices });
const constant = (name: string, value: string, description: string): Field =>
  computed(name, 'String', () => sql`${sql.lit(value)}::text`, description, { nullable: false });
const required = { nullable: false } as const;

/**
 * Listings that are exchanged: pending ones never are, and what an administrator has hidden is not. One that was withdrawn before its
 * approval, or edited since, holds what no administrator has seen: nobody but its seller gets it.
 */
const exchanged = (agentId: string | null): RawBuilder<boolean> =>
  agentId === null
    ? sql<boolean>`(p.deleted_at is null and p.status in ('Active', 'escrow', 'Sold', 'withdrawn')
        and (not p.seller_suspended or p.status in ('escrow', 'Sold'))
        and (p.status <> 'withdrawn' or p.listed_at is not null and p.needs_approval_since is null))`
    : sql<boolean>`(p.deleted_at is null and p.status in ('Active', 'escrow', 'Sold', 'withdrawn')
        and p.agent_id = ${agentId}::uuid)`;

const amenities: CollectionField = {
  name: 'Amenities',
  description: 'What the listing offers, in the words of the marketplace',
  sql: sql`array(select am.name from property_amenities pa join amenities am on am.id = pa.amenity_id
    where pa.property_id = p.id order by am.name)`,
  some: (condition) => sql<boolean>`exists (select from property_amenities pa
    join amenities am on am.id = pa.amenity_id where pa.property_id = p.id and ${condition(ref('am.name'))})`,
};

const property: Resource = {
  name: 'Property',
  scope: 'listings',
  key: 'ListingKey',
  description: 'Listings: for sale, under contract, sold and withdrawn',
  from: sql`properties p`,
  visible: exchanged,
  media: { on: sql<boolean>`i.property_id = p.id` },
  collections: [amenities],
  fields: [
    uuid('ListingKey', 'p.id', 'The listing, for good'),
    text('ListingId', 'p.mls_number', 'Its number at a multiple listing service', { maxLength: 60 }),
    text('OriginatingSystemName', 'p.mls_name', 'That multiple listing service', { maxLength: 100 }),
    text('SourceSystemKey', 'p.source_id', 'Its name in the file that it was imported from', {
      maxLength: 200,
    }),
    computed(
      'StandardStatus',
      'String',
      () =>
        sql`(case p.status when 'Active' then 'Active' when 'escrow' then 'Pending' when 'Sold' then 'Closed' else 'Withdrawn' end)`,
      'Active, Pending (under contract), Closed or Withdrawn',
      { nullable: false, codes: { sql: ref('p.status'), of: statuses } },
    ),
    computed(
      'PropertyType',
      'String',
      () =>
        sql`(case p.type_id when 1 then 'Land' when 3 then 'ResidentialIncome' when 4 then 'CommercialSale' else 'Residential' end)`,
      'Residential, ResidentialIncome, Land or CommercialSale',
      required,
    ),
    computed(
      'PropertySubType',
      'String',
      () =>
        sql`(select case when t.id = 2 then 'SingleFamilyResidence' when t.slug ~ '^condo' then 'Condominium'
          when t.slug ~ '^town' then 'Townhouse' when t.slug ~ '^(mobile|manufactured)' then 'ManufacturedHome' end
          from property_types t where t.id = p.type_id)`,
      'SingleFamilyResidence, Condominium, Townhouse or ManufacturedHome',
    ),
    computed(
      'ListPrice',
      'Decimal',
      () => sql`(p.price_cents / 100.0)`,
      'The price without buyers’ fees, in US dollars',
      {
        nullable: false,
        scale: 2,
        index: { sql: ref('p.price_cents'), kind: 'cents' },
      },
    ),
    text('UnparsedAddress', 'p.address', 'The street address', { nullable: false, maxLength: 200 }),
    text('City', 'p.city', 'The city', { maxLength: 100 }),
    text('StateOrProvince', 'p.state', 'The state', { maxLength: 50 }),
    text('PostalCode', 'p.zip', 'The ZIP code', { maxLength: 20 }),
    constant('Country', 'US', 'Always US'),
    text('SubdivisionName', 'p.neighborhood', 'The neighborhood', { maxLength: 100 }),
    plain('BedroomsTotal', 'Int32', 'p.bedrooms', 'Bedrooms'),
    plain('BathroomsFull', 'Int32', 'p.bathrooms', 'Full bathrooms'),
    plain('BathroomsHalf', 'Int32', 'p.half_baths', 'Half bathrooms', required),
    computed(
      'BathroomsTotalInteger',
      'Int32',
      () => sql`(p.bathrooms + p.half_baths)`,
      'Full and half bathrooms together',
    ),
    plain('LivingArea', 'Decimal', 'p.square_feet', 'Living area in LivingAreaUnits', { scale: 2 }),
    constant('LivingAreaUnits', 'SquareFeet', 'Always SquareFeet'),
    plain('LotSizeArea', 'Decimal', 'p.lot_square_feet', 'Size of the lot in LotSizeUnits', { scale: 2 }),
    plain('LotSizeSquareFeet', 'Decimal', 'p.lot_square_feet', 'Size of the lot in square feet', {
      scale: 2,
    }),
    constant('LotSizeUnits', 'SquareFeet', 'Always SquareFeet'),
    plain('YearBuilt', 'Int32', 'p.year_built', 'Year of construction'),
    plain('Latitude', 'Double', 'p.latitude', 'Degrees north'),
    plain('Longitude', 'Double', 'p.longitude', 'Degrees east'),
    text('PublicRemarks', 'p.description', 'The description', { maxLength: 10_000 }),
    computed(
      'DaysOnMarket',
      'Int32',
      ({ now }) => sql`days_on_market(p, ${now.toISOString()}::timestamptz)`,
      'Whole days on the market, without the time off it',
      required,
    ),
    computed(
      'ListingContractDate',
      'Date',
      () => sql`(p.listed_at at time zone 'UTC')::date`,
      'The day of its first approval (UTC)',
    ),
    plain('OnMarketTimestamp', 'DateTimeOffset', 'p.listed_at', 'Its first approval'),
    plain('OffMarketTimestamp', 'DateTimeOffset', 'p.off_market_at', 'When it was sold or withdrawn'),
    plain('OriginalEntryTimestamp', 'DateTimeOffset', 'p.created_at', 'When it was entered', required),
    plain(
      'ModificationTimestamp',
      'DateTimeOffset',
      'p.updated_at',
      'Its last change, photos aside',
      required,
    ),
    computed(
      'PhotosCount',
      'Int32',
      () => sql`(select count(*)::integer from property_images i where i.property_id = p.id)`,
      'How many photos it has',
      required,
    ),
    computed(
      'PhotosChangeTimestamp',
      'DateTimeOffset',
      () =>
        sql`greatest(p.photos_changed_at, (select max(i.created_at) from property_images i where i.property_id = p.id))`,
      'When a photo was last added, changed, moved or deleted',
    ),
    uuid('ListAgentKey', 'p.agent_id', 'The seller, a Member'),
    computed(
      'ListAgentFullName',
      'String',
      () => sql`(select a.name from agents a where a.id = p.agent_id)`,
      'The seller’s name',
      required,
    ),
    constant('ListOfficeKey', OFFICE_KEY, 'The marketplace, an Office'),
  ],
};

const member: Resource = {
  name: 'Member',
  scope: 'members',
  key: 'MemberKey',
  description: 'Sellers, without their addresses and numbers',
  from: sql`agents m`,
  visible: (agentId) =>
    agentId === null
      ? sql<boolean>`(m.archived_at is null and m.is_registered)`
      : sql<boolean>`(m.archived_at is null and m.id = ${agentId}::uuid)`,
  collections: [],
  fields: [
    uuid('MemberKey', 'm.id', 'The seller, for good'),
    text('MemberFullName', 'm.name', 'The name', required),
    computed(
      'MemberStatus',
      'String',
      () => sql`(case when m.status = 'suspended' then 'Inactive' else 'Active' end)`,
      'Active or Inactive',
      required,
    ),
    constant('OfficeKey', OFFICE_KEY, 'The marketplace, an Office'),
    plain('OriginalEntryTimestamp', 'DateTimeOffset', 'm.created_at', 'When the seller joined', required),
    plain('ModificationTimestamp', 'DateTimeOffset', 'm.updated_at', 'The last change', required),
  ],
};

const office: Resource = {
  name: 'Office',
  scope: 'members',
  key: 'OfficeKey',
  description: 'The marketplace itself',
  from: sql`(select ${sql.lit(OFFICE_KEY)}::text as id,
    coalesce((select setting_value #>> '{}' from platform_settings where setting_name = 'brand'), 'Acre Trading Post') as name,
    coalesce((select updated_at from platform_settings where setting_name = 'brand'), timestamptz '2026-01-01T00:00:00Z') as updated_at) o`,
  visible: () => sql<boolean>`true`,
  collections: [],
  fields: [
    plain('OfficeKey', 'String', 'o.id', 'Always marketplace', required),
    plain('OfficeName', 'String', 'o.name', 'The name of the marketplace', required),
    constant('OfficeStatus', 'Active', 'Always Active'),
    plain('ModificationTimestamp', 'DateTimeOffset', 'o.updated_at', 'The last change of the name', required),
  ],
};

export const media: Resource = {
  name: 'Media',
  scope: 'media',
  key: 'MediaKey',
  description: 'Photos of the listings in Property',
  from: sql`property_images i join stored_images s on s.id = i.image_id join properties p on p.id = i.property_id`,
  visible: exchanged,
  collections: [],
  fields: [
    uuid('MediaKey', 'i.id', 'The photo at this listing'),
    constant('ResourceName', 'Property', 'Always Property'),
    uuid('ResourceRecordKey', 'i.property_id', 'The listing, its ListingKey'),
    computed(
      'MediaURL',
      'String',
      ({ origin }) =>
        sql`(${`${origin}/media/images/`}::text || s.id || '/' || (select max(w) from unnest(s.widths) w) || '.webp')`,
      'Where the photo is, without a key',
      { nullable: false, readOnly: true },
    ),
    constant('MediaCategory', 'Photo', 'Always Photo'),
    constant('MimeType', 'image/webp', 'Always image/webp'),
    plain('Order', 'Int32', 'i.position', 'Place among the photos, from 0', required),
    plain('PreferredPhotoYN', 'Boolean', 'i.is_main', 'Whether it is the main photo', required),
    text('ShortDescription', 'i.caption', 'The caption'),
    text('LongDescription', 'i.alt', 'What the photo shows, for those who cannot see it'),
    plain('ImageWidth', 'Int32', 's.width', 'Pixels', required),
    plain('ImageHeight', 'Int32', 's.height', 'Pixels', required),
    computed(
      'ModificationTimestamp',
      'DateTimeOffset',
      () => sql`coalesce(i.changed_at, i.created_at)`,
      'When the photo was added, or its place, caption or text last changed',
      required,
    ),
  ],
};

/** Every resource, by its name. */
export const resources: Readonly<Record<ResourceName, Resource>> = {
  Property: property,
  Member: member,
  Office: office,
  Media: media,
};

/** The resource of a name, or null. */
export const resourceNamed = (name: string): Resource | null =>
  Object.hasOwn(resources, name) ? resources[name as ResourceName] : null;
