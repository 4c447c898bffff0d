const CSV = `sep=;
SALE TYPE;SOLD DATE;PROPERTY TYPE;ADDRESS;CITY;STATE OR PROVINCE;ZIP OR POSTAL CODE;PRICE;BEDS;BATHS;LOCATION;STATUS;SOURCE;MLS#;LATITUDE;LONGITUDE
"In accordance with local MLS rules; some MLS listings are not included"
MLS Listing;;Single Family Residential;12 ELM ST Unit 4;Lebanon;NH;3766;$1.2M;3;2,5;River Bend;Active;NEREN;100;43.64;-72.25
PAST SALE;October-31-2025;House;"13 Oak ""B"" Ave";Lebanon;NH;03766;1.200.000,00;3;2;;Sold;NEREN;101;-72.25;43.64
`;
const JSON_TEXT = JSON.stringify({
  '@odata.context': 'x',
  value: [
    {
      ListingKey: 'a',
      ListPrice: 5e5,
      UnparsedAddress: '12 Elm St, Lebanon, NH 03766',
      PropertyType: 'Residential',
      StandardStatus: 'Active',
      Media: [{ MediaURL: 'https://x.test/1.jpg' }],
    },
    {
      ListingKey: 'b',
      ListPrice: '600k',
      StreetNumber: 4,
      StreetName: 'Oak',
      PropertySubType: 'SingleFamilyResidence',
      City: null,
    },
  ],
});
/** Files of two listings each, as sources write them. */
export const plainFiles: readonly Buffer[] = [
  Buffer.from(CSV),
  Buffer.from(`\ufeff${CSV}`, 'utf16le'),
  Buffer.from(CSV.replaceAll('Lebanon', 'L\xe9banon'), 'latin1'),
  Buffer.from(JSON_TEXT),
  Buffer.from(
    JSON.parse(JSON_TEXT)
      .value.map((one: unknown) => JSON.stringify(one))
      .join('\n'),
  ),
];
const PIECES = [
  '"',
  ',',
  ';',
  '\t',
  '|',
  '\n',
  '\r',
  '\0',
  '{',
  '}',
  '[',
  ']',
  '\\',
  ':',
  '\u202e',
  '=1+1',
  '@x',
  '\ufeff',
  'null',
  '1e999',
  '-',
  'é',
  '\xff',
  '9'.repeat(400),
  ' '.repeat(300),
  '"a""b',
  '{"value":[',
  'PK\x03\x04',
  '\\u0000',
  '\\ud800',
  '\\udfff',
].map((piece) => Buffer.from(piece, piece === '\xff' ? 'latin1' : 'utf8'));

/** One of those files with bytes changed, removed, doubled, or hostile pieces put in. */
export function hostileFile(random: () => number): Buffer {
  const below = (limit: number) => Math.floor(random() * limit);
  let bytes = Buffer.from(plainFiles[below(plainFiles.length)] ?? '');
  for (let change = 0; change < 1 + below(8); change++) {
    const at = below(bytes.length + 1);
    const to = Math.min(bytes.length, at + below(40));
    const piece = PIECES[below(PIECES.length)] ?? Buffer.alloc(0);
    switch (below(5)) {
      case 0:
        if (at < bytes.length) bytes[at] = below(256);
        break;
      case 1:
        bytes = Buffer.concat([bytes.subarray(0, at), bytes.subarray(to)]);
        break;
      case 2:
        bytes = Buffer.concat([bytes.subarray(0, to), bytes.subarray(at)]);
        break;
      case 3:
        bytes = bytes.subarray(0, at);
        break;
      default:
        bytes = Buffer.concat([bytes.subarray(0, at), piece, bytes.subarray(at)]);
    }
  }
  return bytes;
}
