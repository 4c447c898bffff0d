import { FileUp } from 'lucide-react';
import { useEffect, useId, useRef, useState } from 'react';
import { useNavigate } from 'react-router';
import { DropTarget } from '#features/photos/components/photo-drop-zone.tsx';
import { Button } from '#ui/button.tsx';
import { Field, FieldError } from '#ui/field.tsx';
import { Icon } from '#ui/icon.tsx';
import { Panel } from '#ui/panel.tsx';
import { useIsLeaving } from '#ui/use-destination.ts';
import { MAX_IMPORT_BYTES } from '../model.ts';
import { importMessages } from '../rules.ts';
import { sendImportFile } from './send-file.ts';

const ACCEPTED = '.csv,.tsv,.txt,.json,text/csv,application/json';
const HINT =
  'CSV or JSON, at most 100 MB and 1,000,000 rows. Nothing is imported before you have seen what would change.';

interface Sending {
  name: string;
  /** 0 to 1 */
  share: number;
}

/** Takes a file of listings: dropped, chosen, or without scripts in a plain form. */
export function UploadForm({ action }: { action: string }) {
  const input = useId();
  const problemId = useId();
  const navigate = useNavigate();
  const isLeaving = useIsLeaving();
  const [sending, setSending] = useState<Sending | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const abort = useRef<AbortController | null>(null);
  useEffect(() => () => abort.current?.abort(), []);
  async function send([file]: File[]) {
    if (!file || abort.current) return;
    if (file.size > MAX_IMPORT_BYTES) return setProblem(importMessages.tooLarge);
    if (file.size === 0) return setProblem(importMessages.emptyFile);
    const own = new AbortController();
    abort.current = own;
    setProblem(null);
    setSending({ name: file.name, share: 0 });
    const answer = await sendImportFile(action, file, {
      onProgress: (share) => setSending({ name: file.name, share }),
      signal: own.signal,
    });
    abort.current = null;
    if (answer?.ok && !isLeaving()) return navigate(answer.to);
    setSending(null);
    setProblem(answer && !answer.ok ? answer.text : null);
  }
  return (
    <Panel title="Import a file" inset className="import-upload">
      {sending ? (
        <Progress sending={sending} onCancel={() => abort.current?.abort()} />
      ) : (
        <DropTarget onFiles={(files) => void send(files)}>
          {(over) => (
            <label className={over ? 'drop needs-js drop-over' : 'drop needs-js'} htmlFor={input}>
              <input
                id={input}
                className="vh"
                type="file"
                accept={ACCEPTED}
                aria-label="File of listings"
                aria-invalid={problem ? true : undefined}
                aria-describedby={problem ? problemId : undefined}
                onChange={({ currentTarget }) => {
                  const files = [...(currentTarget.files ?? [])];
                  // The same file can be chosen again after a refusal.
                  currentTarget.value = '';
                  void send(files);
                }}
              />
              <Icon of={FileUp} size={20} />
              <span>
                <b>Choose a file</b> or drop it here
              </span>
              <span className="hint">{HINT}</span>
            </label>
          )}
        </DropTarget>
      )}
      <div className="import-problem" role="alert">
        {problem && <FieldError id={problemId}>{problem}</FieldError>}
      </div>
      <form method="post" action={action} encType="multipart/form-data" className="no-js import-plain">
        <Field label="File" hint={HINT}>
          {(control) => <input {...control} type="file" name="file" accept={ACCEPTED} className="input" />}
        </Field>
        <Button type="submit">Upload file</Button>
      </form>
    </Panel>
  );
}

function Progress({ sending: { name, share }, onCancel }: { sending: Sending; onCancel: () => void }) {
  const id = useId();
  const percent = Math.round(share * 100);
  return (
    <div className="import-sending">
      <p id={id} role="status">
        {share < 1 ? `Uploading ${name}…` : `Reading ${name}…`}
      </p>
      <progress
        className="import-progress"
        max={100}
        value={share < 1 ? percent : undefined}
        aria-labelledby={id}
      />
      <Button variant="outline" size="sm" onClick={onCancel}>
        Cancel upload
      </Button>
    </div>
  );
}
