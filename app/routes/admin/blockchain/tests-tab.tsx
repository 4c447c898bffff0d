import { useState } from 'react';
import { Form, useNavigate } from 'react-router';
import {
  MAX_TEST_BYTES,
  type PinStatus,
  type StorageStatus,
  type TestDocument,
} from '#features/content/model.ts';
import { contentMessages } from '#features/content/rules.ts';
import type { ActionData } from '#ui/action-data.ts';
import { ActionDialog } from '#ui/action-dialog.tsx';
import { Badge, type Tone } from '#ui/badge.tsx';
import { Button, ButtonLink } from '#ui/button.tsx';
import { FailedPanel } from '#ui/failed-panel.tsx';
import { Field } from '#ui/field.tsx';
import { fileSize } from '#ui/file-size.ts';
import { IntentField } from '#ui/intent-field.tsx';
import { Notice } from '#ui/notice.tsx';
import { Panel } from '#ui/panel.tsx';
import { type Column, Table } from '#ui/table.tsx';
import { TimeAgo } from '#ui/time-ago.tsx';
import { usePendingForm } from '#ui/use-pending.ts';
import { PostButton } from '../operations/row-actions.tsx';
import type { BlockchainAnswer } from './actions.ts';
import { type BlockchainQuery, tabHref } from './query.ts';

const states: Record<PinStatus, { tone: Tone; label: string }> = {
  waiting: { tone: 'mute', label: 'Waiting' },
  pinned: { tone: 'ok', label: 'Published' },
  failed: { tone: 'bad', label: 'Failed' },
  unpinning: { tone: 'mute', label: 'Being removed' },
  unpin_failed: { tone: 'bad', label: 'Not removed' },
  unpinned: { tone: 'mute', label: 'Removed' },
};

interface Props {
  shown: { store: StorageStatus; documents: TestDocument[] } | null;
  query: BlockchainQuery;
  answer: (ActionData & BlockchainAnswer) | undefined;
}

/** Samples by which the store and the gateway are tried; no one counts them. */
export function TestsTab({ shown, query, answer }: Props) {
  if (!shown) return <FailedPanel title="The test documents could not be loaded." />;
  const { store, documents } = shown;
  const checked = answer?.checked;
  return (
    <>
      <Panel title="Add a test document" inset className="mt-0!">
        {store.testsRefused === null ? (
          <AddForm
            key={documents[0]?.id}
            error={answer?.intent === 'add-test' ? answer.errors?.file : undefined}
          />
        ) : (
          <Notice tone="info" title="Not available">
            <p>{store.testsRefused}</p>
          </Notice>
        )}
      </Panel>
      <Panel title="Test documents">
        <Table
          label="Test documents"
          columns={columns(checked)}
          rows={documents}
          rowKey={({ id }) => id}
          loading="Loading test documents..."
          empty="No test documents. What is added here is in no other list and counts nowhere."
          error={null}
        />
      </Panel>
      <RemoveDialog query={query} documents={documents} answer={answer} />
    </>
  );
}

const columns = (checked: BlockchainAnswer['checked']): Column<TestDocument>[] => [
  {
    id: 'name',
    header: 'Document',
    cell: ({ name, bytes }) => (
      <>
        <span className="strong">{name}</span>
        <br />
        <span className="hint">{fileSize(bytes)}</span>
      </>
    ),
  },
  {
    id: 'cid',
    header: 'Address computed here',
    className: 'whitespace-normal! break-all',
    cell: ({ cid, status }) => (
      <>
        {cid}
        <br />
        <span className="hint">
          {status === 'pinned'
            ? 'The store gave it the same address.'
            : 'The store has not given it one yet.'}
        </span>
      </>
    ),
  },
  {
    id: 'status',
    header: 'Status',
    className: 'whitespace-normal!',
    cell: ({ id, status, reason }) => (
      <>
        <Badge tone={states[status].tone}>{states[status].label}</Badge>
        {reason && <p className="hint">{reason}</p>}
        {checked?.id === id && (
          <p className="hint">
            {checked.result.ok
              ? `Fetched ${fileSize(checked.result.bytes)} in ${checked.result.milliseconds} ms: the same bytes.`
              : checked.result.text}
          </p>
        )}
      </>
    ),
  },
  { id: 'at', header: 'Added', cell: ({ createdAt }) => <TimeAgo of={createdAt} /> },
  {
    id: 'actions',
    header: 'Actions',
    cell: ({ id, name, link }) => (
      <div className="rowacts">
        {link && (
          <a className="btn btn-ghost btn-sm" href={link} target="_blank" rel="noopener noreferrer">
            Open<span className="vh"> {name} at the gateway</span>
          </a>
        )}
        <PostButton intent="check-test" fields={{ id }} label="Fetch back" about={name} small />
        <ButtonLink
          variant="ghost"
          size="sm"
          to={tabHref('tests', { do: 'remove-test', id })}
          preventScrollReset
        >
          Unpin<span className="vh"> {name}</span>
        </ButtonLink>
      </div>
    ),
  },
];

function AddForm({ error }: { error: string | undefined }) {
  const [tooLarge, setTooLarge] = useState(false);
  const pending = usePendingForm('add-test') !== null;
  return (
    <Form
      method="post"
      encType="multipart/form-data"
      className="grid gap-5"
      preventScrollReset
      onSubmit={(event) => pending && event.preventDefault()}
    >
      <IntentField is="add-test" />
      <Field
        label="File"
        error={tooLarge ? contentMessages.testTooLarge : error}
        hint="PDF or Word (.pdf, .doc, .docx), at most 1 MB. Anyone can read it while it is published."
      >
        {(control) => (
          <input
            {...control}
            type="file"
            name="file"
            accept=".pdf,.doc,.docx"
            className="input h-auto! p-2!"
            onChange={({ currentTarget }) => {
              const over = (currentTarget.files?.[0]?.size ?? 0) > MAX_TEST_BYTES;
              setTooLarge(over);
              // What cannot be stored must not travel with the form.
              if (over) currentTarget.value = '';
            }}
          />
        )}
      </Field>
      <div>
        <Button type="submit" busy={pending}>
          Publish test document
        </Button>
      </div>
    </Form>
  );
}

interface RemoveProps {
  query: BlockchainQuery;
  documents: readonly TestDocument[];
  answer: ActionData | undefined;
}

function RemoveDialog({ query, documents, answer }: RemoveProps) {
  const navigate = useNavigate();
  const pending = usePendingForm('remove-test') !== null;
  const document = documents.find(({ id }) => id === query.id);
  if (query.dialog !== 'remove-test' || !document) return null;
  return (
    <ActionDialog
      open
      onClose={() => void navigate(tabHref('tests'), { replace: true, preventScrollReset: true })}
      title={`Unpin ${document.name}`}
      text="The document is deleted here and in the store. Others may still have copies of it."
      confirmLabel="Unpin document"
      danger
      intent="remove-test"
      fields={{ id: document.id }}
      pending={pending}
      error={answer?.intent === 'remove-test' ? answer.toast?.text : undefined}
    />
  );
}
