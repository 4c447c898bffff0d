import { useState } from 'react';
import type { PropertyDocument } from '#features/documents/model.ts';
import { MAX_DOCUMENT_BYTES } from '#features/documents/model.ts';
import { documentRefusals } from '#features/documents/rules.ts';
import { adminPaths } from '#routing/admin-paths.ts';
import { Field } from '#ui/field.tsx';
import { LocalTime } from '#ui/local-time.tsx';

interface Props {
  survey: PropertyDocument | null;
  error: string | undefined;
  onChange: (chosen: boolean) => void;
}

/** The survey document: the present one, and a file that is stored together with the form. */
export function SurveyField({ survey, error, onChange }: Props) {
  const [problem, setProblem] = useState<string>();
  return (
    <Field
      label="Survey Document"
      optional
      className="f-wide"
      error={problem ?? error}
      hint="PDF or Word (.pdf, .doc, .docx), at most 25 MB. It is uploaded when you save."
    >
      {(control) => (
        <>
          {survey && <Present survey={survey} />}
          <input
            {...control}
            type="file"
            name="survey"
            accept=".pdf,.doc,.docx"
            className="input survey-file"
            onChange={({ currentTarget }) => {
              const file = currentTarget.files?.[0];
              const tooLarge = file !== undefined && file.size > MAX_DOCUMENT_BYTES;
              setProblem(tooLarge ? documentRefusals.too_large : undefined);
              // What cannot be stored must not travel with the form.
              if (tooLarge) currentTarget.value = '';
              onChange(file !== undefined && !tooLarge);
            }}
          />
        </>
      )}
    </Field>
  );
}

function Present({ survey: { id, name, version, scan, createdAt } }: { survey: PropertyDocument }) {
  return (
    <p className="survey-present">
      {scan === 'held' ? (
        <>
          <b>{name}</b> waits for the virus scanner and cannot be opened yet.
        </>
      ) : (
        <a className="link" href={adminPaths.documentFile(id)}>
          {name}
        </a>
      )}{' '}
      <small>
        Version {version}, <LocalTime of={createdAt} as="date" />
      </small>
    </p>
  );
}
