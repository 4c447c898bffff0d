import type { ZipEntry } from './zip.ts';

/** The formats of cells, by their place in the list of the workbook. */
export const styles = { dollars: 1, time: 2, formulaLike: 3, head: 4 } as const;

const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const RELATIONS = 'http://schemas.openxmlformats.org/package/2006/relationships';
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const TYPES = 'http://schemas.openxmlformats.org/package/2006/content-types';
const OF_SPREADSHEET = 'application/vnd.openxmlformats-officedocument.spreadsheetml';
const PROLOGUE = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';

/** The path of a sheet, counted from 1. */
export const sheetName = (number: number): string => `xl/worksheets/sheet${number}.xml`;

/** Everything of a workbook but its sheets, which come first, since only then their number is known. */
export function workbookParts(title: string, sheets: number): ZipEntry[] {
  const numbers = Array.from({ length: sheets }, (_, at) => at + 1);
  const part = (name: string, xml: string): ZipEntry => ({ name, content: [PROLOGUE + xml] });
  return [
    part(
      'xl/workbook.xml',
      `<workbook xmlns="${MAIN}" xmlns:r="${OFFICE}"><sheets>${numbers
        .map((number) => {
          const name = number === 1 ? title : `${title} ${number}`;
          return `<sheet name="${name}" sheetId="${number}" r:id="rId${number}"/>`;
        })
        .join('')}</sheets></workbook>`,
    ),
    part(
      'xl/_rels/workbook.xml.rels',
      relations([
        ...numbers.map((number) => ['worksheet', `worksheets/sheet${number}.xml`] as const),
        ['styles', 'styles.xml'],
      ]),
    ),
    part('xl/styles.xml', styleSheet),
    part('_rels/.rels', relations([['officeDocument', 'xl/workbook.xml']])),
    part(
      '[Content_Types].xml',
      `<Types xmlns="${TYPES}"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/>${[
        ['/xl/workbook.xml', 'sheet.main'],
        ['/xl/styles.xml', 'styles'],
        ...numbers.map((number) => [`/${sheetName(number)}`, 'worksheet']),
      ]
        .map(([path, type]) => `<Override PartName="${path}" ContentType="${OF_SPREADSHEET}.${type}+xml"/>`)
        .join('')}</Types>`,
    ),
  ];
}

const relations = (to: readonly (readonly [type: string, target: string])[]) =>
  `<Relationships xmlns="${RELATIONS}">${to
    .map(
      ([type, target], at) => `<Relationship Id="rId${at + 1}" Type="${OFFICE}/${type}" Target="${target}"/>`,
    )
    .join('')}</Relationships>`;

/** In the order of `styles`: plain, amounts with cents, ISO times, text that looks like a formula, bold. */
const styleSheet = `<styleSheet xmlns="${MAIN}"><numFmts count="1"><numFmt numFmtId="164" formatCode="yyyy\\-mm\\-dd&quot;T&quot;hh:mm:ss&quot;Z&quot;"/></numFmts><fonts count="2"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font></fonts><fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills><borders count="1"><border/></borders><cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs><cellXfs count="5"><xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/><xf numFmtId="4" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/><xf numFmtId="164" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/><xf numFmtId="49" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1" quotePrefix="1"/><xf numFmtId="0" fontId="1" fillId="0" borderId="0" xfId="0" applyFont="1"/></cellXfs></styleSheet>`;
