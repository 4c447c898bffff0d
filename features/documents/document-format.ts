import { cutText } from '#platform/cut-text.ts';
import type { DocumentFormat } from './model.ts';

export const contentTypes: Record<DocumentFormat, string> = {
  pdf: 'application/pdf',
  doc: 'application/msword',
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
};

/** The start of every compound file, in which older versions of Word save. */
const COMPOUND_FILE = Buffer.from('d0cf11e0a1b11ae1', 'hex');
/** A directory entry's name: spreadsheets and presentations are compound files, too. */
const WORD_STREAM = Buffer.from('WordDocument', 'utf16le');
const ZIP_ENTRY = Buffer.from('504b0304', 'hex');
const ZIP_DIRECTORY_ENTRY = Buffer.from('504b0102', 'hex');
const ZIP_END = Buffer.from('504b0506', 'hex');
/** The end of a ZIP file stands before a comment of at most this length. */
const MAX_ZIP_TAIL = 22 + 65_535;
const MAX_ZIP_ENTRIES = 10_000;
/** Readers look for the header of a PDF this far. */
const PDF_HEADER_BYTES = 1024;

/**
 * What begins as a page, a picture, an archive or a program may be read as one, whatever follows. Other bytes before the header are what
 * mail programs and old tools leave there.
 */
const OTHER_FORMAT =
  /^(?:\xef\xbb\xbf)?\s*(?:[<{#]|GIF8|BM|PK|MZ|\x7fELF|\x89PNG|\xff\xd8|RIFF|\xca\xfe|\xd0\xcf|7z)/;

/** The format of a document by its contents, whatever its name is; null for any other file. */
export function formatOf(file: Uint8Array): DocumentFormat | null {
  const bytes = Buffer.from(file.buffer, file.byteOffset, file.byteLength);
  const header = bytes.subarray(0, PDF_HEADER_BYTES).indexOf('%PDF-');
  if (header >= 0) return OTHER_FORMAT.test(bytes.toString('latin1', 0, header)) ? null : 'pdf';
  if (bytes.subarray(0, COMPOUND_FILE.length).equals(COMPOUND_FILE))
    return bytes.includes(WORD_STREAM) ? 'doc' : null;
  return bytes.subarray(0, ZIP_ENTRY.length).equals(ZIP_ENTRY) && isDocx(zipNames(bytes)) ? 'docx' : null;
}

/** A document with macros is a .docm, which is not accepted under another name. */
const isDocx = (names: ReadonlySet<string>): boolean =>
  names.has('[Content_Types].xml') && names.has('word/document.xml') && !names.has('word/vbaProject.bin');

/** The names in a ZIP file's directory; none when that is malformed. */
function zipNames(bytes: Buffer): ReadonlySet<string> {
  const names = new Set<string>();
  const end = bytes.lastIndexOf(ZIP_END);
  if (end < 0 || end < bytes.length - MAX_ZIP_TAIL || end + 22 > bytes.length) return names;
  let at = bytes.readUInt32LE(end + 16);
  for (let entry = 0; entry < MAX_ZIP_ENTRIES; entry += 1) {
    if (at + 46 > end || !bytes.subarray(at, at + 4).equals(ZIP_DIRECTORY_ENTRY)) break;
    const nameLength = bytes.readUInt16LE(at + 28);
    names.add(bytes.toString('utf8', at + 46, at + 46 + nameLength));
    at += 46 + nameLength + bytes.readUInt16LE(at + 30) + bytes.readUInt16LE(at + 32);
  }
  return names;
}

const MAX_NAME = 120;

/** The name under which a document is kept: that of the uploaded file, without folders, with the ending of its format. */
export function documentName(uploaded: string, format: DocumentFormat): string {
  const name = (uploaded.split(/[/\\]/).at(-1) ?? '')
    .toWellFormed()
    .replace(/\.[A-Za-z0-9]{1,5}$/, '')
    .replace(/[\s\p{C}]+/gu, ' ')
    .replace(/^[.\s]+/, '');
  return `${cutText(name, MAX_NAME).trim() || 'document'}.${format}`;
}
