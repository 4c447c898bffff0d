import { expect, it } from 'vitest';
import { compoundFile, pdfFile, zipFile } from '#tests/support/fixtures/documents.ts';
import { documentName, formatOf } from './document-format.ts';

it.each([
  ['a PDF', pdfFile, 'pdf'],
  ['a PDF after a few bytes', Buffer.concat([Buffer.from('\r\n'), pdfFile]), 'pdf'],
  ['an old Word document', compoundFile(), 'doc'],
  ['a Word document', zipFile(), 'docx'],
  ['an Excel file', compoundFile('Workbook'), null],
  ['another ZIP file', zipFile(['readme.txt']), null],
  ['a spreadsheet', zipFile(['[Content_Types].xml', 'xl/workbook.xml']), null],
  [
    'a Word document with macros',
    zipFile(['[Content_Types].xml', 'word/document.xml', 'word/vbaProject.bin']),
    null,
  ],
  ['a ZIP file without its end', zipFile().subarray(0, 60), null],
  ['a page', Buffer.from('<!doctype html><script>alert(1)</script>'), null],
  ['a program', Buffer.from('MZ\0\0'), null],
  ['nothing', Buffer.alloc(0), null],
])('knows %s by its contents', (_, file, format) => {
  expect(formatOf(file)).toBe(format);
});

it.each([
  ['Survey 2026.PDF', 'Survey 2026.pdf'],
  ['C:\\Users\\ada\\plan.docx', 'plan.pdf'],
  ['../../etc/passwd', 'passwd.pdf'],
  ['  \u202egnp\u0000.exe', 'gnp.pdf'],
  ['.pdf', 'document.pdf'],
  ['', 'document.pdf'],
  [`${'n'.repeat(300)}.pdf`, `${'n'.repeat(120)}.pdf`],
])('keeps %s as %s', (uploaded, name) => {
  expect(documentName(uploaded, 'pdf')).toBe(name);
});
