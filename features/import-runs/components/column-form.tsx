import { type ReactNode, useLayoutEffect, useRef } from 'react';
import { Form } from 'react-router';
import { formatCount } from '#platform/format-count.ts';
import type { ActionData } from '#ui/action-data.ts';
import { Button, ButtonLink } from '#ui/button.tsx';
import { IntentField } from '#ui/intent-field.tsx';
import { Notice } from '#ui/notice.tsx';
import { Panel } from '#ui/panel.tsx';
import { Radio } from '#ui/radio.tsx';
import { usePendingForm } from '#ui/use-pending.ts';
import type { ImportDetails } from '../model.ts';
import { ColumnTable } from './column-table.tsx';
import { TypeTable } from './type-table.tsx';

const CHECK = 'check';

interface Props {
  details: ImportDetails;
  answer: ActionData | undefined;
  /** of an administrator: whose listings they are, and their status */
  office?: ReactNode;
  discardHref: string;
  mayAct: boolean;
}

/** Which columns are read, which property types their words stand for, and what becomes of homes that are there already; sent to be checked. */
export function ColumnForm({ details, answer, office, discardHref, mayAct }: Props) {
  const form = useRef<HTMLFormElement>(null);
  const pending = usePendingForm(CHECK) !== null;
  const mine = answer?.intent === CHECK && !answer.ok ? answer : undefined;
  const { errors = {}, input = {} } = mine ?? {};
  useLayoutEffect(() => {
    if (mine?.errors && !pending) form.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus();
  }, [mine, pending]);
  const { file, columns, ignored } = details;
  const sameHome = input.sameHome ?? details.sameHome;
  return (
    <Form
      ref={form}
      method="post"
      noValidate
      preventScrollReset
      onSubmit={(event) => pending && event.preventDefault()}
    >
      <IntentField is={CHECK} />
      {office}
      <Panel title="Columns" inset>
        {errors.columns && (
          <Notice tone="bad" title="The columns cannot be read so">
            <p>{errors.columns}</p>
          </Notice>
        )}
        <ColumnTable
          // Another refusal shows what was sent then.
          key={JSON.stringify(input)}
          file={file}
          columns={columns}
          typed={input}
          errors={errors}
          disabled={!mayAct}
        />
        {ignored.length > 0 && (
          <details className="import-parts">
            <summary>
              {formatCount(ignored.length)} {ignored.length === 1 ? 'column is' : 'columns are'} not read
            </summary>
            <p className="import-ignored">{ignored.join(', ')}</p>
          </details>
        )}
      </Panel>
      <TypeTable
        key={`types ${JSON.stringify(input)}`}
        details={details}
        typed={input}
        errors={errors}
        disabled={!mayAct}
      />
      <Panel title="Homes that are listed already" inset>
        <fieldset className="import-choices" disabled={!mayAct}>
          <legend className="vh">Homes that are listed already from another source</legend>
          <Radio
            name="sameHome"
            value="ask"
            defaultChecked={sameHome === 'ask'}
            label="Refuse the row and name the listing"
            hint="You decide about each of them before you import the file again."
          />
          <Radio
            name="sameHome"
            value="merge"
            defaultChecked={sameHome === 'merge'}
            label="Fill what is blank in the listing"
          />
          <Radio
            name="sameHome"
            value="keep"
            defaultChecked={sameHome === 'keep'}
            label="Add another listing of the same home"
          />
        </fieldset>
      </Panel>
      {mayAct && (
        <div className="import-acts">
          <Button type="submit" busy={pending}>
            Check file
          </Button>
          <ButtonLink variant="outline" to={discardHref} preventScrollReset>
            Discard file
          </ButtonLink>
        </div>
      )}
    </Form>
  );
}
