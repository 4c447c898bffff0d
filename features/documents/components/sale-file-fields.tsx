import './sale-documents.css';
import { type FormEvent, useEffect, useState } from 'react';
import { keysOf } from '#platform/typed-keys.ts';
import { Field } from '#ui/field.tsx';
import {
  MAX_DOCUMENT_BYTES,
  MAX_SALE_FILES,
  MAX_SALE_FORM_BYTES,
  type SaleFileField,
  saleFileFields,
} from '../model.ts';
import { documentRefusals, saleFileRefusals } from '../rules.ts';

type Errors = Partial<Record<string, string>>;

const labels: Record<SaleFileField, string> = {
  deed: 'Deed',
  contract: 'Contract',
  other: 'Other documents',
};

/** The files of a sale, by kind, each field for several; what cannot be stored is said before it is sent. */
export function SaleFileFields({ errors }: { errors?: Errors | undefined }) {
  const [problem, setProblem] = useState<Errors>();
  useEffect(() => {
    if (errors) setProblem(undefined);
  }, [errors]);
  const check = (event: FormEvent<HTMLFieldSetElement>) => {
    const { target } = event;
    if (!(target instanceof HTMLInputElement)) return;
    const text = problemOf(event.currentTarget, target);
    // What cannot be stored must not travel with the form.
    if (text) target.value = '';
    setProblem(text ? { [target.name]: text } : {});
  };
  // Once something else is chosen, what the server said is about the past.
  const shown = problem ?? errors ?? {};
  return (
    <fieldset className="sale-files" onChange={check}>
      <legend className="hint">
        PDF or Word (.pdf, .doc, .docx), 1 to {MAX_SALE_FILES} files of at most 25 MB each. Only buyer, seller
        and administrators can see them.
      </legend>
      {keysOf(saleFileFields).map((field) => (
        <Field key={field} label={labels[field]} error={shown[field]}>
          {(control) => (
            <input
              {...control}
              type="file"
              name={field}
              multiple
              accept=".pdf,.doc,.docx"
              className="input"
            />
          )}
        </Field>
      ))}
    </fieldset>
  );
}

function problemOf(form: HTMLFieldSetElement, changed: HTMLInputElement): string | null {
  const files = [...form.querySelectorAll<HTMLInputElement>('input[type=file]')].flatMap((input) => [
    ...(input.files ?? []),
  ]);
  const tooLarge = [...(changed.files ?? [])].find(({ size }) => size > MAX_DOCUMENT_BYTES);
  if (tooLarge) return `‘${tooLarge.name}’: ${documentRefusals.too_large}`;
  if (files.length > MAX_SALE_FILES) return saleFileRefusals.too_many;
  const together = files.reduce((sum, { size }) => sum + size, 0);
  return together > MAX_SALE_FORM_BYTES ? saleFileRefusals.too_large_together : null;
}
