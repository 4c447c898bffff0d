import { useLayoutEffect, useRef } from 'react';
import { Form, useNavigation } from 'react-router';
import type { ActionData } from '#ui/action-data.ts';
import { Button } from '#ui/button.tsx';
import { Checkbox } from '#ui/checkbox.tsx';
import { FieldError } from '#ui/field.tsx';
import { TriangleAlert } from '#ui/glyphs.ts';
import { Icon } from '#ui/icon.tsx';
import { IntentField } from '#ui/intent-field.tsx';
import { Radio } from '#ui/radio.tsx';
import { Select } from '#ui/select.tsx';
import { TextInput } from '#ui/text-input.tsx';
import { usePendingForm } from '#ui/use-pending.ts';
import { uploadableTypes } from '../rules.ts';
import { DocumentField } from './document-field.tsx';
import { useTaken } from './use-taken.ts';

export const UPLOAD = 'upload';
/** What the page gets back of the form after a refusal; the file stays in the browser. */
export const uploadFields = ['type', 'name', 'visibility', 'confirm'] as const;

const types = uploadableTypes.map((type) => ({ value: type, label: type }));

interface Props {
  answer: ActionData | undefined;
}

/** Adds a document, or the next version of one, to the property of the page. The form is emptied once it was taken. */
export function DocumentUpload({ answer }: Props) {
  const pending = usePendingForm(UPLOAD) !== null;
  const { state } = useNavigation();
  const refused = answer?.intent === UPLOAD && !answer.ok ? answer : undefined;
  const taken = useTaken({ pending, state, refused: refused !== undefined });
  return <UploadForm key={taken} refused={refused} pending={pending} />;
}

function UploadForm({ refused, pending }: { refused: ActionData | undefined; pending: boolean }) {
  const form = useRef<HTMLFormElement>(null);
  const { errors = {}, input = {} } = refused ?? {};
  useLayoutEffect(() => {
    if (refused?.errors && !pending) form.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus();
  }, [refused, pending]);
  return (
    <Form
      ref={form}
      method="post"
      encType="multipart/form-data"
      className="document-form"
      preventScrollReset
      noValidate
      onSubmit={(event) => pending && event.preventDefault()}
    >
      <IntentField is={UPLOAD} />
      <DocumentField
        label="File"
        name="file"
        error={errors.file}
        hint="PDF or Word (.pdf, .doc, .docx), at most 25 MB."
      />
      <Select
        label="Type"
        name="type"
        placeholder="Select a type"
        options={types}
        defaultValue={input.type ?? ''}
        error={errors.type}
      />
      <TextInput
        label="Name"
        name="name"
        optional
        maxLength={120}
        defaultValue={input.name ?? ''}
        autoComplete="off"
        hint="The name of the file unless you give another. The same name again is the next version."
      />
      <fieldset>
        <legend>Visibility</legend>
        <Radio
          name="visibility"
          value="private"
          defaultChecked={input.visibility !== 'public'}
          label="Private"
          hint="Only administrators read the file. Only its hash is registered on the chain."
        />
        <Radio
          name="visibility"
          value="public"
          defaultChecked={input.visibility === 'public'}
          label="Public"
          hint="The file is kept in a public store, where anyone can read it."
        />
        <div className="document-public notice notice-warn">
          <Icon of={TriangleAlert} size={20} />
          <div>
            <b>Anyone can read and copy a public file</b>
            <p>
              It cannot be taken out of a public store again for certain. Do not publish names, signatures,
              account numbers or anything else that is personal.
            </p>
            <Checkbox
              name="confirm"
              value="yes"
              defaultChecked={input.confirm === 'yes'}
              label="Anyone may read this file."
              aria-invalid={errors.confirm ? true : undefined}
              aria-describedby={errors.confirm ? 'document-confirm' : undefined}
            />
            {errors.confirm && <FieldError id="document-confirm">{errors.confirm}</FieldError>}
          </div>
        </div>
      </fieldset>
      <div className="document-form-acts">
        <Button type="submit" busy={pending}>
          Upload document
        </Button>
      </div>
    </Form>
  );
}
