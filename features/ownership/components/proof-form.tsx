import './ownership.css';
import { Form } from 'react-router';
import { DocumentField } from '#features/documents/components/document-field.tsx';
import type { ActionData } from '#ui/action-data.ts';
import { Button } from '#ui/button.tsx';
import { IntentField } from '#ui/intent-field.tsx';
import { Panel } from '#ui/panel.tsx';
import { TextArea } from '#ui/text-area.tsx';
import { TextInput } from '#ui/text-input.tsx';
import { useAnswer } from '#ui/use-answer.ts';
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
export function ProofForm({ again, answer: latest }: Props) {
  const answer = useAnswer(latest);
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
        <DocumentField
          label="Document"
          name="document"
          error={errors.document}
          hint="PDF or Word (.pdf, .doc, .docx), at most 25 MB. Only administrators see it."
        />
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
