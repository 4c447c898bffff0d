import { formatCount } from '#platform/format-count.ts';
import { FieldError } from '#ui/field.tsx';
import { Panel } from '#ui/panel.tsx';
import { SelectControl } from '#ui/select-control.tsx';
import { rowsText } from '../display.ts';
import type { ImportDetails, ImportTypeWord } from '../model.ts';

interface Props {
  details: Pick<ImportDetails, 'typeWords' | 'moreTypeWords' | 'types'>;
  /** choices of a form that was refused, by field */
  typed: Readonly<Record<string, string>>;
  errors: Readonly<Record<string, string | undefined>>;
  disabled: boolean;
}

/** Which property type each word of the file stands for that is not known here, with the number of its rows. */
export function TypeTable({ details: { typeWords, moreTypeWords, types }, typed, errors, disabled }: Props) {
  if (typeWords.length === 0) return null;
  return (
    <Panel title="Property types" inset>
      <p className="hint">The file has words for property types that are not known here.</p>
      <ul className="import-columns" aria-label="Words for property types">
        {typeWords.map((word, index) => (
          <WordRow
            key={word.key}
            id={`type-${index}`}
            word={word}
            types={types}
            initial={typed[`type.${word.key}`] ?? word.choice}
            error={errors[`type.${word.key}`]}
            disabled={disabled}
          />
        ))}
      </ul>
      {moreTypeWords > 0 && (
        <p className="hint">
          {formatCount(moreTypeWords)} more {moreTypeWords === 1 ? 'word is' : 'words are'} not known. Their
          rows are left out.
        </p>
      )}
    </Panel>
  );
}

interface RowProps {
  id: string;
  word: ImportTypeWord;
  types: readonly string[];
  initial: string;
  error: string | undefined;
  disabled: boolean;
}

function WordRow({ id, word: { key, word, rows }, types, initial, error, disabled }: RowProps) {
  // What cannot be chosen anymore is shown as it was, beside the reason against it.
  const names = initial === '' || types.includes(initial) ? types : [initial, ...types];
  return (
    <li className="import-column">
      <div className="import-field">
        <label className="import-name" htmlFor={id}>
          {word}
        </label>
      </div>
      <div>
        <SelectControl
          id={id}
          name={`type.${key}`}
          disabled={disabled}
          aria-invalid={error ? true : undefined}
          aria-describedby={`${id}-note`}
          placeholder="Leave these rows out"
          options={names.map((name) => ({ value: name, label: name }))}
          defaultValue={initial}
        />
      </div>
      <div id={`${id}-note`} className="import-note">
        {error && <FieldError>{error}</FieldError>}
        <span className="import-examples">{rowsText(rows)}</span>
      </div>
    </li>
  );
}
