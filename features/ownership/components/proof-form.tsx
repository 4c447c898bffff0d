import './ownership.css';
import { useState } from 'react';
import { Form } from 'react-router';
import { MAX_DOCUMENT_BYTES } from '#features/documents/model.ts';
import { documentRefusals } from '#features/documents/rules.ts';
import type { ActionData } from '#ui/action-data.ts';
import { Button } from '#ui/button.tsx';
import { Field } from '#ui/field.tsx';
import { IntentField } from '#ui/intent-field.tsx';
import { Panel } from '#ui/panel.tsx';
import { TextArea } from '#ui/text-area.tsx';
import { TextInput } from '#ui/text-input.tsx';
import { usePendingForm } from '#ui/use-pending.ts';
import type { ProofField } from '../model.ts';
import { NOTE_MAX_LENGTH, OWNER_MAX_LENGTH, PARCEL_MAX_LENGTH } from '../rules.ts';

/** The intent of the form. */
export const UPLOAD_PROOF = 'upload';

interface Props {
  /** one was uploaded before */
  again: boolean;
  answer: ActionData<ProofField> | undefined;
}

/** Uploads a proof of ownership: the document, and what is written in it. */
export function ProofForm({ again, answer }: Props) {
  const { errors = {}, input = {} } = answer ?? {};
  const busy = usePendingForm(UPLOAD_PROOF) !== null;
  return (
    <Panel title={again ? 'Upload another document' : 'Upload a document'} inset>
      <Form
        method="post"
        encType="multipart/form-data"
        className="grid max-w-[560px] gap-5"
        noValidate
        preventScrollReset
      >
        <IntentField is={UPLOAD_PROOF} />
        <DocumentField error={errors.document} />
        <TextInput
          label="Owner’s name"
          name="ownerName"
          maxLength={OWNER_MAX_LENGTH}
          hint="As in the deed."
          defaultValue={input.ownerName}
          error={errors.ownerName}
        />
        <TextInput
          label="Parcel number"
          name="parcelNumber"
          maxLength={PARCEL_MAX_LENGTH}
          hint="Also called APN or tax ID."
          defaultValue={input.parcelNumber}
          error={errors.parcelNumber}
        />
        <TextArea
          label="Note"
          name="note"
          optional
          rows={3}
          maxLength={NOTE_MAX_LENGTH}
          counted
          hint="For the administrator, such as why the name differs from yours."
          defaultValue={input.note}
          error={errors.note}
        />
        <Button type="submit" busy={busy} className="justify-self-start">
          Upload proof
        </Button>
      </Form>
    </Panel>
  );
}

/** What cannot be stored is refused here, before it travels. */
function DocumentField({ error }: { error: string | undefined }) {
  const [problem, setProblem] = useState<string>();
  return (
    <Field
      label="Document"
      error={problem ?? error}
      hint="PDF or Word (.pdf, .doc, .docx), at most 25 MB. Only administrators see it."
    >
      {(control) => (
        <input
          {...control}
          type="file"
          name="document"
          accept=".pdf,.doc,.docx"
          className="input proof-file"
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
