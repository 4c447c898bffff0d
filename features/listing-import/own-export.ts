import { exportColumns } from '#features/listing-export/model.ts';
import type { PropertyStatus } from '#features/listings/model.ts';
import { decimalAmount } from '#platform/money.ts';
import { entriesOf } from '#platform/typed-keys.ts';
import type { StoredValues } from './changes.ts';
import type { FieldName } from './fields.ts';
import type { MappedColumn, Mapping } from './mapping.ts';
import type { Refusal } from './model.ts';
import { type ImportType, TypeWords, typeKey } from './property-types.ts';
import { type ParsedRow, parseRow, type RowValues } from './rows.ts';

// A file that sellers have exported here changes nothing when it is imported again.

const columns = new Map<FieldName, MappedColumn>(
  exportColumns.map(({ header }, index) => [header as FieldName, { index, header, how: 'exact' }]),
);
const mapping: Mapping = {
  width: exportColumns.length,
  preset: null,
  columns,
  constants: new Map(),
  suggestions: [],
  ignored: [],
  repeated: [],
};

/** The types of the marketplace, as rows of an exported file name them. */
export class OwnTypes {
  readonly #byId: ReadonlyMap<number, ImportType>;
  readonly #words: TypeWords;

  constructor(types: readonly ImportType[]) {
    this.#byId = new Map(types.map((type) => [type.id, type]));
    this.#words = new TypeWords(types, {}, true);
  }

  /**
   * A row without the values that it would have as well if the listing had been exported and read again: addresses in capitals that the
   * seller typed become readable, and types of our own are Residential in RESO files. What is left is what the file says anew.
   */
  withoutOwn(listing: StoredValues, row: ParsedRow, now: Date): RowValues {
    const type = listing.type_id === null ? undefined : this.#byId.get(listing.type_id);
    const exported = {
      ...listing,
      id: '',
      source_id: 'own',
      property_type: type?.name ?? null,
      status: 'Active',
      photo_urls: [],
    };
    const cells = exportColumns.map((column) => {
      if ('text' in column) return column.text(exported) ?? '';
      const cents = 'cents' in column ? column.cents(exported) : null;
      return cents === null ? '' : decimalAmount(cents);
    });
    const own = parseRow(cells, { mapping, types: this.#words, now });
    const values: RowValues = { ...row.values };
    if (type && row.typeWords === resoWords(type)) Object.assign(values, { type_id: type.id });
    if (!own.row) return values;
    for (const [name, value] of entriesOf(own.row.values))
      if (value === values[name]) Object.assign(values, { [name]: listing[name] });
    return values;
  }
}

/** `PropertyType` and `PropertySubType` of a type in RESO files. */
function resoWords({ id, name }: ImportType): string {
  const key = typeKey(name);
  const type = { 1: 'Land', 3: 'ResidentialIncome', 4: 'CommercialSale' }[id] ?? 'Residential';
  const subtype =
    id === 2
      ? 'SingleFamilyResidence'
      : key.startsWith('condo')
        ? 'Condominium'
        : key.startsWith('town')
          ? 'Townhouse'
          : /^(?:mobile|manufactured)/.test(key)
            ? 'ManufacturedHome'
            : '';
  return `${type}\n${subtype}`;
}

/** What refuses a row of a listing that is there: a doubt is none where the listing is so already. */
export const doubtOf = (
  listing: { status: PropertyStatus; type_id: number | null; address: string },
  { doubts, values }: ParsedRow,
): Refusal | null =>
  doubts.find(({ column }) => {
    if (column === 'property_type') return listing.type_id !== values.type_id;
    return column === 'address' ? listing.address !== values.address : listing.status !== 'Sold';
  }) ?? null;
