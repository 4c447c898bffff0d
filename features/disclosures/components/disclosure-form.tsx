import { Form } from 'react-router';
import { DocumentField } from '#features/documents/components/document-field.tsx';
import type { ActionData } from '#ui/action-data.ts';
import { Button } from '#ui/button.tsx';
import { IntentField } from '#ui/intent-field.tsx';
import { Panel } from '#ui/panel.tsx';
import { TextInput } from '#ui/text-input.tsx';
import { useAnswer } from '#ui/use-answer.ts';
import { usePendingForm } from '#ui/use-pending.ts';
import type { DisclosureField } from '../model.ts';
import { NAME_MAX_LENGTH } from '../rules.ts';

/** The intent of the form. */
export const UPLOAD_DISCLOSURE = 'upload';

/** Uploads what a seller discloses about a property. */
export function DisclosureForm({ answer: latest }: { answer: ActionData<DisclosureField> | undefined }) {
  const answer = useAnswer(latest);
  const { errors = {}, input = {} } = answer ?? {};
  const busy = usePendingForm(UPLOAD_DISCLOSURE) !== null;
  return (
    <Panel title="Upload a disclosure" inset>
      <Form
        method="post"
        encType="multipart/form-data"
        className="grid max-w-[560px] gap-5"
        noValidate
        preventScrollReset
      >
        <IntentField is={UPLOAD_DISCLOSURE} />
        <DocumentField
          label="Document"
          name="document"
          error={errors.document}
          hint="PDF or Word (.pdf, .doc, .docx), at most 25 MB."
        />
        <TextInput
          label="Name"
          name="name"
          optional
          maxLength={NAME_MAX_LENGTH}
          defaultValue={input.name}
          autoComplete="off"
          error={errors.name}
          hint="The name of the file unless you give another. The same name again is the next version."
        />
        <Button type="submit" busy={busy} className="justify-self-start">
          Upload disclosure
        </Button>
      </Form>
    </Panel>
  );
}
