import { allFields, type FieldName, fieldLabels, importFields } from '#features/listing-import/fields.ts';
import { type FieldChoices, recognizeColumns } from '#features/listing-import/mapping.ts';
import { presetLabels } from '#features/listing-import/presets.ts';
import type { ListingsFile } from '#features/listing-import/read-file.ts';
import { cutText } from '#platform/cut-text.ts';
import type { FileFacts, ImportColumn } from './model.ts';

const EXAMPLES = 3;
const EXAMPLE_LENGTH = 60;

const needed: readonly FieldName[] = ['price', 'address', 'property_type'];

/**
 * The fields of a listing with the columns that they are read from, as they were recognized and chosen.
 * @param open the columns can still be chosen, for which all of them are needed
 */
export function describeColumns(
  file: ListingsFile,
  choices: FieldChoices,
  open: boolean,
): { file: FileFacts; columns: ImportColumn[]; ignored: string[] } {
  const recognized = recognizeColumns(file);
  const { columns: chosen, ignored } = recognizeColumns(file, { map: choices });
  const columns = allFields.map((field): ImportColumn => {
    const choice = choices[field] ?? '';
    const own = recognized.columns.get(field);
    const index = chosen.get(field)?.index;
    const suggested = recognized.suggestions.find((one) => one.field === field);
    return {
      field,
      label: fieldLabels[field],
      needed: needed.includes(field),
      part: !(importFields as readonly string[]).includes(field),
      choice,
      how: choice === '' ? null : own && own.index === index ? own.how : 'chosen',
      suggestion:
        suggested && choice === '' ? { choice: `#${suggested.index + 1}`, header: suggested.header } : null,
    };
  });
  const { format, encoding, preset, size, header, examples } = file;
  return {
    file: {
      format,
      encoding,
      source: preset && presetLabels[preset],
      size,
      header: open ? header.map((name) => cutText(name, EXAMPLE_LENGTH)) : [],
      examples: open
        ? header.map((_, index) =>
            examples
              .map((cells) => cutText((cells[index] ?? '').trim(), EXAMPLE_LENGTH))
              .filter((cell) => cell !== '')
              .slice(0, EXAMPLES),
          )
        : [],
    },
    columns,
    ignored: [...ignored],
  };
}

/** The choices of a form, of which only fields that exist count. */
export const readChoices = (text: (name: string) => string): FieldChoices =>
  Object.fromEntries(allFields.map((field) => [field, cutText(text(`map.${field}`), 250) || null]));
