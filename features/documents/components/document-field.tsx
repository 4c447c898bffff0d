import { useState } from 'react';
import { Field } from '#ui/field.tsx';
import { MAX_DOCUMENT_BYTES } from '../model.ts';
import { documentRefusals } from '../rules.ts';

interface Props {
  label: string;
  name: string;
  hint: string;
  error: string | undefined;
}

/** Chooses a document; one that is too large is refused here, before it travels. */
export function DocumentField({ label, name, hint, error }: Props) {
  const [problem, setProblem] = useState<string>();
  return (
    <Field label={label} error={problem ?? error} hint={hint}>
      {(control) => (
        <input
          {...control}
          type="file"
          name={name}
          accept=".pdf,.doc,.docx"
          className="input"
          onChange={({ currentTarget }) => {
            const file = currentTarget.files?.[0];
            const tooLarge = file !== undefined && file.size > MAX_DOCUMENT_BYTES;
            setProblem(tooLarge ? documentRefusals.too_large : undefined);
            if (tooLarge) currentTarget.value = '';
          }}
        />
      )}
    </Field>
  );
}
