import { useState } from 'react';
import { Badge } from '#ui/badge.tsx';
import { FieldError } from '#ui/field.tsx';
import { SelectControl } from '#ui/select-control.tsx';
import type { FileFacts, ImportColumn } from '../model.ts';

/** With more columns than this, one types a column's name instead of choosing it. */
const MAX_OPTIONS = 150;

interface Props {
  file: FileFacts;
  columns: readonly ImportColumn[];
  /** choices of a form that was refused, by field */
  typed: Readonly<Record<string, string>>;
  errors: Readonly<Record<string, string | undefined>>;
  disabled: boolean;
}

/** Which column of the file each field of a listing is read from, with examples of it. */
export function ColumnTable({ file, columns, typed, errors, disabled }: Props) {
  const main = columns.filter(({ part }) => !part);
  const parts = columns.filter(({ part }) => part);
  const row = (column: ImportColumn) => (
    <ColumnRow
      key={column.field}
      column={column}
      file={file}
      initial={typed[`map.${column.field}`] ?? column.choice}
      error={errors[`map.${column.field}`]}
      disabled={disabled}
    />
  );
  const used = parts.some(({ field, choice }) => (typed[`map.${field}`] ?? choice) !== '');
  return (
    <>
      {file.header.length > MAX_OPTIONS && (
        <datalist id="import-columns">
          {file.header.map((name, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: names may repeat, their places do not
            <option key={index} value={name} />
          ))}
        </datalist>
      )}
      <ul className="import-columns" aria-label="Columns">
        {main.map(row)}
      </ul>
      <details className="import-parts" open={used}>
        <summary>Addresses, bathrooms and lots in several columns</summary>
        <ul className="import-columns" aria-label="Columns for parts">
          {parts.map(row)}
        </ul>
      </details>
    </>
  );
}

interface RowProps {
  column: ImportColumn;
  file: FileFacts;
  initial: string;
  error: string | undefined;
  disabled: boolean;
}

function ColumnRow({ column, file, initial, error, disabled }: RowProps) {
  const { field, label, needed, suggestion } = column;
  const [choice, setChoice] = useState(initial);
  const index = indexOf(choice, file.header);
  const examples = index === null ? [] : (file.examples[index] ?? []);
  const id = `map-${field}`;
  const control = {
    id,
    name: `map.${field}`,
    disabled,
    'aria-invalid': error ? (true as const) : undefined,
    'aria-describedby': `${id}-note`,
  };
  return (
    <li className="import-column">
      <div className="import-field">
        <label htmlFor={id}>{label}</label>
        {needed && <span className="subtle">Needed</span>}
      </div>
      <div>
        {file.header.length > MAX_OPTIONS ? (
          <input
            {...control}
            className="input"
            list="import-columns"
            autoComplete="off"
            value={index === null ? choice : (file.header[index] ?? choice)}
            onChange={({ currentTarget }) => setChoice(currentTarget.value)}
          />
        ) : (
          <SelectControl
            {...control}
            placeholder="Not read"
            options={[
              ...(choice.startsWith('=') ? [{ value: choice, label: `Always ${choice.slice(1)}` }] : []),
              ...file.header.map((name, at) => ({ value: `#${at + 1}`, label: name || `Column ${at + 1}` })),
            ]}
            value={choice}
            onChange={({ currentTarget }) => setChoice(currentTarget.value)}
          />
        )}
      </div>
      <div id={`${id}-note`} className="import-note">
        {error && <FieldError>{error}</FieldError>}
        {choice !== '' && (
          <span className="import-examples">
            {examples.length > 0 ? examples.join(' · ') : 'Empty in the first rows'}
          </span>
        )}
        {choice !== '' && <How column={column} changed={choice !== column.choice} />}
        {choice === '' && suggestion && (
          <span className="hint">
            Perhaps {suggestion.header}.{' '}
            <button type="button" className="link needs-js" onClick={() => setChoice(suggestion.choice)}>
              Use it<span className="vh"> for {label}</span>
            </button>
          </span>
        )}
      </div>
    </li>
  );
}

/** The column that a choice means: `#3`, or the name of one. */
function indexOf(choice: string, header: readonly string[]): number | null {
  const number = /^#(\d{1,5})$/.exec(choice)?.[1];
  const index = number ? Number(number) - 1 : header.indexOf(choice);
  return index >= 0 && index < header.length ? index : null;
}

function How({ column: { how }, changed }: { column: ImportColumn; changed: boolean }) {
  if (changed || how === 'chosen') return <Badge tone="info">Chosen</Badge>;
  return <Badge tone="ok">Recognized</Badge>;
}
